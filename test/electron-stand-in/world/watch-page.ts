import type { isAccelerator } from './is-accelerator.ts';

/** The Navigation API, whose type name differs between TypeScript versions. */
interface NavigateEvent extends Event {
  readonly destination: { readonly url: string };
}

/** Runs in pages. Reports to Node what Chrome's protocol does not: focus, size, shortcuts and external links. */
export function watchPage(
  post: (message: Record<string, unknown>) => void,
  isMenuKey: typeof isAccelerator,
): { setMenuKeys(keys: readonly string[]): void } {
  let menuKeys: readonly string[] = [];
  const mac = navigator.platform.startsWith('Mac');
  addEventListener('focus', (event) => event.target === window && post({ op: 'focus' }));
  addEventListener('blur', (event) => event.target === window && post({ op: 'blur' }));
  addEventListener('resize', () => post({ op: 'resize' }));
  // As in Electron on Linux and Windows, the page gets the key before the menu's shortcuts.
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !event.isTrusted || event.repeat) return;
    const { key, code, ctrlKey: control, altKey: alt, shiftKey: shift, metaKey: meta } = event;
    const press = { key, code, control, alt, shift, meta };
    if (!menuKeys.some((accelerator) => isMenuKey(accelerator, press, mac))) return;
    event.preventDefault();
    post({ op: 'key', ...press });
  });
  // Chromium opens a tab for such a click without reporting it.
  const follow = (event: MouseEvent): void => {
    const { button, ctrlKey, metaKey, shiftKey } = event;
    if (event.defaultPrevented || !event.isTrusted || !(button === 1 || ctrlKey || metaKey || shiftKey)) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href !== '');
    if (!link) return;
    event.preventDefault();
    const inTab = button === 1 || ctrlKey || metaKey;
    const disposition = inTab ? (shiftKey ? 'foreground-tab' : 'background-tab') : 'new-window';
    post({ op: 'windowOpen', url: (link as HTMLAnchorElement).href, frameName: '', features: '', disposition });
  };
  addEventListener('click', follow);
  addEventListener('auxclick', follow);
  // Chrome would show its own "open xdg-open?" dialog, which blocks the window forever.
  const { navigation } = globalThis as unknown as { navigation?: EventTarget };
  navigation?.addEventListener('navigate', (event) => {
    const { url } = (event as NavigateEvent).destination;
    if (/^(?:https?|about|data|blob|javascript|file|chrome-error):/.test(url)) return;
    event.preventDefault();
    post({ op: 'otherProgram', url });
  });
  let title = '';
  const postTitle = (): void => {
    if (document.title === title) return;
    title = document.title;
    post({ op: 'title', title });
  };
  addEventListener('DOMContentLoaded', () => {
    postTitle();
    if (document.head)
      new MutationObserver(postTitle).observe(document.head, { childList: true, subtree: true, characterData: true });
  });
  return { setMenuKeys: (keys) => void (menuKeys = keys) };
}
