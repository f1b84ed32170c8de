import type { Translated } from '../../shared/language.ts';
import { loadFailures, signInNeeds } from '../../shared/sign-in-notice.ts';
import { signInBarWords as german } from '../../shared/words/de/sign-in-words.ts';
import { signInBarWords as english } from '../../shared/words/en/sign-in-words.ts';

// The bar above a sign-in page. It has no preload: main says by the fragment where the page really is and what there is
// to know of it, and hears of the links by the navigation that it then refuses.
function show(): void {
  const said = new URLSearchParams(location.hash.slice(1));
  const language = said.get('language') === 'de' ? 'de' : 'en';
  const words = language === 'de' ? german : english;
  document.documentElement.lang = language;
  const host = said.get('host') ?? '';
  write('host', host);
  write('note', said.get('encrypted') === 'no' ? words.notEncrypted : '');
  write('browser', words.useBrowser);
  const need = signInNeeds.find((one) => one === said.get('needs'));
  write('need', need ? words.needs[need] : '');
  showFailure(said, host, words);
  document.title = host;
}

function showFailure(said: URLSearchParams, host: string, words: Translated<typeof english>): void {
  const failed = loadFailures.find((one) => one === said.get('failed'));
  const wasHidden = element('failure').hidden;
  element('failure').hidden = !failed;
  // The same way out stands larger below.
  element('browser').hidden = failed !== undefined;
  if (!failed) return;
  write('not-loaded', words.notLoaded);
  write('reason', words.failed[failed](host));
  write('code', said.get('code') ?? '');
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
  const place = element(id);
  // What is said again is not news to a screen reader.
  if (place.textContent !== text) place.textContent = text;
}

window.addEventListener('hashchange', show);
show();
