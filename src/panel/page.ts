export interface PageParts {
  /** Addresses of the bundle's script and style, as the webview knows them. */
  readonly script: string;
  readonly style: string;
  /** What the webview serves files from. */
  readonly cspSource: string;
  /** Of this page alone. */
  readonly nonce: string;
}

/** The panel's document: nothing runs or is fetched but our own script and style. Text of trajectories comes as messages, never in here. */
export function pageHtml({ script, style, cspSource, nonce }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnlens</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="page"></main>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
