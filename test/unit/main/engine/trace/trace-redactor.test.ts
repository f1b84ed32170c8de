import { describe, expect, it, vi } from 'vitest';
import { TraceRedactor } from '../../../../../main/engine/trace/trace-redactor.ts';

const canary = 'canary-7d2e5f1a9b';
const form = 'application/x-www-form-urlencoded';

describe('TraceRedactor', () => {
  it('keeps header names, the scheme of a credential, and only known values', () => {
    const headers = new Headers({
      authorization: `Bearer ${canary}`,
      'x-api-key': canary,
      accept: 'application/json',
    });
    expect(new TraceRedactor().headers(headers, 'request')).toEqual([
      { name: 'accept', value: 'application/json' },
      { name: 'authorization', value: 'Bearer [secret, 17 characters]' },
      { name: 'x-api-key', value: '[hidden, 17 characters]' },
    ]);
  });

  it('shows only the parts of a challenge that discovery reads (RFC 9728 5.1)', () => {
    const challenge = `Bearer realm="${canary}", resource_metadata="https://mcp.example/prm?key=${canary}", scope="a b"`;
    expect(new TraceRedactor().headers(new Headers({ 'www-authenticate': challenge }), 'response')).toEqual([
      {
        name: 'www-authenticate',
        value: 'Bearer resource_metadata="https://mcp.example/prm?key=[hidden]", scope="a b"',
      },
    ]);
  });

  it('removes unknown query values, user info and fragments from an address', () => {
    const address = `https://me:${canary}@as.example/authorize?response_type=code&state=${canary}&scope=a+b&x=${canary}#${canary}`;
    expect(new TraceRedactor().url(address)).toBe(
      'https://as.example/authorize?response_type=code&state=[hidden]&scope=a%20b&x=[hidden]',
    );
    expect(new TraceRedactor().url(canary)).toBe('[not an address]');
  });

  it('reads forms, JSON and event streams as lists of members', () => {
    const redactor = new TraceRedactor();
    expect(redactor.body(form, `grant_type=authorization_code&code=${canary}&note=${canary}`)).toEqual([
      { name: 'grant_type', value: 'authorization_code' },
      { name: 'code', value: '[secret, 17 characters]' },
      { name: 'note', value: '[hidden, 17 characters]' },
    ]);
    const document = {
      issuer: 'https://as.example',
      scopes_supported: ['a', 'b'],
      extra: { deep: canary },
      nothing: null,
    };
    expect(redactor.body('application/json; charset=utf-8', JSON.stringify(document))).toEqual([
      { name: 'issuer', value: 'https://as.example' },
      { name: 'scopes_supported', value: 'a b' },
      { name: 'extra', value: '[object]' },
      { name: 'nothing', value: '[null]' },
    ]);
    const message = { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'No such method', data: canary } };
    expect(redactor.body('text/event-stream', `event: message\ndata: ${JSON.stringify(message)}\n\n`)).toEqual([
      { name: 'jsonrpc', value: '2.0' },
      { name: 'id', value: '[number]' },
      { name: 'error.code', value: '-32601' },
      { name: 'error.message', value: '[hidden, 14 characters]' },
      { name: 'error.data', value: '[hidden, 17 characters]' },
    ]);
  });

  it('reads the last message of a stream, which may span several data lines (WHATWG HTML 9.2.6)', () => {
    const message = JSON.stringify({ jsonrpc: '2.0', result: { resultType: 'complete' } }, undefined, 1);
    const lines = message.split('\n').map((line) => `data: ${line}\r\n`);
    const stream = `data: {"jsonrpc":"1.0"}\n\n${lines.join('')}\r\ndata: ping\n\n`;
    for (const text of [stream, lines.join('')])
      expect(new TraceRedactor().body('text/event-stream', text)).toEqual([
        { name: 'jsonrpc', value: '2.0' },
        { name: 'result.resultType', value: 'complete' },
      ]);
  });

  it.each(['text/html', '', 'application/json'])(
    'shows only the length of a body that is not a document (%s)',
    (type) => {
      const shown = new TraceRedactor().body(type, `<html>${canary}</html>`);
      expect(shown).toHaveLength(1);
      expect(JSON.stringify(shown)).not.toContain('canary');
    },
  );

  it('hides a known secret wherever the server repeats it', () => {
    const redactor = new TraceRedactor();
    const basic = Buffer.from(`client:${canary}-basic`).toString('base64');
    redactor.headers(new Headers({ authorization: `Basic ${basic}`, 'x-key': `${canary}-key` }), 'request');
    redactor.body(form, `code=${canary}-code&refresh_token=${encodeURIComponent(`${canary}/refresh`)}`);
    redactor.url(`https://as.example/?state=${canary}-state`);
    const echoes = ['-basic', '-key', '-code', '/refresh', '-state'].map((end) => `${canary}${end}`);
    const response = {
      error_description: echoes.join(' '),
      scope: echoes[2],
      access_token: `${canary}-new`,
      error: `${canary}-new`,
    };
    const shown = [
      redactor.body('application/json', JSON.stringify(response)),
      redactor.headers(
        new Headers({ server: echoes[0] ?? '', location: `https://as.example/${echoes[4]}` }),
        'response',
      ),
      redactor.url(`https://as.example/${encodeURIComponent(echoes[3] ?? '')}?scope=${echoes[2]}`),
    ];
    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(JSON.stringify(shown)).toContain('[secret]');
  });

  it('shows server text on one short line without control or direction characters', () => {
    const [field] = new TraceRedactor().body(
      'application/json',
      JSON.stringify({ error_description: `\u001b[31mred\u202e\n${'x'.repeat(2_000)}` }),
    );
    expect(field?.value).toMatch(/^\[31mred x+…$/u);
    expect(field?.value.length).toBeLessThanOrEqual(300);
  });

  it('limits the number of members', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`member${index}`, 1]));
    expect(new TraceRedactor().body('application/json', JSON.stringify(many))).toHaveLength(60);
  });

  it('searches for a limited number of hidden values, and beyond that shows no server value at all', () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`m${index}`, `%41${canary}-${index}`]),
    );
    const redactor = new TraceRedactor();
    redactor.body('application/json', JSON.stringify(many));
    const search = vi.spyOn(String.prototype, 'replaceAll');
    const [shown] = redactor.body('application/json', JSON.stringify({ scope: `${canary}-19999`, x: 1 }));
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect(shown).toEqual({ name: '[not shown]', value: '[not shown]' });
    expect(searches).toBeLessThan(500);
    expect(redactor.url(`https://mcp.example/${canary}-19999?scope=${canary}-19999`)).not.toContain('canary');
  });
});
