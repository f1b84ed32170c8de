import { describe, expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/check-address.ts';
import type {
  PendingAuthorization,
  SignInInteraction,
} from '../../../../../main/engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../../../../main/engine/trace/trace.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { discoverAuthenticationMethod } from '../../../../../main/oauth/discovery/discover.ts';
import type { HttpRequest } from '../../../../../main/ports.ts';
import { traceEntrySchema } from '../../../../../shared/trace.ts';
import type { TraceEntry } from '../../../../../shared/trace.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { inRequestOrder } from '../../../../support/discovery-script.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { policy, start } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const serverUrl = asChecked('https://mcp.example/mcp');
const prmUrl = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';
const earlyAsmUrl = 'https://mcp.example/.well-known/oauth-authorization-server';
const asmUrl = 'https://as.example/.well-known/oauth-authorization-server';
const canary = 'canary-7d2e5f1a9b';

const probe: ScriptedExchange = {
  method: 'POST',
  url: serverUrl,
  status: 401,
  headers: { 'www-authenticate': `Bearer resource_metadata="${prmUrl}", error_description="${canary}"` },
  text: '',
};
const prm: ScriptedExchange = {
  method: 'GET',
  url: prmUrl,
  json: { resource: serverUrl, authorization_servers: ['https://as.example'], note: canary },
};
const asm = {
  issuer: 'https://as.example',
  authorization_endpoint: 'https://as.example/authorize',
  token_endpoint: 'https://as.example/token',
};

function openDiscovery(script: readonly ScriptedExchange[]) {
  return open(inRequestOrder(serverUrl, script));
}

function open(script: readonly ScriptedExchange[]) {
  const clock = createFakeClock(start);
  const emitted: TraceEntry[] = [];
  const trace = new Trace(clock, (entry) => emitted.push(entry));
  return { clock, emitted, trace, http: traceHttp(scriptedHttp(script), trace) };
}

async function discover({ trace, clock, http }: ReturnType<typeof open>): Promise<void> {
  const onStep = (step: Parameters<Trace['judge']>[0]) => trace.judge(step);
  try {
    await discoverAuthenticationMethod({ http, clock }, { url: serverUrl, policy, onStep });
    trace.conclude();
  } catch (error) {
    trace.conclude(error);
  }
}

const tokenRequest: HttpRequest = {
  purpose: 'token',
  stage: 'token',
  method: 'POST',
  url: asChecked('https://as.example/token'),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `grant_type=authorization_code&code=${canary}`,
  policy,
  redirects: 'none',
  deadline: 1_000,
  bodyLimit: 1_000,
};

describe('Trace', () => {
  it('reports every request of a discovery in order, with the rule that used its response', async () => {
    const opened = openDiscovery([probe, prm, { method: 'GET', url: asmUrl, json: asm }]);
    await discover(opened);
    expect(
      opened.emitted.map(({ number, url, status, clause, verdict }) => [number, url, status, clause, verdict]),
    ).toEqual([
      [1, serverUrl, 401, 'RFC 9728 5.1', 'used'],
      [2, prmUrl, 200, 'RFC 9728 5.1', 'used'],
      [3, earlyAsmUrl, 404, 'RFC 8414 3.1', 'skipped'],
      [4, asmUrl, 200, 'RFC 8414 3.1', 'used'],
    ]);
    for (const entry of opened.emitted) expect(traceEntrySchema.parse(entry)).toEqual(entry);
    expect(JSON.stringify(opened.emitted)).not.toContain('canary');
    expect(opened.trace.entries()).toEqual(opened.emitted);
  });

  it('reports where it stopped, why, and the remedy', async () => {
    const opened = openDiscovery([
      probe,
      prm,
      { method: 'GET', url: asmUrl, json: { ...asm, issuer: 'https://evil.example' } },
    ]);
    await discover(opened);
    expect(opened.emitted.at(-1)).toMatchObject({ number: 4, verdict: 'stopped', code: 'ISSUER_MISMATCH' });
    expect(opened.emitted.at(-1)?.remedy).toMatchObject({ kind: 'contact-owner' });
    expect(opened.emitted.slice(0, -1).filter(({ remedy }) => remedy !== undefined)).toEqual([]);
  });

  it('reports an address that was given up for the next one as passed over, with its code', async () => {
    const openid = 'https://as.example/.well-known/openid-configuration';
    const opened = openDiscovery([
      probe,
      prm,
      { method: 'GET', url: asmUrl, text: '<html>', headers: { 'content-type': 'text/html' } },
      { method: 'GET', url: openid, json: asm },
    ]);
    await discover(opened);
    expect(opened.emitted.slice(3)).toMatchObject([
      { clause: 'RFC 8414 3.1', status: 200, verdict: 'skipped', code: 'CONTENT_TYPE' },
      { clause: expect.stringContaining('Discovery 1.0 4'), status: 200, verdict: 'used' },
    ]);
  });

  it('reports an early request as passed over if the server named another address', async () => {
    const named = 'https://mcp.example/prm.json';
    const opened = openDiscovery([
      { ...probe, headers: { 'www-authenticate': `Bearer resource_metadata="${named}"` } },
      { method: 'GET', url: prmUrl, json: { resource: serverUrl } },
      { ...prm, url: named },
      { method: 'GET', url: asmUrl, json: asm },
    ]);
    await discover(opened);
    const forms = opened.emitted.filter(({ purpose }) => purpose === 'protected-resource-metadata');
    expect(forms.map(({ url, clause, verdict }) => [url, clause, verdict])).toEqual([
      [prmUrl, 'RFC 9728 3.1', 'skipped'],
      [named, 'RFC 9728 5.1', 'used'],
    ]);
  });

  it('records a request without a response', async () => {
    const error = new PosternError('CONNECT_FAIL', { stage: 'probe' });
    const opened = openDiscovery([{ ...probe, error }]);
    await discover(opened);
    const [only] = opened.emitted;
    expect(only).toMatchObject({ verdict: 'stopped', code: 'CONNECT_FAIL' });
    expect(only && 'status' in only).toBe(false);
  });

  it('holds the last request back until it is known whether the work continued', async () => {
    const { trace, emitted } = open([]);
    const first = trace.begin({ purpose: 'mcp', method: 'POST', url: serverUrl });
    first.onResponse(200, new Headers());
    expect(emitted).toEqual([]);
    trace.begin({ purpose: 'mcp', method: 'POST', url: serverUrl });
    expect(emitted.map(({ number }) => number)).toEqual([1]);
    trace.conclude();
    expect(emitted.map(({ number }) => number)).toEqual([1, 2]);
    expect(emitted[1]).not.toHaveProperty('milliseconds');
  });

  it('keeps the order of concurrent requests', () => {
    const { trace, emitted } = open([]);
    const first = trace.begin({ purpose: 'mcp', method: 'POST', url: serverUrl });
    trace.begin({ purpose: 'mcp', method: 'POST', url: serverUrl }).onResponse(200, new Headers());
    trace.report();
    expect(emitted).toEqual([]);
    first.onResponse(404, new Headers());
    trace.report();
    expect(emitted.map(({ number, verdict }) => [number, verdict])).toEqual([
      [1, 'skipped'],
      [2, 'used'],
    ]);
  });

  it('measures milliseconds with the monotonic clock', () => {
    const { trace, clock } = open([]);
    clock.advance(5);
    const record = trace.begin({ purpose: 'mcp', method: 'POST', url: serverUrl });
    clock.advance(20);
    record.onResponse(200, new Headers());
    expect(trace.entries()).toMatchObject([{ startedAt: 5, milliseconds: 20 }]);
  });
});

describe('traceHttp', () => {
  it('passes request and response on unchanged', async () => {
    const script = scriptedHttp([{ method: 'POST', url: tokenRequest.url, json: { access_token: canary } }]);
    const trace = new Trace(createFakeClock(start));
    const response = await traceHttp(script, trace).exchange(tokenRequest);
    expect(script.requests[0]).toBe(tokenRequest);
    expect(JSON.parse(new TextDecoder().decode(response.body))).toEqual({ access_token: canary });
    expect(JSON.stringify(trace.entries())).not.toContain('canary');
    expect(trace.entries()[0]?.response?.body).toEqual([{ name: 'access_token', value: '[secret, 17 characters]' }]);
  });

  it('records a streaming body while the caller reads it', async () => {
    const { trace, http } = open([
      { method: 'POST', url: serverUrl, json: { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: canary } } },
    ]);
    const { bodyLimit: _limit, redirects: _redirects, ...request } = tokenRequest;
    const response = await http.stream({ ...request, purpose: 'mcp', url: serverUrl });
    expect(trace.entries()[0]?.response?.body).toEqual([]);
    await response.json();
    expect(trace.entries()[0]?.response?.body).toContainEqual({ name: 'error.code', value: '-32601' });
  });

  it('lets a reader cancel a stream', async () => {
    let left: unknown;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: {}\n\n')),
      cancel: (reason) => void (left = reason),
    });
    const trace = new Trace(createFakeClock(start));
    const http = traceHttp(
      {
        ...scriptedHttp([]),
        stream: async () => new Response(endless, { headers: { 'content-type': 'text/event-stream' } }),
      },
      trace,
    );
    const response = await http.stream({ ...tokenRequest, purpose: 'mcp' });
    await response.body?.cancel('enough');
    expect(left).toBe('enough');
  });
});

