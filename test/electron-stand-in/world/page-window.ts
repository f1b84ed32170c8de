/**
 * Runs in the main world before the page's first script: `window.open` and `window.close` as in Electron. The app
 * rejects every window, so a page gets none; any script may close its own page.
 */
export function replaceWindowCalls(eventName: string): void {
  // Saved before the page's scripts can replace them.
  const { stringify } = JSON;
  const dispatch = document.dispatchEvent.bind(document);
  const Custom = CustomEvent;
  const open = window.open.bind(window);
  const post = (message: Readonly<Record<string, string>>): void =>
    void dispatch(new Custom(eventName, { detail: stringify(message) }));

  const hasFrame = (from: Window, name: string): boolean => {
    try {
      if (from.name === name) return true;
    } catch {
      // A cross-site window keeps its name.
    }
    return Array.from({ length: from.length }, (_, index) => from[index] as Window).some((one) => hasFrame(one, name));
  };
  /** Per HTML: whether these features request a window instead of a tab. */
  const isPopup = (text: string): boolean => {
    const features = new Map(
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((feature) => feature !== '')
        .map((feature) => {
          const [name = '', value = ''] = feature.split('=');
          const isOn = ['', 'yes', 'true'].includes(value) || (Number.parseInt(value, 10) || 0) !== 0;
          return [name, isOn] as const;
        }),
    );
    for (const name of ['noopener', 'noreferrer']) features.delete(name);
    if (features.size === 0) return false;
    const isOn = (name: string, fallback: boolean): boolean => features.get(name) ?? fallback;
    if (features.has('popup')) return isOn('popup', false);
    if (!isOn('location', false) && !isOn('toolbar', false)) return true;
    return !(isOn('menubar', false) && isOn('resizable', true) && isOn('scrollbars', false) && isOn('status', false));
  };

  // A page may pass anything.
  window.open = (url: unknown = '', target: unknown = '', features: unknown = ''): WindowProxy | null => {
    const [href, name, featureText] = [String(url), String(target), String(features)];
    const isHere = /^_(?:self|parent|top)$/i.test(name) || (name !== '' && window.top && hasFrame(window.top, name));
    if (isHere) return open(href, name, featureText);
    // Chromium reports requests from frames.
    if (window !== window.top) {
      open(href, name, featureText);
      return null;
    }
    const address = href === '' ? 'about:blank' : new URL(href, document.baseURI).href;
    post({
      op: 'windowOpen',
      url: address.startsWith('javascript:') ? 'about:blank' : address,
      frameName: /^_blank$/i.test(name) ? '' : name,
      features: featureText,
      disposition: isPopup(featureText) ? 'new-window' : 'foreground-tab',
    });
    return null;
  };
  // In a frame it does nothing.
  if (window === window.top) window.close = () => post({ op: 'windowClose' });
}
