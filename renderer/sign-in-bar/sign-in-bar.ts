import { signInWords } from '../words/sign-in-words.ts';

// The bar above a sign-in page. It has no preload: main says by the fragment where the page really is, and hears of
// the link by the navigation that it then refuses.
function show(): void {
  const said = new URLSearchParams(location.hash.slice(1));
  const host = said.get('host') ?? '';
  write('host', host);
  write('note', said.get('encrypted') === 'no' ? signInWords.notEncrypted : '');
  write('browser', signInWords.useBrowser);
  document.title = host;
}

function write(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element) element.textContent = text;
}

window.addEventListener('hashchange', show);
show();