const silent: SignInInteraction = { onEvent: () => {}, askCredentials: async () => undefined, open: async () => {} };
const pendingAt = (url: string): PendingAuthorization => ({
  url: asChecked(url),
  callbackUrl: 'http://127.0.0.1:1/',
  expiresAt: 0,
  openBefore: undefined,
  browserUrl: () => browserAddress('http://127.0.0.1:1/go/word'),
  submit: () => 'not-valid',
});

describe('a sign-in that leads to the credential form', () => {
  const { signal } = new AbortController();
  const failure = new PosternError('DCR_UNSUPPORTED', { stage: 'registration' });
  const dialog = { serverUrl, callbackUrl: '', issuerKey: '', scopes: [], otherScopes: [] };

  /** A registration that failed with 429. */
  function refuse(interaction: SignInInteraction, canAsk: boolean) {
    const opened = open([]);
    const traced = traceInteraction(interaction, opened.trace, { canAsk });
    const registration = opened.trace.begin({ purpose: 'registration', method: 'POST', url: 'https://as.example/r' });
    registration.onResponse(429, new Headers());
    traced.onEvent({ event: 'state', state: { name: 'awaitingCredentials' } });
    return { ...opened, traced };
  }

  it('stopped there if no user can type', async () => {
    const { trace, emitted, traced } = refuse(silent, false);
    expect(await traced.askCredentials({ ...dialog, error: failure }, signal)).toBeUndefined();
    trace.conclude(failure);
    expect(emitted).toMatchObject([{ verdict: 'stopped', code: 'DCR_UNSUPPORTED', status: 429 }]);
    expect(emitted[0]?.remedy).toMatchObject({ kind: 'type-credentials' });
    expect(trace.entries()).toEqual(emitted);
  });

  it('stopped at the last request even if nothing had failed before', async () => {
    const { trace, emitted, traced } = refuse(silent, false);
    await traced.askCredentials(dialog, signal);
    trace.conclude(new PosternError('CREDENTIALS_REQUIRED', { stage: 'credentials' }));
    expect(emitted).toMatchObject([{ verdict: 'stopped', code: 'CREDENTIALS_REQUIRED' }]);
  });

  it('shows the stop while the dialog is open, and continues after it', async () => {
    const { promise, resolve } = Promise.withResolvers<'try-again'>();
    const { trace, emitted, traced } = refuse({ ...silent, askCredentials: () => promise }, true);
    const reply = traced.askCredentials({ ...dialog, error: failure }, signal);
    expect(emitted).toMatchObject([{ verdict: 'stopped', code: 'DCR_UNSUPPORTED' }]);
    expect(trace.entries()).toEqual(emitted);
    resolve('try-again');
    await reply;
    expect(trace.entries()).toMatchObject([{ verdict: 'skipped', code: 'DCR_UNSUPPORTED' }]);
    expect(trace.entries()[0]).not.toHaveProperty('remedy');
    trace.begin({ purpose: 'token', method: 'POST', url: tokenRequest.url }).onResponse(400, new Headers());
    trace.conclude(new PosternError('TOKEN_ERROR', { stage: 'token' }));
    expect(trace.entries()).toMatchObject([{ verdict: 'skipped' }, { verdict: 'stopped', code: 'TOKEN_ERROR' }]);
    expect(emitted).toHaveLength(2);
  });

  it('stops once: cancelling the dialog blames nothing else', async () => {
    const cancelled = new PosternError('USER_CANCELLED', { stage: 'authorization' });
    const { trace, traced } = refuse({ ...silent, askCredentials: () => Promise.reject(cancelled) }, false);
    await expect(traced.askCredentials({ ...dialog, error: failure }, signal)).rejects.toBe(cancelled);
    trace.conclude(cancelled);
    expect(trace.entries()).toMatchObject([{ verdict: 'stopped', code: 'DCR_UNSUPPORTED' }]);
  });
});

