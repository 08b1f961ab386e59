/** What differs between hosts of the panel: the editor's webview, and the test's web server. */
export interface PanelPage {
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Origin of our own files, as `webview.cspSource`. */
  readonly cspSource: string;
  /** Fresh for every page; base64 or hexadecimal. */
  readonly nonce: string;
}

/**
 * The page of the panel under a strict policy: our one script, our one style sheet, nothing else.
 * The buttons' library makes one style element; it finds the nonce for it in `csp-nonce`.
 */
export function panelHtml({ scriptUri, styleUri, cspSource, nonce }: PanelPage): string {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Placewright</title>
<link rel="stylesheet" href="${styleUri}">
</head>
<body>
<main id="placewright"></main>
<script type="module" nonce="${nonce}" src="${scriptUri}"></script>
</body>
</html>
`;
}
