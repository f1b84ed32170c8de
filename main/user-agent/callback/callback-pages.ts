import { createHash } from 'node:crypto';
import type { CallbackVerdict } from '../../callback-ports.ts';

/** Everything the listener can say. `unknown` is for requests that are no callback at all. */
export type CallbackPageName = CallbackVerdict | 'unknown';

const style = `
:root { color-scheme: light dark; --ground: #f6f5f2; --card: #fff; --ink: #1d1c1a; --quiet: #66625a; --line: #e2dfd8; --mark: #2f6f4f }
@media (prefers-color-scheme: dark) {
  :root { --ground: #171615; --card: #21201e; --ink: #f1efea; --quiet: #aaa59b; --line: #35332f; --mark: #7fc7a0 }
}
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 28rem; padding: 40px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; text-align: center }
.mark { color: var(--mark); font-size: 40px; line-height: 1 }
.stop .mark { color: var(--quiet) }
h1 { margin: 16px 0 8px; font-size: 22px; line-height: 1.3 }
p { color: var(--quiet) }
`;

const texts: Record<CallbackPageName, { readonly mark: string; readonly title: string; readonly sentence: string }> = {
  done: {
    mark: '✓',
    title: 'Back to Postern',
    sentence: 'The sign-in page has answered. You can close this tab; Postern does the rest.',
  },
  refused: {
    mark: '–',
    title: 'Not signed in',
    sentence: 'Access was not granted on the sign-in page. You can close this tab; Postern shows what to do next.',
  },
  expired: {
    mark: '–',
    title: 'This sign-in is over',
    sentence: 'It took too long, was cancelled, or was used already. Close this tab and start again in Postern.',
  },
  failed: {
    mark: '–',
    title: 'Not signed in',
    sentence:
      'The answer of the sign-in page could not be used, so Postern stopped. Close this tab; Postern shows what to do next.',
  },
  used: {
    mark: '–',
    title: 'Answered already',
    sentence: 'The sign-in page has answered before. You can close this tab; Postern shows how it went.',
  },
  superseded: {
    mark: '–',
    title: 'This sign-in is over',
    sentence: 'A newer sign-in was started for this integration. Close this tab, and finish the newer one.',
  },
  'opened-twice': {
    mark: '–',
    title: 'This sign-in was stopped',
    sentence:
      'Its link was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. Close this tab and start again in Postern.',
  },
  'not-valid': {
    mark: '–',
    title: 'Nothing happened',
    sentence:
      'This link does not belong to the sign-in that Postern waits for; perhaps a newer one was started. You can close this tab.',
  },
  unknown: {
    mark: '–',
    title: 'Nothing here',
    sentence: 'Postern only answers its own sign-in callback at this address. You can close this tab.',
  },
};

function renderPage(name: CallbackPageName): Buffer {
  const { mark, title, sentence } = texts[name];
  return Buffer.from(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Postern</title>
<style>${style}</style>
</head>
<body>
<main class="${name === 'done' ? 'done' : 'stop'}">
<div class="mark" aria-hidden="true">${mark}</div>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</body>
</html>
`,
  );
}

/** Made once from constants: no byte of a request can get into a page. */
export const callbackPages: Readonly<Record<CallbackPageName, Buffer>> = {
  done: renderPage('done'),
  refused: renderPage('refused'),
  expired: renderPage('expired'),
  failed: renderPage('failed'),
  used: renderPage('used'),
  superseded: renderPage('superseded'),
  'opened-twice': renderPage('opened-twice'),
  'not-valid': renderPage('not-valid'),
  unknown: renderPage('unknown'),
};

const styleHash = createHash('sha256').update(style).digest('base64');

/** The same for every answer. No CORS field, ever: no page of another origin has business here. */
export const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
};