it('distinguishes a request that became unnecessary from one that failed', () => {
  const { trace } = open([]);
  for (const code of ['USER_CANCELLED', 'CONNECT_FAIL'] as const)
    trace
      .begin({ purpose: 'probe', method: 'POST', url: serverUrl })
      .onError(new PosternError(code, { stage: 'probe' }));
  const [needless, failed] = trace.entries();
  expect(needless).toMatchObject({ verdict: 'skipped', isNeedless: true });
  expect(failed).not.toHaveProperty('isNeedless');
});

describe('traceInteraction', () => {
  it('records when the callback arrived, whatever its content', async () => {
    const { trace, clock } = open([]);
    const traced = traceInteraction(silent, trace, { canAsk: false });
    await traced.open(pendingAt('https://as.example/authorize'), new AbortController().signal);
    clock.advance(700);
    traced.onEvent({ event: 'callback' });
    clock.advance(300);
    trace.conclude(new PosternError('AS_ERROR', { stage: 'callback', detail: { error: 'invalid_scope' } }));
    expect(trace.entries()).toMatchObject([{ milliseconds: 700, verdict: 'stopped', code: 'AS_ERROR' }]);
  });

  it('records no callback if none arrived', async () => {
    const { trace } = open([]);
    const traced = traceInteraction(silent, trace, { canAsk: false });
    await traced.open(pendingAt('https://as.example/authorize'), new AbortController().signal);
    const error = new PosternError('STATE_EXPIRED', { stage: 'authorization' });
    traced.onEvent({ event: 'state', state: { name: 'failed', error } });
    trace.conclude(error);
    expect(trace.entries()).toMatchObject([{ verdict: 'stopped', code: 'STATE_EXPIRED' }]);
    expect(trace.entries()[0]).not.toHaveProperty('milliseconds');
  });

  it("records the browser's own request, without its state, until the callback", async () => {
    const { trace, emitted, clock } = open([]);
    const traced = traceInteraction(silent, trace, { canAsk: false });
    const url = `https://as.example/authorize?response_type=code&state=${canary}&code_challenge=${canary}`;
    await traced.open(pendingAt(url), new AbortController().signal);
    clock.advance(1_500);
    traced.onEvent({ event: 'callback' });
    trace.conclude();
    expect(emitted).toMatchObject([{ purpose: 'authorization', milliseconds: 1_500, verdict: 'used' }]);
    expect(JSON.stringify(emitted)).not.toContain('canary');
  });
});
