import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseAddress, parseInput } from '../../../../main/address/parse-address.ts';
import { PosternError } from '../../../../main/errors/postern-error.ts';
import { urlLength } from '../../../../main/limits.ts';
import { putHttpsInFront } from '../../../../shared/error-catalog/address-errors.ts';
import { runs } from '../../../support/runs.ts';

const codeOf = (text: string, parse: (text: string) => URL = (each) => parseAddress(each, 'discovery')): string => {
  try {
    parse(text);
    return 'accepted';
  } catch (error) {
    return error instanceof PosternError ? error.code : `untyped ${String(error)}`;
  }
};

describe('parseAddress', () => {
  it.each([
    ['https://mcp.example.com', 'https://mcp.example.com/'],
    ['HTTPS://MCP.Example.COM:443/mcp', 'https://mcp.example.com/mcp'],
    ['http://localhost:3000/mcp?a=b', 'http://localhost:3000/mcp?a=b'],
    ['https://[::1]:8443/', 'https://[::1]:8443/'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://１２７.0.0.1/', 'https://127.0.0.1/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('reads %s as %s', (text, href) => {
    expect(parseAddress(text, 'discovery').href).toBe(href);
  });

  it.each([
    ['mcp.example.com', true],
    ['mcp.example.com/mcp', true],
    ['bücher.example/mcp?a=b', true],
    ['', false],
    ['/mcp', false],
    ['nonsense', false],
    ['https:/mcp.example.com', false],
  ])('detects in %j that only the scheme is missing: %s', (text, missing) => {
    const remedy = missing ? putHttpsInFront : undefined;
    expect(() => parseInput(text)).toThrow(expect.objectContaining({ code: 'URL_INVALID', remedy }));
  });

  it.each([
    ['', 'URL_INVALID'],
    ['mcp.example.com/mcp', 'URL_INVALID'],
    ['//mcp.example.com', 'URL_INVALID'],
    ['https:/evil.example', 'URL_INVALID'],
    ['https:evil.example', 'URL_INVALID'],
    ['https:///evil.example', 'URL_INVALID'],
    ['https://', 'URL_INVALID'],
    ['https://?x', 'URL_INVALID'],
    ['https://good.example\\@evil.example/', 'URL_INVALID'],
    ['https:\\\\evil.example', 'URL_INVALID'],
    ['https://ev\til.example/', 'URL_INVALID'],
    ['https://ev\nil.example/', 'URL_INVALID'],
    ['https://evil.example/\u0000', 'URL_INVALID'],
    ['https://evil.example/\u2028', 'URL_INVALID'],
    [' https://mcp.example.com', 'URL_INVALID'],
    ['https://./', 'URL_INVALID'],
    ['https://../', 'URL_INVALID'],
    ['https://localhost../', 'URL_INVALID'],
    ['https://intranet.\u3002/', 'URL_INVALID'],
    ['https://a..example.com/', 'URL_INVALID'],
    ['https://.example.com/', 'URL_INVALID'],
    ['https://$(calc)/', 'URL_INVALID'],
    ['https://[fe80::1%25eth0]/', 'URL_INVALID'],
    ['https://a%00b/', 'URL_INVALID'],
    ['javascript:alert(1)', 'URL_SCHEME'],
    ['data:text/html,x', 'URL_SCHEME'],
    ['file:///etc/passwd', 'URL_SCHEME'],
    ['ms-msdt:/id', 'URL_SCHEME'],
    ['search-ms:query=x', 'URL_SCHEME'],
    ['smb://host/share', 'URL_SCHEME'],
    ['vscode://x', 'URL_SCHEME'],
    ['blob:https://x.example/1', 'URL_SCHEME'],
    ['ws://x.example', 'URL_SCHEME'],
    ['https://user@host.example/', 'URL_USERINFO'],
    ['https://user:password@host.example/', 'URL_USERINFO'],
    ['https://@host.example/', 'URL_USERINFO'],
    ['https://host.example/#part', 'URL_FRAGMENT'],
    ['https://host.example/#', 'URL_FRAGMENT'],
    ['https://host.example:0/', 'URL_PORT'],
    ['https://host.example:99999/', 'URL_PORT'],
    ['https://host.example:22/', 'URL_PORT'],
    ['https://host.example:25/', 'URL_PORT'],
    ['https://host.example:6379/', 'URL_PORT'],
    ['https://host.example:11211/', 'URL_PORT'],
    ['https://host.example:10080/', 'URL_PORT'],
  ])('rejects %j with %s (NW-19)', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('drops white space around typed input, and only there', () => {
    expect(parseInput('  https://mcp.example.com/mcp\n').href).toBe('https://mcp.example.com/mcp');
    expect(codeOf('https://mcp.example.com/mcp\n')).toBe('URL_INVALID');
    expect(codeOf('https://mcp.exa mple.com', parseInput)).toBe('URL_INVALID');
  });

  it('accepts an address of the maximum length, and no longer one', () => {
    const base = 'https://mcp.example.com/';
    const ofLength = (length: number): string => base + 'a'.repeat(length - base.length);
    expect(codeOf(ofLength(urlLength.received - 1))).toBe('accepted');
    expect(codeOf(ofLength(urlLength.received))).toBe('accepted');
    expect(codeOf(ofLength(urlLength.received + 1))).toBe('URL_TOO_LONG');
    expect(codeOf(ofLength(2_000_000))).toBe('URL_TOO_LONG');
    expect(codeOf(` ${ofLength(urlLength.received)} `, parseInput)).toBe('accepted');
    expect(codeOf(ofLength(2_000_000), parseInput)).toBe('URL_TOO_LONG');
  });

  it('limits the canonical form, too, since percent-encoding makes it longer', () => {
    expect(codeOf(`https://mcp.example.com/${'é'.repeat(1_000)}`)).toBe('URL_TOO_LONG');
  });

  it('never includes the address in its error', () => {
    try {
      parseInput('https://canary:canary@host.example/');
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error) + String((error as Error).stack?.split('\n')[0])).not.toContain('canary');
    }
  });

  const piece = fc.constantFrom(
    'https://', 'http://', 'https:/', 'HTTP:', '//', '/', '\\', '@', ':', '#', '?', '%00', '%2f', '..', '.', '[::1]',
    '127.1', '0x7f.1', 'localhost', 'example.com', 'ｅ', '\u00ad', '\t', ' ', ':0', ':443', ':22', 'user', 'é', '。',
  ); // prettier-ignore
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 10 }).map((pieces) => `https://example.com${pieces.join('')}`),
  );

  property.prop([hostile], { numRuns: runs(5_000) })(
    'returns a typed error or a stable canonical address (PB-01)',
    (text) => {
      let url: URL;
      try {
        url = parseAddress(text, 'discovery');
      } catch (error) {
        expect(error).toBeInstanceOf(PosternError);
        return;
      }
      expect(['https:', 'http:']).toContain(url.protocol);
      expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
      expect(url.hostname).toMatch(/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/);
      expect(parseAddress(url.href, 'discovery').href).toBe(url.href);
    },
  );
});
