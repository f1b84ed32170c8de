import { createHash } from 'node:crypto';
import type { Language } from '../../../shared/choices.ts';
import type { CallbackVerdict } from '../../callback-ports.ts';

/** Everything the listener can say. `unknown` is for requests that are no callback at all. */
export type CallbackPageName = CallbackVerdict | 'unknown';

interface CallbackWords {
  readonly title: string;
  readonly sentence: string;
}

/** What the browser shows at the end of a sign-in: English after the command line, after a window as it speaks. */
export const callbackWords: Readonly<Record<Language, Readonly<Record<CallbackPageName, CallbackWords>>>> = {
  en: {
    done: {
      title: 'Back to Postern',
      sentence: 'The sign-in page has answered. You can close this tab; Postern does the rest.',
    },
    refused: {
      title: 'Not signed in',
      sentence: 'Access was not granted on the sign-in page. You can close this tab; Postern shows what to do next.',
    },
    expired: {
      title: 'This sign-in is over',
      sentence: 'It took too long, was cancelled, or was used already. Close this tab and start again in Postern.',
    },
    failed: {
      title: 'Not signed in',
      sentence:
        'The answer of the sign-in page could not be used, so Postern stopped. Close this tab; Postern shows what to do next.',
    },
    used: {
      title: 'Answered already',
      sentence: 'The sign-in page has answered before. You can close this tab; Postern shows how it went.',
    },
    superseded: {
      title: 'This sign-in is over',
      sentence: 'A newer sign-in was started for this integration. Close this tab, and finish the newer one.',
    },
    'opened-twice': {
      title: 'This sign-in was stopped',
      sentence:
        'Its link was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. Close this tab and start again in Postern.',
    },
    'not-valid': {
      title: 'Nothing happened',
      sentence:
        'This link does not belong to the sign-in that Postern waits for; perhaps a newer one was started. You can close this tab.',
    },
    unknown: {
      title: 'Nothing here',
      sentence: 'Postern only answers its own sign-in callback at this address. You can close this tab.',
    },
  },
  de: {
    done: {
      title: 'Zurück zu Postern',
      sentence: 'Die Anmeldeseite hat geantwortet. Sie können diesen Tab schließen; den Rest macht Postern.',
    },
    refused: {
      title: 'Nicht angemeldet',
      sentence:
        'Auf der Anmeldeseite wurde der Zugriff nicht erlaubt. Sie können diesen Tab schließen; Postern zeigt, wie es weitergeht.',
    },
    expired: {
      title: 'Diese Anmeldung ist vorbei',
      sentence:
        'Sie hat zu lange gedauert, wurde abgebrochen oder schon verwendet. Schließen Sie diesen Tab, und beginnen Sie in Postern neu.',
    },
    failed: {
      title: 'Nicht angemeldet',
      sentence:
        'Die Antwort der Anmeldeseite war nicht verwendbar, deshalb hat Postern aufgehört. Schließen Sie diesen Tab; Postern zeigt, wie es weitergeht.',
    },
    used: {
      title: 'Schon beantwortet',
      sentence:
        'Die Anmeldeseite hat schon einmal geantwortet. Sie können diesen Tab schließen; Postern zeigt, wie es ausging.',
    },
    superseded: {
      title: 'Diese Anmeldung ist vorbei',
      sentence:
        'Für diesen Server wurde eine neuere Anmeldung begonnen. Schließen Sie diesen Tab, und schließen Sie die neuere ab.',
    },
    'opened-twice': {
      title: 'Diese Anmeldung wurde gestoppt',
      sentence:
        'Ihr Link wurde zweimal geöffnet: von jemand anderem auf diesem Computer oder von einem Programm, das Links vorab ansieht. Schließen Sie diesen Tab, und beginnen Sie in Postern neu.',
    },
    'not-valid': {
      title: 'Nichts ist passiert',
      sentence:
        'Dieser Link gehört nicht zu der Anmeldung, auf die Postern wartet; vielleicht wurde eine neuere begonnen. Sie können diesen Tab schließen.',
    },
    unknown: {
      title: 'Hier ist nichts',
      sentence:
        'Unter dieser Adresse beantwortet Postern nur die Rückkehr von einer Anmeldung. Sie können diesen Tab schließen.',
    },
  },
};

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
