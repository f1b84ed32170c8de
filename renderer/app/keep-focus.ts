import { useEffect } from 'react';

/**
 * Where the part that has the focus goes away and nobody takes it on, the page does, or the dialog above it: the Tab key
 * then goes on within that, and not from the top of the window.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const take = (): void => {
      if (document.activeElement !== document.body) return;
      [...document.querySelectorAll<HTMLElement>('main, dialog')].at(-1)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || focused.isConnected) return;
      focused = null;
      // After whatever comes in its place: that knows better.
      setTimeout(take);
    });
    const remember = ({ target }: FocusEvent): void => void (focused = target);
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}
