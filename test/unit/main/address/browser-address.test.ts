import { describe, expect, it } from 'vitest';
import { browserAddress } from '../../../../main/address/check-address.ts';

describe('an address for the browser', () => {
  it.each([
    ['javascript:alert(1)', 'URL_SCHEME'],
    ['file:///etc/passwd', 'URL_SCHEME'],
    ['smb://as.example/share', 'URL_SCHEME'],
    ['ms-msdt:/id', 'URL_SCHEME'],
    ['search-ms:x', 'URL_SCHEME'],
    ['vscode://x', 'URL_SCHEME'],
    ['other-app:x', 'URL_SCHEME'],
    ['http://auth.example.com/', 'URL_SCHEME'],
    ['http://10.0.0.1/', 'URL_SCHEME'],
    ['https://user@auth.example.com/', 'URL_USERINFO'],
    ['--flag', 'URL_INVALID'],
    ['/bin/sh', 'URL_INVALID'],
  ])('is not %s (MD-13)', (address, code) => {
    expect(() => browserAddress(address)).toThrow(expect.objectContaining({ code }));
  });

  it('is an https page, or a page on this computer', () => {
    for (const address of ['https://as.example/authorize?state=1', 'http://127.0.0.1:4711/go/word']) {
      expect(browserAddress(address)).toBe(address);
    }
  });
});
