import { createHash } from 'node:crypto';
import type { Language } from '../../../shared/choices.ts';
import { callbackWords } from './callback-words.ts';
import type { CallbackPageName } from './callback-words.ts';

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

function renderPage(language: Language, name: CallbackPageName): Buffer {
  const { title, sentence } = callbackWords[language][name];
  return Buffer.from(
    `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Postern</title>
<style>${style}</style>
</head>
<body>
<main class="${name === 'done' ? 'done' : 'stop'}">
<div class="mark" aria-hidden="true">${name === 'done' ? '✓' : '–'}</div>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</body>
</html>
`,
  );
}

function renderPages(language: Language): Readonly<Record<CallbackPageName, Buffer>> {
  return {
    done: renderPage(language, 'done'),
    refused: renderPage(language, 'refused'),
    expired: renderPage(language, 'expired'),
    failed: renderPage(language, 'failed'),
    used: renderPage(language, 'used'),
    superseded: renderPage(language, 'superseded'),
    'opened-twice': renderPage(language, 'opened-twice'),
    'not-valid': renderPage(language, 'not-valid'),
    unknown: renderPage(language, 'unknown'),
  };
}

/** Made once from constants: no byte of a request can get into a page. */
export const callbackPages: Readonly<Record<Language, Readonly<Record<CallbackPageName, Buffer>>>> = {
  en: renderPages('en'),
  de: renderPages('de'),
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
