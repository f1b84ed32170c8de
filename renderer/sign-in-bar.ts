import { words } from './words.ts';

// The bar above a sign-in page. It has no preload: main says by the fragment where the page really is, and hears of
// the link by the navigation that it then refuses.
function show(): void {
  const said = new URLSearchParams(location.hash.slice(1));
  const isEncrypted = said.get('encrypted') !== 'no';
  write('host', said.get('host') ?? '');
  write('note', isEncrypted ? '' : words.signInBar.notEncrypted);
  write('browser', words.signInBar.useBrowser);
  document.title = said.get('host') ?? '';
}

function write(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element) element.textContent = text;
}

window.addEventListener('hashchange', show);
show();
