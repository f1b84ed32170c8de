import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  displayHost,
  displayHostAndPort,
  displayText,
  isConfusableHost,
  nameProblem,
  serverName,
} from '../../../../main/address/display-text.ts';
import { displayNameLength } from '../../../../main/limits.ts';

describe('displayText', () => {
  it.each([
    ['Linear', 'Linear'],
    ['  two\r\n\tlines ', 'two lines'],
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['a\u0000b\u007fc\u009bd', 'abcd'],
    ['safe\u202egpj.exe', 'safegpj.exe'],
    ['\u2066x\u2069\u200e\u200f\u061c', 'x'],
    ['pay\u200bpal\u00ad\ufeff', 'paypal'],
    ['e\u0301', 'é'],
    ['\u{e0041}tag', 'tag'],
    ['\ud800', '\ufffd'],
    ['a\u2800b\ufff0\ufff8c\u{1bca0}\u{1bca3}d\u{1d173}\u{1d17a}e', 'abcde'],
  ])('shows %j as %j', (text, displayed) => {
    expect(displayText(text)).toBe(displayed);
  });

  it('cuts by characters, not by UTF-16 units', () => {
    expect(displayText('😀'.repeat(displayNameLength))).toBe('😀'.repeat(displayNameLength));
    expect(displayText('😀'.repeat(displayNameLength + 1))).toBe(`${'😀'.repeat(displayNameLength - 1)}…`);
    expect(displayText('abcdef', 3)).toBe('ab…');
  });

  property.prop([fc.string({ unit: 'binary', maxLength: 300 })])('is one short visible line for any text', (text) => {
    const displayed = displayText(text);
    expect(displayed).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    expect(Array.from(displayed).length).toBeLessThanOrEqual(displayNameLength);
    expect(displayText(displayed)).toBe(displayed);
  });
});

describe('serverName', () => {
  it.each([
    ['https://wanted.example/mcp', 'wanted.example/mcp', undefined],
    ['-HTTP://a.example', 'a.example', 'sign'],
    ['http://+x', 'x', undefined],
    ['https://', '', 'invisible'],
    ['My https:// notes', 'My https:// notes', undefined],
    ['x'.repeat(80), 'x'.repeat(80), undefined],
    ['x'.repeat(90), `${'x'.repeat(79)}…`, 'long'],
    ['🎈'.repeat(80), '🎈'.repeat(80), undefined],
  ])('turns %s into a name that cannot be read as an option, collection or address', (typed, name, problem) => {
    expect([serverName(typed), nameProblem(typed)]).toEqual([name, problem]);
  });
});

describe('displayHost', () => {
  it('always shows punycode', () => {
    expect(displayHost('аpple.com')).toBe('xn--pple-43d.com');
    expect(displayHost('MCP.Example.com')).toBe('mcp.example.com');
    expect(displayHost('not a host\u202e')).toBe('not?a?host?');
  });
});

describe('isConfusableHost', () => {
  it.each([
    ['аpple.com', true],
    ['xn--pple-43d.com', true],
    ['аррӏе.com', true],
    ['mcp.gооgle.com', true],
    ['οοο.com', true],
    ['lınkedin.com', true],
    ['ɡoogle.com', true],
    ['ɢoogle.com', true],
    ['ꓖꓳꓳꓖꓡꓰ.com', true],
    ['ꮯꮋꭺꮪꭼ.com', true],
    ['օոս.com', true],
    ['gíthub.com', true],
    ['éxample.com', true],
    ['mcp.paypaḷ.com', true],
    ['gøøgle.com', true],
    ['łogin.example.com', true],
    ['ışık.com', true],
    ['diyarbakır.com.tr', true],
    ['münchen.de', true],
    ['straße.de', true],
    ['łódź.pl', true],
    ['đà-nẵng.vn', true],
    ['smørrebrød.dk', true],
    ['eʋegbe.tg', true],
    ['հայաստան.am', false],
    ['ไทย.com', false],
    ['한국.kr', false],
    ['भारत.com', false],
    ['qafqazınsəsi.az', true],
    ['東京tower.jp', false],
    ['ラーメン.com', false],
    ['example.com', false],
    ['bücher.example', true],
    ['пример.com', false],
    ['почта.рф', false],
    ['ελλάδα.gr', false],
    ['例え.jp', false],
    ['127.0.0.1', false],
    ['[::1]', false],
  ])('is, for %s, %s (Unicode TR 39, IP-02)', (host, isConfusable) => {
    expect(isConfusableHost(URL.parse(`https://${host}`)?.hostname ?? host)).toBe(isConfusable);
  });
});

describe('displayHostAndPort', () => {
  it.each([
    ['https://as.example/login', 'as.example'],
    ['https://as.example:443/', 'as.example'],
    ['https://as.example:8443/', 'as.example:8443'],
    ['http://127.0.0.1:4711/', '127.0.0.1:4711'],
    ['http://[::1]:4711/', '[::1]:4711'],
    ['https://аpple.com:444/', 'xn--pple-43d.com:444'],
  ])('shows %s as %s: ports distinguish servers on one computer', (address, displayed) => {
    expect(displayHostAndPort(new URL(address))).toBe(displayed);
  });
});
