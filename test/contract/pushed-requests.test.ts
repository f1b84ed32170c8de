import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../main/secret.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection } from '../support/prove-connection.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';
import { approving, createTestEngine } from '../support/test-engine.ts';
import { without } from '../support/without.ts';

/** Authorization requests that are pushed to the service first (RFC 9126), on oidc-provider. */

/** A proxy for the endpoint for pushed requests. */
function atPush(
  respond: (response: ServerResponse, request: IncomingMessage, count: number) => boolean,
): AuthorizationServerOptions {
  let count = 0;
  return {
    pushedRequests: 'required',
    intercept: (request, response) => {
      if (request.url !== '/push') return false;
      count += 1;
      return respond(response, request, count);
    },
  };
}

const refusing = (status: number, error: string): AuthorizationServerOptions =>
  atPush((response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error, error_description: '<b>text of the service</b>' }));
    return true;
  });

describe('a service that requires pushed requests', () => {
  it('gets the whole request directly, from an authenticated client, and the browser only a reference', async () => {
    const { as, mcp } = await startPair({ pushedRequests: 'required' });
    const engine = createTestEngine();
    await proveConnection(engine, mcp.url);
    const [push] = requestsTo(as, '/push');
    expect(push?.headers.authorization).toMatch(/^Basic /u);
    expect(push?.body).toMatchObject({
      response_type: 'code',
      redirect_uri: expect.stringContaining('/integration/oauth/callback'),
      resource: mcp.url,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/u),
    });
    expect([...(engine.opened[0]?.searchParams.keys() ?? [])].toSorted()).toEqual(['client_id', 'request_uri']);
  });

  it('gets each sign-in pushed, with the earlier registration', async () => {
    const { as, mcp } = await startPair({ pushedRequests: 'required' });
    const engine = createTestEngine();
    await engine.connect(mcp.url);
    await proveConnection(engine, mcp.url);
    expect([requestsTo(as, '/register').length, requestsTo(as, '/push').length]).toEqual([1, 2]);
  });

  it('finds the authentication method that it accepts, and keeps it', async () => {
    const { as, mcp } = await startPair(
      atPush((response, { headers }) => {
        if (headers.authorization === undefined) return false;
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
        return true;
      }),
    );
    await proveConnection(createTestEngine(), mcp.url);
    const secrets = requestsTo(as, '/push').map(({ body }) => body?.['client_secret'] !== undefined);
    expect(secrets.at(-1)).toBe(true);
    expect(requestsTo(as, '/token')[0]?.headers.authorization).toBeUndefined();
  });

  it('gets a new registration if it has forgotten the earlier one', async () => {
    const forgotten = new Set<string>();
    const { as, mcp } = await startPair(
      atPush((response, { headers }) => {
        if (!forgotten.has(headers.authorization ?? '')) return false;
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
        return true;
      }),
    );
    const engine = createTestEngine();
    await engine.connect(mcp.url);
    forgotten.add(requestsTo(as, '/push')[0]?.headers.authorization ?? '');
    await proveConnection(engine, mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(2);
  });
});

describe('a sign-in page that is opened again', () => {
  it('is pushed again: the service forgets a used reference (RFC 9126 section 4)', async () => {
    const { as, mcp } = await startPair({ pushedRequests: 'required' });
    const urls: string[] = [];
    const engine = createTestEngine({
      async user(pending, signal) {
        urls.push(pending.url);
        await pending.renew?.();
        urls.push(pending.url);
        await approving()(pending, signal);
      },
    });
    await proveConnection(engine, mcp.url);
    const [first, second] = requestsTo(as, '/push').map(({ body }) => body);
    expect(first).toEqual(second);
    expect(new Set(urls).size).toBe(2);
  });

  it('in the browser after the popup, and as a link to copy, each time', async () => {
    const { as, mcp } = await startPair({ pushedRequests: 'required' });
    const opened: string[] = [];
    const desktop = await createTestDesktop({ onPage: (url) => void opened.push(url) });
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    expect(requestsTo(as, '/push')).toHaveLength(1);
    await desktop.call('connection:useBrowser', { id });
    expect(requestsTo(as, '/push')).toHaveLength(2);
    const { pending } = await desktop.connection(id, ({ pending: shown }) => shown?.surface === 'browser');
    await desktop.call('desktop:copy', { kind: 'authorizationLink', id });
    // The lifetime of the new link.
    await desktop.connection(id, (view) => Number(view.pending?.openBefore) > Number(pending?.openBefore));
    expect(requestsTo(as, '/push')).toHaveLength(3);
    const led = await fetch(opened[1] ?? '', { redirect: 'manual' });
    expect(led.headers.get('location')).toBe(desktop.copied[0]);
    expect(desktop.copied[0]).not.toBe(opened[0]);
  });
});

