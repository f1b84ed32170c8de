import { describe, expect, it } from 'vitest';
import { parseTypedAddress, findPlaceholder, refusePastedCommand } from '../../../../main/address/typed-address.ts';
import { PosternError, readDetail } from '../../../../main/errors/postern-error.ts';

const url = 'https://mcp.example/mcp';

function pastedAs(...words: string[]): Readonly<Record<string, unknown>> | undefined {
  try {
    refusePastedCommand(words);
    return undefined;
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    expect(error).toMatchObject({ code: 'URL_COMMAND', stage: 'address' });
    return readDetail(error);
  }
}

describe('refusePastedCommand', () => {
  it.each([
    'npx -y @modelcontextprotocol/server-filesystem /home',
    'uvx mcp-server-git',
    'docker run -i --rm mcp/fetch',
    '/usr/bin/node server.js',
    './server.py',
    '~/bin/server',
    'C:\\Tools\\server.exe --stdio',
    'server.mjs',
    'python -m server',
    '{"mcpServers":{"files":{"command":"npx","args":["-y","server"]}}}',
  ])('recognizes a local server: %s', (text) => {
    expect(pastedAs(text)).toEqual({ kind: 'local' });
    expect(pastedAs(...text.split(' '))).toEqual({ kind: 'local' });
  });

  it.each([
    [`npx mcp-remote ${url}`, 'bridge'],
    [`npx -y mcp-remote@latest ${url} --allow-http`, 'bridge'],
    [`{"mcpServers":{"notes":{"url":"${url}","headers":{"X-From":"https://other.example/"}}}}`, 'configuration'],
    [`{"command":"npx","args":["-y","mcp-remote","${url}"]}`, 'configuration'],
    [`"notes": {"serverUrl": "${url}"}`, 'configuration'],
  ])('finds the address in %s', (text, kind) => {
    expect(pastedAs(text)).toEqual({ kind, address: url });
  });

  it.each([
    '{"a":{"url":"https://a.example/"},"b":{"url":"https://b.example/"}}',
    '{"url":"https://mcp.example/mcp?key=secret"}',
    '{}',
  ])('names no address if there is none, several, or one with a key: %s', (text) => {
    expect(pastedAs(text)).toEqual({ kind: 'configuration' });
  });

  it.each([
    url,
    'https://mcp.example/npx',
    'mcp.example/mcp',
    'localhost:3000/mcp',
    'mcp.bun.sh',
    'docker.example',
    'x',
    '',
  ])('accepts anything else, which the address check judges: %s', (text) => {
    expect(pastedAs(text)).toBeUndefined();
  });

  it('names no invalid address', () => {
    expect(pastedAs('npx mcp-remote https://mcp.example:99999/mcp')).toEqual({ kind: 'local' });
  });

  it('runs before the address check', () => {
    expect(() => parseTypedAddress('npx server')).toThrow(expect.objectContaining({ code: 'URL_COMMAND' }));
    expect(parseTypedAddress(url).href).toBe(url);
  });
});

describe('findPlaceholder', () => {
  it.each([
    ['https://{tenant}.example/mcp', '{tenant}'],
    ['https://mcp.example/mcp', undefined],
    [`https://{tenant}.example/${'a'.repeat(2_048)}`, undefined],
  ])('finds in %.40s %s, and skips text that is too long for an address', (address, part) => {
    expect(findPlaceholder(address)).toBe(part);
  });
});
