-- One user's session in Neovim: what it saw and did goes to the file that SESSION names, as JSON.
local found = {}
-- Came with 0.8; in 0.7 it has two parts.
vim.lsp.start = vim.lsp.start or function(config)
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end

local function wait(what, satisfied)
  assert(vim.wait(60000, satisfied, 20), 'waited in vain for ' .. what)
end

local function session()
  vim.cmd('source ' .. vim.env.CONFIGURATION)
  vim.cmd('edit main.place')
  local buffer = vim.api.nvim_get_current_buf()
  local file = { uri = vim.uri_from_bufnr(buffer) }
  wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
  found.problems = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(buffer))

  local function ask(method, parameters)
    parameters.textDocument = file
    for _, answer in pairs(vim.lsp.buf_request_sync(buffer, method, parameters, 60000) or {}) do
      assert(answer.error == nil, method .. ': ' .. vim.inspect(answer.error))
      return answer.result
    end
    error('no answer to ' .. method)
  end
  -- Behind the first occurrence of a text.
  local function behind(text)
    for row, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
      local _, last = line:find(text, 1, true)
      if last then return { line = row - 1, character = last } end
    end
    error('no ' .. text)
  end

  found.hover = ask('textDocument/hover', { position = behind('five-p') }).contents.value
  local list = ask('textDocument/completion', { position = behind('map     ') })
  found.completion = vim.tbl_map(function(item) return item.label end, list.items or list)

  local problem = vim.lsp.diagnostic.get_line_diagnostics(buffer, behind('row-mayor').line)[1]
  local fixes = ask('textDocument/codeAction', { range = problem.range, context = { diagnostics = { problem } } })
  found.fixes = vim.tbl_map(function(fix) return fix.title end, fixes)
  vim.lsp.util.apply_workspace_edit(fixes[1].edit, 'utf-16')
  wait('the end of the problem', function() return #vim.diagnostic.get(buffer) == 0 end)

  local edit = ask('textDocument/rename', { position = behind('machine sm'), newName = 'tiny' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  local edits = ask('textDocument/formatting', { options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
  vim.cmd('wall')
  vim.lsp.stop_client(vim.lsp.get_active_clients())
  wait('the end of the server', function() return #vim.lsp.get_active_clients() == 0 end)
end

local good, fault = pcall(session)
if not good then found.fault = tostring(fault) end
local out = io.open(vim.env.SESSION, 'w')
out:write(vim.fn.json_encode(found))
out:close()
vim.cmd('qall!')
