import { describe, expect, it } from 'vitest';
import {
  fromChromiumUrl,
  isOwnScheme,
  toChromiumPolicy,
  toChromiumUrl,
} from '../../electron-stand-in/custom-scheme.ts';

describe("the app's scheme", () => {
  it.each([
    ['app://postern/index.html', 'https://app.postern.localhost/index.html'],
    ['app://postern', 'https://app.postern.localhost'],
    ['app://postern?q=1', 'https://app.postern.localhost?q=1'],
    ['app://postern/a#b', 'https://app.postern.localhost/a#b'],
  ])('maps %s to Chromium and back', (url, mapped) => {
    expect(toChromiumUrl(url)).toBe(mapped);
    expect(fromChromiumUrl(mapped)).toBe(url);
  });

  it.each([
    'https://example.com/',
    'http://127.0.0.1:80/',
    'data:text/html,x',
    'about:blank',
    'file:///tmp/x',
    'chrome-error://chromewebdata/',
  ])('leaves %s alone', (url) => {
    expect(toChromiumUrl(url)).toBe(url);
    expect(fromChromiumUrl(url)).toBe(url);
    expect(isOwnScheme(url)).toBe(true);
  });

  it.each([
    'https://app.postern.localhost:8443/',
    'https://app.postern.localhost.example/',
    'http://app.postern.localhost/',
    'https://postern.localhost/',
    'https://a.app.postern.localhost/',
  ])('does not mistake %s for one', (url) => expect(fromChromiumUrl(url)).toBe(url));

  it("is neither a Chromium scheme nor another app's", () => {
    expect(isOwnScheme('app://postern/')).toBe(false);
    expect(isOwnScheme('mailto:someone')).toBe(false);
  });

  it('is the only thing mapped in a policy', () => {
    expect(toChromiumPolicy("default-src 'none'; script-src 'self' app://postern; img-src app: data:", 'app')).toBe(
      "default-src 'none'; script-src 'self' https://app.postern.localhost; img-src https://*.localhost data:",
    );
    const plain = "default-src 'none'; connect-src https://app.example/";
    expect(toChromiumPolicy(plain, 'app')).toBe(plain);
  });
});
