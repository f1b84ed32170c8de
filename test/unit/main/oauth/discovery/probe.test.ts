import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { probeForChallenge, probeServer } from '../../../../../main/oauth/discovery/probe.ts';
import { codeOf, discoveryScript, post } from '../../../../support/discovery-script.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const server = 'https://mcp.example/mcp';
const bearer = { 'www-authenticate': 'Bearer scope="read"' };

async function probeWith(script: ScriptedExchange[]) {
  const { http, context, steps, clock } = discoveryScript(server, script);
  const outcome = await probeForChallenge(context, probeServer(context));
  http.assertDone();
  const bodies = http.requests.map(({ body }) => (body === undefined ? undefined : (JSON.parse(body) as unknown)));
  return { outcome, requests: http.requests, bodies, steps, timers: clock.timers };
}

describe('probeForChallenge', () => {
  it('sends one request if the probe is challenged (spec 4.1)', async () => {
    const { outcome, requests, bodies, steps } = await probeWith([post(server, { status: 401, headers: bearer })]);
    expect(outcome).toEqual({ status: 401, refusedStatus: 401, challenge: { scope: 'read' } });
    expect(requests[0]?.headers).toEqual({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    });
    expect(bodies[0]).toMatchObject({
      jsonrpc: '2.0',
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'postern' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    expect(steps.map(({ step, outcome: result, status }) => [step, result, status])).toEqual([
      ['probe', 'started', undefined],
      ['probe', 'found', 401],
    ]);
  });

  it('reads the challenge of a 403 that asks for a scope', async () => {
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="a b"' };
    const { outcome } = await probeWith([post(server, { status: 403, headers })]);
    expect(outcome.challenge).toEqual({ error: 'insufficient_scope', scope: 'a b' });
  });

  it('ignores a challenge that comes with success', async () => {
    const { outcome } = await probeWith([
      post(server, { status: 200, headers: bearer, json: {} }),
      post(server, { status: 200, json: {} }),
    ]);
    expect(outcome.challenge).toBeUndefined();
  });

  it('does not list tools after a 401 without a hint', async () => {
    expect((await probeWith([post(server, { status: 401 })])).outcome).toEqual({ status: 401, refusedStatus: 401 });
  });

  it.each([
    ['a result', { status: 200, json: { jsonrpc: '2.0', id: 1, result: {} } }],
    ['a version error', { status: 400, json: { jsonrpc: '2.0', id: 1, error: { code: -32022, message: 'x' } } }],
  ])('lists tools with the stateless protocol after %s (MCP 2026-07-28)', async (_, response) => {
    const { outcome, requests, bodies } = await probeWith([
      post(server, response),
      post(server, { status: 401, headers: bearer }),
    ]);
    expect(outcome).toMatchObject({ status: response.status, challenge: { scope: 'read' }, isOpen: false });
    expect(requests[1]?.headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' });
    expect(bodies[1]).toMatchObject({ method: 'tools/list', params: { _meta: {} } });
  });

  it.each([
    ['another 400', { status: 400, json: { error: { code: -32000 } } }],
    ['a 400 that is not JSON', { status: 400, text: 'Bad Request' }],
    ['404', { status: 404 }],
    ['405', { status: 405 }],
  ])('lists tools with the session protocol after %s', async (_, response) => {
    const { outcome, requests } = await probeWith([
      post(server, response),
      post(server, { status: 401, headers: bearer }),
    ]);
    expect(outcome.challenge).toEqual({ scope: 'read' });
    expect(requests[1]?.headers).toMatchObject({ 'mcp-method': 'tools/list' });
    expect(requests[1]?.headers).not.toHaveProperty('mcp-protocol-version');
  });

  it('reports a server as open if it lists tools', async () => {
    const script = [post(server, { json: {} }), post(server, { json: { result: { tools: [] } } })];
    const { outcome } = await probeWith(script);
    expect(outcome).toMatchObject({ status: 200, isOpen: true });
    expect(outcome).not.toHaveProperty('challenge');
  });

  it.each(['REDIRECT_REFUSED', 'HEADERS_TOO_LARGE', 'BODY_ENCODING'] as const)(
    'continues without a challenge if the response is unreadable (%s)',
    async (code) => {
      const error = new PosternError(code, { stage: 'probe' });
      expect((await probeWith([post(server, { error })])).outcome).toEqual({});
    },
  );

  it.each(['DNS_FAIL', 'CONNECT_FAIL', 'TLS_FAIL', 'DEADLINE', 'HOST_BLOCKED', 'USER_CANCELLED'] as const)(
    'throws %s if the server cannot be reached',
    async (code) => {
      const { context } = discoveryScript(server, [
        post(server, { error: new PosternError(code, { stage: 'probe' }) }),
      ]);
      expect(await codeOf(probeForChallenge(context, probeServer(context)))).toBe(code);
    },
  );

  it('tolerates a failing tools/list', async () => {
    const error = new PosternError('CONNECT_FAIL', { stage: 'probe' });
    const { outcome } = await probeWith([post(server, { json: {} }), post(server, { error })]);
    expect(outcome).toMatchObject({ status: 200, isOpen: false });
  });

  it('stops reading an event stream at once and leaves no timer', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const script = [post(server, { headers, text: ': hi\n\n' }), post(server, { status: 404 })];
    expect((await probeWith(script)).timers).toBe(0);
  });
});
