import { describe, expect, it } from 'vitest';
import { isToPanel, readFromPanel, type FromPanel } from './panel.ts';

const good: readonly FromPanel[] = [
  { kind: 'ready' },
  { kind: 'reveal-problem' },
  { kind: 'finish' },
  { kind: 'cancel' },
  { kind: 'run' },
  { kind: 'save', extension: 'svg', name: '', data: '<svg/>' },
  { kind: 'save', extension: 'png', name: '', data: 'iVBORw0KGgo=' },
  { kind: 'save', extension: 'pdf', name: 'in-order.tuned', data: 'JVBERi0=' },
  { kind: 'reveal', target: { kind: 'placement' } },
  { kind: 'reveal', target: { kind: 'node', node: 0 } },
  { kind: 'reveal', target: { kind: 'link', from: 3, to: 4 } },
  { kind: 'explain', target: { kind: 'link', link: 7 } },
  { kind: 'explain', target: { kind: 'tasks', from: { job: 0, task: 1 }, to: { job: 2, task: 3 } } },
  { kind: 'explain', target: { kind: 'node', node: 3 } },
  { kind: 'save', extension: 'csv', name: 'links', data: 'From,To\n' },
  { kind: 'selected', selection: { target: { kind: 'loads', least: 4096, most: 65_536 }, words: 'flows over links' } },
  { kind: 'selected', selection: { target: { kind: 'loads', least: 0.001, most: 0.004, isTime: true }, words: 'ms' } },
];

describe('messages of the panel', () => {
  it.each(good)('are read as they were sent: $kind', (message) => {
    expect(readFromPanel(JSON.parse(JSON.stringify(message)))).toEqual(message);
  });

  it('lose what does not belong to them', () => {
    const target = { kind: 'node', node: 1, uri: 'file:///etc/passwd' };
    expect(readFromPanel({ kind: 'reveal', target, command: 'x' })).toEqual({
      kind: 'reveal',
      target: { kind: 'node', node: 1 },
    });
  });

  it.each<[unknown]>([
    [undefined],
    [null],
    ['ready'],
    [[{ kind: 'ready' }]],
    [{}],
    [{ kind: 'constructor' }],
    [{ kind: 'reveal' }],
    [{ kind: 'reveal', target: null }],
    [{ kind: 'reveal', target: { kind: 'file', uri: 'file:///x' } }],
    [{ kind: 'reveal', target: { kind: 'node', node: -1 } }],
    [{ kind: 'reveal', target: { kind: 'node', node: 1.5 } }],
    [{ kind: 'reveal', target: { kind: 'node', node: '1' } }],
    [{ kind: 'reveal', target: { kind: 'link', from: 1 } }],
    [{ kind: 'explain', target: { kind: 'link', link: Number.NaN } }],
    [{ kind: 'explain', target: { kind: 'tasks', from: { job: 0, task: 1 } } }],
    [{ kind: 'explain', target: { kind: 'tasks', from: { job: 0 }, to: { job: 0, task: 1 } } }],
    [{ kind: 'selected', selection: { target: { kind: 'loads', least: -1, most: 4, isTime: true }, words: 'ms' } }],
    [{ kind: 'save', extension: 'png', name: '' }],
    [{ kind: 'save', extension: 'png', name: '', data: '' }],
    [{ kind: 'save', extension: 'pdf', name: '', data: ['iVBO'] }],
    [{ kind: 'save', extension: 'png', name: '', data: '../../x' }],
    [{ kind: 'save', extension: 'exe', name: '', data: 'iVBO' }],
    [{ kind: 'save', extension: 'svg', name: '../x', data: '<svg/>' }],
  ])('that are none are refused: %j', (data) => {
    expect(readFromPanel(data)).toBeUndefined();
  });
});

describe('messages of the panel about loads', () => {
  it('tell time only where they say so in full', () => {
    const target = { kind: 'loads', least: 1, most: 2, isTime: 'yes' };
    expect(readFromPanel({ kind: 'selected', selection: { target, words: 'w' } })).toEqual({
      kind: 'selected',
      selection: { target: { kind: 'loads', least: 1, most: 2 }, words: 'w' },
    });
  });
});

describe('messages of the host', () => {
  it.each([
    [{ kind: 'act', action: 'save-png' }, true],
    [{ kind: 'toString' }, false],
    [{ kind: 7 }, false],
    ['act', false],
    [null, false],
  ])('are told from those of other scripts: %j', (data, expected) => {
    expect(isToPanel(data)).toBe(expected);
  });
});