describe('a callback that arrives while its page is pushed again', () => {
  async function answeredWhile(ask: (desktop: TestDesktop, id: string) => Promise<unknown>) {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<ServerResponse>();
    const { mcp } = await startPair(
      atPush((response, _request, count) => {
        if (count > 1) onAsked(response);
        return count > 1;
      }),
    );
    const opened: string[] = [];
    const desktop = await createTestDesktop({ onPage: (url) => void opened.push(url) });
    const options = { local: true, signInSurface: 'browser' } as const;
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await expect.poll(() => opened.length).toBe(1);
    const asking = ask(desktop, id);
    const response = await asked;
    await completeSignIn(opened[0] ?? '');
    await desktop.connection(id, ({ pending }) => pending === undefined);
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end('{"request_uri":"urn:example:later","expires_in":60}');
    return { opened, copied: desktop.copied, outcome: await asking };
  }

  it('opens no second one', async () => {
    const { opened } = await answeredWhile((desktop, id) => desktop.call('connection:openAgain', { id }));
    expect(opened).toHaveLength(1);
  });

  it('leaves no link to copy', async () => {
    const { copied, outcome } = await answeredWhile((desktop, id) =>
      desktop.callFailing('desktop:copy', { kind: 'authorizationLink', id }),
    );
    expect(outcome).toMatchObject({ code: 'STATE_EXPIRED' });
    expect(copied).toEqual([]);
  });
});

describe('a service that supports pushed requests', () => {
  it.each([
    ['gets none by default', {}, 0],
    ['gets them if the user wants that', { pushRequests: true }, 1],
  ])('%s', async (_, options, pushed) => {
    const { as, mcp } = await startPair({ pushedRequests: 'offered' });
    await proveConnection(createTestEngine(), mcp.url, options);
    expect(requestsTo(as, '/push')).toHaveLength(pushed);
  });

  it('gets them from a client whose registration says so, from then on', async () => {
    const { as, mcp } = await startPair({
      pushedRequests: 'offered',
      answer: (route, response) =>
        route === 'registration'
          ? { ...response, body: { ...(response.body as object), require_pushed_authorization_requests: true } }
          : response,
    });
    const engine = createTestEngine();
    await engine.connect(mcp.url);
    await proveConnection(engine, mcp.url);
    expect([requestsTo(as, '/register').length, requestsTo(as, '/push').length]).toEqual([1, 2]);
  });
});

describe('a failed push', () => {
  it.each([
    ['a scope that it does not grant', refusing(400, 'invalid_scope'), 'AS_ERROR'],
    ['an internal error', refusing(500, 'server_error'), 'TOKEN_SERVER_ERROR'],
    ['too many at once', refusing(429, 'slow_down'), 'TOKEN_RATE_LIMITED'],
    [
      'a response without a reference',
      atPush((response) => {
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"expires_in":60}');
        return true;
      }),
      'TOKEN_RESPONSE_INVALID',
    ],
    [
      'a reference that does not fit an address',
      atPush((response) => {
        response
          .writeHead(201, { 'content-type': 'application/json' })
          .end('{"request_uri":"urn:a b","expires_in":60}');
        return true;
      }),
      'TOKEN_RESPONSE_INVALID',
    ],
    [
      'a page',
      atPush((response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the hotel</h1>');
        return true;
      }),
      'TOKEN_RESPONSE_INVALID',
    ],
  ])('with %s opens no page and stores nothing (PU-02)', async (_, options, code) => {
    const { mcp } = await startPair(options);
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code });
    expect(JSON.stringify([error.message, error.detail])).not.toContain('text of the service');
    expect(engine.opened).toEqual([]);
    await expectNothingStored(engine);
  });

  it('that is redirected sends nothing there: a redirect would take the client secret along (RFC 9700 4.12, PU-01)', async () => {
    const otherPair = await startPair();
    const { mcp } = await startPair(
      atPush((response) => {
        response.writeHead(307, { location: `${otherPair.as.issuer}/push` }).end();
        return true;
      }),
    );
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(otherPair.as.requests).toEqual([]);
    expect(engine.opened).toEqual([]);
  });

  it('for the typed client returns to the dialog, with what was typed', async () => {
    const { mcp } = await startPair({
      ...refusing(401, 'invalid_client'),
      registration: 'off',
    });
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: 'mistyped', clientSecret: new Secret('typed-secret') }), () => undefined],
    });
    await failureOf(engine.connect(mcp.url));
    expect(engine.dialogs[1]).toMatchObject({ earlier: { clientId: 'mistyped', secretStored: true } });
  });

  it('to a service without an endpoint for it is reported before anything is registered', async () => {
    const { as, mcp } = await startPair({
      pushedRequests: 'required',
      metadata: without('pushed_authorization_request_endpoint'),
    });
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({
      code: 'DEMAND_UNMET',
      detail: { demand: 'pushed-request' },
    });
    expect(requestsTo(as, '/register')).toEqual([]);
  });
});
