import { describe, expect, it } from 'vitest';
import { isPlaceholderValue, parseTypedAddress, findPlaceholderWord } from '../../../../main/address/typed-address.ts';
import { PosternError, readDetail } from '../../../../main/errors/postern-error.ts';

describe('parseTypedAddress', () => {
  it.each([
    ['https://{tenant}.example.com/mcp', '{tenant}'],
    ['https://example.com/{workspace}/mcp', '{workspace}'],
    ['https://example.com/mcp?team={{team id}}', '{{team id}}'],
    ['https://${TENANT}.example.com/mcp', '${TENANT}'],
    ['https://example.com/${input:tenant}/mcp', '${input:tenant}'],
    ['https://<your-tenant>.example.com/mcp', '<your-tenant>'],
    ['https://example.com/mcp?key=<your-key>', '<your-key>'],
    ['https://example.com/mcp?api_key=YOUR_API_KEY', 'YOUR_API_KEY'],
    ['https://example.com/YOUR-WORKSPACE-ID/mcp', 'YOUR-WORKSPACE-ID'],
    ['https://example.com/mcp?key=your-api-key', 'your-api-key'],
    ['https://example.com/mcp?key=CHANGE_ME', 'CHANGE_ME'],
  ])('refuses %s, and names the placeholder', (address, part) => {
    const thrown = (() => {
      try {
        return parseTypedAddress(address);
      } catch (error) {
        return error;
      }
    })();
    if (!(thrown instanceof PosternError)) throw new Error('accepted');
    expect(thrown).toMatchObject({ code: 'URL_INVALID', remedy: { kind: 'correct-address' } });
    expect(readDetail(thrown)['part']).toBe(part);
  });

  it.each([
    'https://static.1.2.3.4.clients.your-server.de/mcp',
    'https://yourapp.example.com/mcp',
    'https://example.com/%7Bteam%7D/mcp',
    'https://example.com/a(b)/mcp?x[]=1&filter=a<b',
  ])('accepts %s', (address) => {
    expect(parseTypedAddress(address).protocol).toBe('https:');
  });
});

describe('a value', () => {
  it.each([
    '<YOUR_KEY>',
    '${input:key}',
    '{{key}}',
    '{api_key}',
    'YOUR_API_KEY',
    'your-api-key',
    '$KEY',
    'PASTE_KEY_HERE',
    'CHANGE_ME',
    'Bearer <token>',
    'Bearer ${KEY}',
  ])('is a placeholder: %s', (value) => {
    expect(isPlaceholderValue(value)).toBe(true);
    expect(findPlaceholderWord(['npx', `--api-key=${value}`])).toBe(`--api-key=${value}`);
    expect(findPlaceholderWord(['npx', '--header', `Authorization: ${value}`])).toBe(`Authorization: ${value}`);
    expect(() => parseTypedAddress(`https://mcp.example/mcp?key=${value.replace('Bearer ', '')}`)).toThrow(
      PosternError,
    );
  });

  it.each([
    'sk-live_51Hx',
    'a<b>c',
    '$2b$10$abcdef',
    'pa$$WORD',
    'p{a}q',
    'Bearer eyJhbGciOi.J9',
    'x_YOUR_y',
    '{"a":1}',
    'here',
    '',
  ])('is a real value: %s', (value) => {
    expect(isPlaceholderValue(value)).toBe(false);
    expect(findPlaceholderWord(['node', '-e', `a = "${value}"`, `--key=${value}`])).toBeUndefined();
  });
});
