import type { Translated } from '../../shared/language.ts';
import { loadFailures, signInNeeds } from '../../shared/sign-in-notice.ts';
import { signInBarWords as german } from '../../shared/words/de/sign-in-words.ts';
import { signInBarWords as english } from '../../shared/words/en/sign-in-words.ts';

// The bar above a sign-in page. It has no preload script: main passes the real address and any notes in the fragment,
// and learns of clicks from the navigations that it then blocks.
function show(): void {
  const params = new URLSearchParams(location.hash.slice(1));
  const language = params.get('language') === 'de' ? 'de' : 'en';
  const words = language === 'de' ? german : english;
  document.documentElement.lang = language;
  const host = params.get('host') ?? '';
  write('host', host);
  write('note', params.get('encrypted') === 'no' ? words.notEncrypted : '');
  write('browser', words.useBrowser);
  const need = signInNeeds.find((one) => one === params.get('needs'));
  write('need', need ? words.needs[need] : '');
  showFailure(params, host, words);
  document.title = host;
}

function showFailure(params: URLSearchParams, host: string, words: Translated<typeof english>): void {
  const failed = loadFailures.find((one) => one === params.get('failed'));
  const wasHidden = element('failure').hidden;
  element('failure').hidden = !failed;
  // The failure page has a larger one.
  element('browser').hidden = failed !== undefined;
  if (!failed) return;
  write('not-loaded', words.notLoaded);
  write('reason', words.failed[failed](host));
  write('code', params.get('code') ?? '');
  write('failure-browser', words.useBrowser);
  write('again', words.tryAgain);
  if (wasHidden) element('failure-browser').focus();
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

function write(id: string, text: string): void {
  const target = element(id);
  // Setting the same text again would make a screen reader repeat it.
  if (target.textContent !== text) target.textContent = text;
}

window.addEventListener('hashchange', show);
show();
