import { describe, expect, it } from 'vitest';
import { outsideAddress } from '../../../../renderer/integration/markdown.ts';

describe('outsideAddress', () => {
  it('IP-24 shows the address that a link opens, whatever it looks like (Unicode TS 46)', () => {
    expect(outsideAddress('https://\u0430pple.com/a')).toEqual({
      href: 'https://xn--pple-43d.com/a',
      host: 'xn--pple-43d.com',
    });
    // A full-width period separates labels, and a backslash counts as a slash.
    expect(outsideAddress('https://a\uff0eexample')?.href).toBe('https://a.example/');
    expect(outsideAddress('https:\\\\b.example\\c')?.href).toBe('https://b.example/c');
  });

  it('IP-24 accepts only web addresses', () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://', 'plain'])
      expect(outsideAddress(url)).toBeUndefined();
  });
});
