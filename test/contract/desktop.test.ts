import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokens } from '../../main/engine/records/stored-secrets.ts';
import { callbackUrl } from '../../main/engine/sign-in/callback-address.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { openHistoryStore } from '../../main/storage/profile/history-store.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { endErrorOf, hasTicket, ticketOf, credentialsErrorOf } from '../support/connection-facts.ts';
import { requestsTo, startPair, startResource, startServer } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { createMemoryStoredData } from '../support/memory-stored-data.ts';
import { startNamedServices } from '../support/named-services.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop, TestDesktopOptions } from '../support/test-desktop.ts';
import { without } from '../support/without.ts';

const local = { local: true };

/** A desktop whose user approves every page, unless set otherwise. */
async function openDesktop(options: TestDesktopOptions = {}): Promise<TestDesktop> {
  return await createTestDesktop({ onPage: (url) => void completeSignIn(url).catch(() => {}), ...options });
}

/** From an address to the verdict, and from there to the ticket and the install. */
async function connect(desktop: TestDesktop, url: string, name?: string): Promise<string> {
  const { id } = await desktop.call('connection:discover', { url, options: local });
  await desktop.connection(id, ({ state }) => state.name === 'discovered');
  await desktop.call('connection:start', { id, ...(name !== undefined && { name }) });
  const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
  const { integrationId } = await desktop.call('connection:install', { ticketId });
  return integrationId;
}

describe('connecting from the window', () => {
  it('names a server as it calls itself if the user gives no name, with or without a sign-in', async () => {
    const { mcp } = await startPair();
    const open = await startResource(undefined);
    const desktop = await openDesktop();
    await connect(desktop, mcp.url);
    const { id } = await desktop.call('connection:discover', { url: open.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    const names = await desktop.waitFor(({ integrations = [] }) =>
      integrations.length === 2 && integrations.every(({ name }) => !name.includes('127.0.0.1'))
        ? integrations.map(({ name }) => name).toSorted()
        : undefined,
    );
    expect(names).toEqual(['Fieldnotes', 'Fieldnotes 2']);
  });

  it('shows steps and a verdict before anything opens, then signs in, and installs with the ticket (spec 2.10)', async () => {
    const { as, mcp } = await startPair();
    const desktop = await openDesktop();
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    const shown = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    expect(shown.verdict).toMatchObject({
      kind: 'registersItself',
      pkce: true,
      encrypted: false,
      differentOwner: false,
    });
    expect(shown.steps.map(({ outcome }) => outcome)).not.toContain('started');
    expect(shown.name).toBe('');
    expect(desktop.popups).toEqual([]);
    expect(as.requests.filter(({ path }) => path === '/register')).toEqual([]);

    await desktop.call('connection:start', { id, name: 'Notes' });
    const issued = await desktop.connection(id, ({ state }) => state.name === 'ticketIssued');
    expect(await desktop.engine.ports.store.list()).toEqual([]);
    const { integrationId } = await desktop.call('connection:install', { ticketId: ticketOf(issued) ?? '' });
    const view = await desktop.waitFor(({ integrations }) => integrations?.find((one) => one.id === integrationId));
    expect(view).toMatchObject({ name: 'Notes', status: { name: 'ready' }, host: new URL(mcp.url).host });
    expect(desktop.popups.map(({ isOpen }) => isOpen)).toEqual([false]);

    const { tools } = await desktop.call('integration:tools', { id: integrationId });
    expect(tools.length).toBeGreaterThan(0);
    const { content } = await desktop.call('integration:callTool', {
      id: integrationId,
      call: 'one',
      name: 'whoami',
      arguments: {},
    });
    expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('Demo User') });
    const { signIns } = await desktop.call('integration:signIns', { id: integrationId });
    expect(signIns[0]?.entries.map(({ purpose }) => purpose)).toContain('token');

    // It survives a restart, without its secrets.
    await desktop.composed.close();
    const { folder, ports } = desktop.engine;
    const history = openHistoryStore({ profileFolder: folder, locks: ports.locks, list: ports.store });
    expect((await history.read(integrationId)).signIns).toEqual(signIns);
    const { issuerKey = '' } = (await ports.store.read(integrationId)) ?? {};
    const { accessToken } = (await loadTokens(desktop.engine.vault, integrationId, issuerKey)) ?? {};
    const file = readFileSync(join(folder, 'history', `${integrationId}.json`), 'utf8');
    expect(file).not.toContain(accessToken?.reveal() ?? '');
  });

  it('stores the key of an address sealed with the sign-in, even if the first one was abandoned', async () => {
    const key = 'canary-key-5f0c2a9e41d7';
    const as = await startServer();
    const mcp = await startResource(as, {
      intercept: ({ url = '', headers }, response) => {
        if (headers.authorization === undefined || url.includes(`api_key=${key}`)) return false;
        response.writeHead(403).end();
        return true;
      },
    });
    let isApproving = false;
    const desktop = await openDesktop({
      onPage: (url) => isApproving && void completeSignIn(url).catch(() => {}),
    });
    const { id } = await desktop.call('connection:discover', { url: `${mcp.url}?api_key=${key}`, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    desktop.popups[0]?.closeByHand();
    await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_CANCELLED');
    isApproving = true;
    await desktop.call('connection:start', { id });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    const { integrationId } = await desktop.call('connection:install', { ticketId });
    expect((await desktop.call('integration:tools', { id: integrationId })).tools.length).toBeGreaterThan(0);
    const view = await desktop.waitFor(({ integrations }) => integrations?.find((one) => one.id === integrationId));
    expect(view).toMatchObject({ status: { name: 'ready' }, url: mcp.url });
    expect(JSON.stringify([view, await desktop.engine.ports.store.list()])).not.toContain(key);
    expect(JSON.stringify(as.requests.map(({ query, body }) => [[...query], body]))).not.toContain(key);
  });

  it('gives the ticket to the window that started the sign-in, once (AZ-26)', async () => {
    const { mcp } = await startPair();
    const desktop = await openDesktop();
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    expect(await desktop.callFailing('connection:install', { ticketId: 'guessed' })).toMatchObject({
      code: 'TICKET_INVALID',
    });
    expect(await desktop.callFailing('connection:install', { ticketId }, 'window-2')).toMatchObject({
      code: 'TICKET_INVALID',
    });
    expect(await desktop.callFailing('connection:install', { ticketId })).toMatchObject({ code: 'TICKET_INVALID' });
    expect(await desktop.engine.ports.store.list()).toEqual([]);

    const integrationId = await connect(desktop, mcp.url, 'Again');
    expect(integrationId).not.toBe('');
  });

  it('opens the page again with PKCE when a service requires PKCE but does not list it', async () => {
    const { mcp } = await startPair({ metadata: without('code_challenge_methods_supported') });
    const desktop = await openDesktop();
    await connect(desktop, mcp.url);
    const methods = desktop.popups.map(({ url }) => new URL(url).searchParams.get('code_challenge_method'));
    expect(methods).toEqual([null, 'S256']);
    expect(desktop.popups.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });

  it('ends when the user closes the popup, keeps the verdict, and can be started again (AZ-24, AZ-06)', async () => {
    const { mcp } = await startPair();
    const desktop = await openDesktop({ onPage: () => {} });
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    desktop.popups[0]?.closeByHand();
    const ended = await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_CANCELLED');
    expect(ended).toMatchObject({ state: { name: 'urlEntered' }, verdict: { kind: 'registersItself' } });
    expect(ended.pending).toBeUndefined();

    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    expect(desktop.popups).toHaveLength(2);
    await desktop.call('connection:start', { id });
    expect(desktop.popups[1]?.focused).toBe(1);
    expect(desktop.popups).toHaveLength(2);
  });

  it.each<[string, (desktop: TestDesktop, id: string) => unknown]>([
    ['closes the popup', ({ popups }) => popups[0]?.closeByHand()],
    ['presses Cancel', (desktop, id) => desktop.call('connection:stop', { id })],
    ['discards it', (desktop, id) => desktop.call('connection:cancel', { id })],
    ['closes the window', ({ composed }) => composed.desktop.windowsClosed()],
    ['quits', ({ composed }) => composed.close()],
  ])('leaves nothing behind when the user %s: no listener, no valid code (AZ-24)', async (_how, leave) => {
    const { mcp, as } = await startPair();
    const desktop = await openDesktop({ onPage: () => {} });
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    const [popup] = desktop.popups;
    const end = await completeSignIn(popup?.url ?? '', {
      stopBefore: ({ pathname }) => pathname.endsWith('/callback'),
    });
    const isThere = async (): Promise<boolean> => await fetch(new URL('/', end.url)).then(Boolean, () => false);
    expect(await isThere()).toBe(true);
    await leave(desktop, id);
    await expect.poll(isThere).toBe(false);
    await expect(fetch(end.url)).rejects.toThrow('fetch failed');
    expect(popup?.isOpen).toBe(false);
    expect(as.requests.filter(({ path }) => path === '/token')).toEqual([]);
    expect(await desktop.engine.ports.store.list()).toEqual([]);
  });

  it.each([
    ['registering', '/register'],
    ['exchanging', '/token'],
  ] as const)(
    'can be canceled while a service is slow (%s), stores nothing, and can start over',
    async (name, path) => {
      let isSlow = true;
      const { mcp } = await startPair({ intercept: (request) => isSlow && request.url === path });
      const desktop = await openDesktop();
      const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
      await desktop.connection(id, ({ state }) => state.name === 'discovered');
      await desktop.call('connection:start', { id });
      await desktop.connection(id, ({ state }) => state.name === name);
      await desktop.call('connection:stop', { id });
      await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_CANCELLED');
      expect(await desktop.engine.ports.store.list()).toEqual([]);
      isSlow = false;
      await desktop.call('connection:start', { id });
      await desktop.connection(id, hasTicket);
    },
  );

  it('ends a sign-in whose browser link is opened twice, and reports it', async () => {
    const { as, mcp } = await startPair();
    const opened: string[] = [];
    const desktop = await openDesktop({ onPage: (url) => void opened.push(url) });
    await desktop.call('settings:update', { signInSurface: 'browser' });
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'browser');
    await expect.poll(() => opened.length).toBe(1);
    const statuses = [];
    for (let use = 0; use < 2; use += 1) {
      statuses.push((await fetch(opened[0] ?? '', { redirect: 'manual' })).status);
    }
    expect(statuses).toEqual([302, 410]);
    const { state } = await desktop.connection(id, (view) => view.state.name === 'failed');
    expect(state).toMatchObject({ error: { code: 'LINK_REUSED' } });
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  it('reports a blocked page, and moves the sign-in to the browser on request, by the setting, and for services that refuse popups', async () => {
    const { mcp } = await startPair();
    const opened: { url: string; surface: string }[] = [];
    const desktop = await openDesktop({ onPage: (url, surface) => void opened.push({ url, surface }) });
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    desktop.popups[0]?.onBlocked();
    await desktop.connection(id, ({ pending }) => pending?.error?.code === 'NAV_BLOCKED');
    desktop.popups[0]?.onArrive(new URL('https://sign-in.example/next'));
    await desktop.connection(id, ({ pending }) => pending !== undefined && pending.error === undefined);
    desktop.popups[0]?.onArrive(new URL('https://accounts.google.com/signin'));
    await desktop.connection(id, ({ pending }) => pending?.surface === 'browser');
    expect(desktop.popups[0]?.isOpen).toBe(false);
    await desktop.call('connection:cancel', { id });
    await desktop.waitFor(({ connections }) => connections?.length === 0);

    await desktop.call('settings:update', { signInSurface: 'browser' });
    const second = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(second.id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id: second.id });
    await desktop.connection(second.id, ({ pending }) => pending?.surface === 'browser');
    await expect.poll(() => opened.map(({ surface }) => surface)).toEqual(['popup', 'browser', 'browser']);
    const [popup, ...browsers] = opened.map(({ url }) => new URL(url));
    expect(popup?.searchParams.get('state')).toMatch(/./u);
    // Every user of the computer can read the arguments of a process.
    for (const { origin, pathname, search } of browsers) {
      expect(`${origin}${pathname}${search}`).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/go\/[\w-]{43}$/u);
    }
    expect(new Set(browsers.map(({ href }) => href)).size).toBe(2);

    await desktop.call('desktop:copy', { kind: 'authorizationLink', id: second.id });
    const end = await completeSignIn(desktop.copied[0] ?? '', {
      stopBefore: ({ pathname }) => pathname.endsWith('/callback'),
    });
    expect(await desktop.call('connection:submitCallback', { id: second.id, address: 'https://example.com/' })).toEqual(
      {
        verdict: 'not-valid',
      },
    );
    expect(await desktop.call('connection:submitCallback', { id: second.id, address: end.url })).toEqual({
      verdict: 'done',
    });
    await desktop.connection(second.id, ({ state }) => state.name === 'ticketIssued');
  });

  it('asks for typed credentials with the callback bound, keeps the secret after a failure, and accepts another', async () => {
    const desktop = await openDesktop();
    const port = await desktop.engine.ports.callbacks.freePort();
    await desktop.call('settings:update', { callbackPort: port });
    const client = { id: 'notes', secret: 'typed-canary-1', redirectUris: [callbackUrl({ host: '127.0.0.1', port })] };
    const as = await startServer({ registration: 'off', typedClients: [client] });
    const mcp = await startResource(as);
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    expect((await desktop.connection(id, ({ state }) => state.name === 'discovered')).verdict?.kind).toBe(
      'needsOAuthApp',
    );
    await desktop.call('connection:start', { id });
    const { credentialsRequest } = await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    expect(credentialsRequest?.issuerHost).toBe(new URL(as.issuer).host);
    expect(credentialsRequest?.callbackUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback$/u);
    await desktop.call('desktop:copy', { kind: 'callbackUrl', id });
    expect(desktop.copied).toEqual([credentialsRequest?.callbackUrl]);
    await desktop.call('connection:submitCredentials', { id, clientId: client.id, clientSecret: 'wrong-canary' });
    const again = await desktop.connection(id, (view) => credentialsErrorOf(view) !== undefined);
    expect(credentialsErrorOf(again)).toMatchObject({
      code: 'TOKEN_ERROR',
      remedy: { kind: 'check-client', what: 'secret' },
    });
    expect(again.credentialsRequest?.earlier).toEqual({ clientId: client.id, secretStored: true });
    const exchanges = async () =>
      (await desktop.call('integration:signIns', { id })).signIns
        .flatMap(({ entries }) => entries)
        .filter(({ purpose }) => purpose === 'token');
    expect((await exchanges()).at(-1)).toMatchObject({
      verdict: 'stopped',
      code: 'TOKEN_ERROR',
      remedy: { kind: 'check-client' },
    });
    await desktop.call('connection:submitCredentials', {
      id,
      clientId: client.id,
      clientSecret: client.secret,
    });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    expect((await exchanges()).filter(({ verdict }) => verdict === 'stopped')).toEqual([]);
    const { integrationId } = await desktop.call('connection:install', { ticketId });
    expect(desktop.messages.join()).not.toMatch(/wrong-canary/u);
    const replaced = { id: integrationId, clientId: client.id, clientSecret: client.secret };
    const ends = async () => (await desktop.engine.ports.store.read(integrationId))?.clientSecretExpiresAt;
    await desktop.call('integration:setCredentials', { ...replaced, secretExpiresAt: 1_900_000_000_000 });
    expect(await ends()).toBe(1_900_000_000_000);
    // A replacement without an expiry date has none.
    await desktop.call('integration:setCredentials', replaced);
    expect(await ends()).toBeUndefined();
    await desktop.call('integration:refresh', { id: integrationId });
    expect(desktop.messages.join()).not.toContain(client.secret);
  });

  it('offers to continue without an OAuth app if and only if the service may register Postern', async () => {
    const client = { id: 'notes', secret: 'typed-canary-4' };
    const registration = { status: 503 };
    const { mcp } = await startPair({
      typedClients: [
        { ...client, redirectUris: ['http://127.0.0.1/integration/oauth/callback'], applicationType: 'native' },
      ],
      intercept: (request, response) => {
        if (request.url !== '/register' || registration.status === 201) return false;
        response.writeHead(registration.status).end();
        return true;
      },
    });
    const desktop = await openDesktop();
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    const waitForDialog = async (fits: (view: ConnectionView) => boolean = () => true) => {
      const view = await desktop.connection(id, (one) => one.credentialsRequest !== undefined && fits(one));
      const { tryAgain, canRegister } = view.credentialsRequest ?? {};
      return { tryAgain, canRegister, why: credentialsErrorOf(view)?.code };
    };
    const isEarlier = ({ credentialsRequest }: ConnectionView) => credentialsRequest?.earlier !== undefined;
    const typeWrong = { id, clientId: client.id, clientSecret: 'wrong-canary' };
    const startAnew = async () => {
      await desktop.call('connection:stop', { id });
      await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_CANCELLED');
      await desktop.call('connection:tryAgain', { id });
    };
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    const passing = { kind: 'passing', until: expect.any(Number) };
    expect(await waitForDialog()).toEqual({ tryAgain: passing, canRegister: undefined, why: 'DCR_UNSUPPORTED' });
    const other = await desktop.call('connection:discover', { id, url: mcp.url, options: local });
    expect(other.id).not.toBe(id);

    // The same whether the typed one has just failed, or is shown in a new attempt.
    await desktop.call('connection:submitCredentials', typeWrong);
    expect(await waitForDialog(isEarlier)).toEqual({ tryAgain: undefined, canRegister: true, why: 'TOKEN_ERROR' });
    await startAnew();
    expect(await waitForDialog(isEarlier)).toMatchObject({ tryAgain: undefined, canRegister: true });

    // The next registration would be refused the same way.
    registration.status = 400;
    const refused = { tryAgain: undefined, canRegister: undefined };
    await desktop.call('connection:tryAgain', { id });
    expect(await waitForDialog((view) => credentialsErrorOf(view)?.code === 'DCR_UNSUPPORTED')).toMatchObject(refused);
    await desktop.call('connection:submitCredentials', typeWrong);
    expect(await waitForDialog(isEarlier)).toMatchObject({ ...refused, why: 'TOKEN_ERROR' });
    await startAnew();
    expect(await waitForDialog(isEarlier)).toMatchObject(refused);

    // Another check of the address contacts the service again.
    await desktop.call('connection:stop', { id });
    await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_CANCELLED');
    await desktop.call('connection:discover', { id, url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    registration.status = 201;
    await desktop.call('connection:start', { id });
    expect(await waitForDialog(isEarlier)).toMatchObject({ canRegister: true });
    await desktop.call('connection:tryAgain', { id });
    await desktop.connection(id, hasTicket);
  });

  it('accepts typed endpoints if nothing is published, and keeps them until they are cleared', async () => {
    const desktop = await openDesktop();
    const port = await desktop.engine.ports.callbacks.freePort();
    await desktop.call('settings:update', { callbackPort: port });
    const client = { id: 'notes', secret: 'typed-canary-2', redirectUris: [callbackUrl({ host: '127.0.0.1', port })] };
    const as = await startServer({ metadataForms: [], typedClients: [client] });
    const mcp = await startResource(as);
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    const shown = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    expect(shown.verdict?.kind).toBe('couldNotTell');

    const endpoints = { authorization: `${as.origin}/authorize`, token: `${as.origin}/token` };
    const again = { id, url: shown.url };
    const blocked = { ...endpoints, token: 'http://192.168.7.7/token' };
    expect(
      await desktop.callFailing('connection:discover', { ...again, options: { local: false, endpoints: blocked } }),
    ).toMatchObject({ stage: 'address' });
    await desktop.call('connection:discover', { ...again, options: { ...shown.options, endpoints } });
    const found = await desktop.connection(id, ({ verdict }) => verdict?.kind === 'needsOAuthApp');
    expect(found.verdict).toMatchObject({
      authorizationServerHost: new URL(as.origin).host,
      pkce: true,
      pkceListed: false,
      notes: ['typed-endpoints'],
    });
    await desktop.call('connection:start', { id });
    const { credentialsRequest } = await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    expect(credentialsRequest?.endpoints).toEqual(endpoints);
    await desktop.call('connection:submitCredentials', { id, clientId: client.id, clientSecret: client.secret });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    const { integrationId } = await desktop.call('connection:install', { ticketId });
    expect((await desktop.engine.ports.store.read(integrationId))?.options.endpoints).toEqual(endpoints);

    expect(
      await desktop.callFailing('integration:update', {
        id: integrationId,
        options: { endpoints: { ...endpoints, token: 'https://user:pass@as.example/token' } },
      }),
    ).toMatchObject({ code: 'URL_USERINFO' });
    await desktop.call('integration:update', { id: integrationId, options: { endpoints: null } });
    expect((await desktop.engine.ports.store.read(integrationId))?.options.endpoints).toBeUndefined();
  });

  it('keeps a typed secret when a typed endpoint is refused in the dialog', async () => {
    const desktop = await openDesktop();
    const port = await desktop.engine.ports.callbacks.freePort();
    await desktop.call('settings:update', { callbackPort: port });
    const client = { id: 'notes', secret: 'typed-canary-3', redirectUris: [callbackUrl({ host: '127.0.0.1', port })] };
    const as = await startServer({ registration: 'off', typedClients: [client] });
    const mcp = await startResource(as);
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    const endpoints = { authorization: `${as.issuer}/authorize`, token: 'ftp://as.example/token' };
    const typed = { id, clientId: client.id, clientSecret: client.secret };
    expect(
      await desktop.callFailing('connection:submitCredentials', { ...typed, options: { endpoints } }),
    ).toMatchObject({
      code: 'URL_SCHEME',
      stage: 'address',
    });
    await desktop.call('connection:submitCredentials', { id, clientId: client.id });
    await desktop.connection(id, hasTicket);
  });

  it('opens the sign-in page where the user wants it for this server, whatever the setting (spec 2.6)', async () => {
    const { mcp } = await startPair();
    const desktop = await openDesktop();
    const id = await connect(desktop, mcp.url);
    await desktop.call('integration:update', { id, options: { signInSurface: 'browser' } });
    const inBrowser = await desktop.call('integration:signInAgain', { id });
    const ticketId = ticketOf(await desktop.connection(inBrowser.connectionId, hasTicket)) ?? '';
    await desktop.call('connection:install', { ticketId });
    expect(desktop.popups).toHaveLength(1);

    await desktop.call('settings:update', { signInSurface: 'browser' });
    await desktop.call('integration:update', { id, options: { signInSurface: 'popup' } });
    await desktop.call('integration:signInAgain', { id });
    await expect.poll(() => desktop.popups).toHaveLength(2);
    await desktop.call('integration:update', { id, options: { signInSurface: null } });
    expect((await desktop.engine.ports.store.read(id))?.options.signInSurface).toBeUndefined();
  });

  it('uses sign-in addresses and allowed hosts of one server for no other (PB-09)', async () => {
    const desktop = await openDesktop();
    const as = await startServer({ metadataForms: [], typedClients: [] });
    const [mcp, other] = [await startResource(as), await startResource(undefined)];
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    const endpoints = { authorization: `${as.origin}/authorize`, token: `${as.origin}/token` };
    const chosen = { ...local, pkce: 'required' as const, scope: 'notes', endpoints, allowedHosts: ['as.example'] };
    await desktop.call('connection:discover', { id, url: mcp.url, options: chosen });
    await desktop.connection(id, ({ verdict }) => verdict?.kind === 'needsOAuthApp');

    const besides = new URL('/mcp?besides', mcp.url).href;
    await desktop.call('connection:discover', { id, url: besides, options: local });
    const near = await desktop.connection(id, ({ url, verdict }) => url === besides && verdict !== undefined);
    expect(near.options).toMatchObject(chosen);

    await desktop.call('connection:discover', { id, url: other.url, options: local });
    const far = await desktop.connection(id, ({ url, verdict }) => url === other.url && verdict !== undefined);
    expect(far.options).toMatchObject({ pkce: 'required', scope: 'notes', allowedHosts: [] });
    expect(far.options.endpoints).toBeUndefined();

    const { port } = new URL(other.url);
    await desktop.call('connection:discover', { id, url: `http://localhost:${port}/mcp`, options: {} });
    const unticked = await desktop.connection(
      id,
      ({ url, state }) => url.includes('localhost') && state.name === 'failed',
    );
    expect(unticked.options.local).toBe(false);
  });

  it('uses the key of a pasted list where another check came before', async () => {
    const keyed = await startResource(undefined);
    const desktop = await openDesktop();
    const nowhere = `http://127.0.0.1:${await freePort()}/mcp`;
    const { id } = await desktop.call('connection:discover', { url: nowhere, options: local });
    await desktop.connection(id, ({ state }) => state.name === 'failed');
    const list = JSON.stringify({ mcpServers: { keyed: { url: keyed.url, headers: { 'X-Key': 'pasted-canary' } } } });
    const { entries } = await desktop.call('import:read', { text: list });
    const importEntry = entries[0]?.id;
    await desktop.call('connection:discover', { id, url: keyed.url, options: local, importEntry });
    const shown = await desktop.connection(id, ({ verdict }) => verdict !== undefined);
    expect(shown.importEntry).toBe(importEntry);
  });

  it('hides the key in an address of a pasted list, and sends it to the server, also at a second check', async () => {
    const key = 'canary-key-5f0c2a9e41d7';
    const requests: string[] = [];
    const open = await startResource(undefined, {
      intercept: ({ url = '' }) => {
        requests.push(url);
        return false;
      },
    });
    const desktop = await openDesktop();
    const text = JSON.stringify({ mcpServers: { keyed: { url: `${open.url}?api_key=${key}` } } });
    const list = await desktop.call('import:read', { text });
    const importEntry = list.entries[0]?.id ?? '';
    const url = list.entries[0]?.url ?? '';
    expect(url).toBe(open.url);
    const { id } = await desktop.call('connection:discover', { url, options: local, importEntry });
    const first = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    requests.length = 0;
    await desktop.call('connection:discover', { id, url: first.url, options: local });
    await expect.poll(() => requests.some((each) => each.includes(key))).toBe(true);
    const view = await desktop.connection(id, () => true);
    expect(JSON.stringify([list, first, view])).not.toContain(key);
  });

  it.each([
    ['a header', (url: string, key: string) => ({ url, headers: { 'X-Key': key } })],
    ['the address', (url: string, key: string) => ({ url: `${url}?api_key=${key}` })],
  ])('uses the server that has the key of an entry in %s, wherever it came from since', async (_, entryOf) => {
    const open = await startResource(undefined);
    const desktop = await openDesktop();
    const [key, other] = ['canary-key-5f0c2a9e41d7', 'canary-key-77aa2a9e41d8'];
    const mcpServers = { one: entryOf(open.url, key), two: entryOf(open.url, key), three: entryOf(open.url, other) };
    const { entries } = await desktop.call('import:read', { text: JSON.stringify({ mcpServers }) });
    const check = async (index: number): Promise<string> => {
      const importEntry = entries[index]?.id;
      return (await desktop.call('connection:discover', { url: open.url, options: local, importEntry })).id;
    };
    const startWhenChecked = async (id: string): Promise<string> => {
      await desktop.connection(id, ({ state }) => state.name === 'discovered');
      await desktop.call('connection:start', { id });
      return await connectedAs(id);
    };
    const connectedAs = async (id: string): Promise<string> => {
      const { state } = await desktop.connection(id, (view) => view.state.name === 'integrated');
      return state.name === 'integrated' ? state.integrationId : '';
    };
    // Both are checked before either is connected.
    const [one, two] = [await check(0), await check(1)];
    await desktop.connection(two, ({ state }) => state.name === 'discovered');
    const server = await startWhenChecked(one);
    expect(await startWhenChecked(two)).toBe(server);
    expect(await connectedAs(await check(1))).toBe(server);
    expect(await startWhenChecked(await check(2))).not.toBe(server);
    expect(desktop.mirror.integrations).toHaveLength(2);
  });

  it('connects entries with one key as one server if both are started at once', async () => {
    const open = await startResource(undefined);
    const desktop = await openDesktop();
    const entry = { url: open.url, headers: { 'X-Key': 'canary-key-5f0c2a9e41d7' } };
    const text = JSON.stringify({ mcpServers: { one: entry, two: entry } });
    const { entries } = await desktop.call('import:read', { text });
    const ids = await Promise.all(
      entries.map(async ({ id: importEntry }) => {
        const { id } = await desktop.call('connection:discover', { url: open.url, options: local, importEntry });
        await desktop.connection(id, ({ state }) => state.name === 'discovered');
        return id;
      }),
    );
    await Promise.all(ids.map(async (id) => await desktop.call('connection:start', { id })));
    for (const id of ids) await desktop.connection(id, ({ state }) => state.name === 'integrated');
    expect(desktop.mirror.integrations).toHaveLength(1);
  });

  describe('everything in a pasted list', () => {
    const call = 'all';
    const connectAll = async (desktop: TestDesktop, mcpServers: object) => {
      const { entries } = await desktop.call('import:read', { text: JSON.stringify({ mcpServers }) });
      const ids = entries.map(({ id }) => id);
      const names = new Map(entries.map(({ id, name }) => [id, name]));
      const running = desktop.call('import:connectAll', { call, entries: ids, local: true });
      const results = async () =>
        new Map((await running).entries.map(({ id, ...fate }) => [names.get(id) ?? '', fate] as const));
      const shown = (name: string): ConnectionView | undefined =>
        desktop.mirror.connections?.find(({ importEntry }) => names.get(importEntry ?? '') === name);
      return { results, shown };
    };
    const listed = async (desktop: TestDesktop) =>
      new Map((await desktop.engine.ports.store.list()).map(({ name, id }) => [name, id] as const));

    it('is connected if it needs no input, and the rest waits with its verdict or the reason', async () => {
      const [{ mcp }, open] = [await startPair(), await startResource(undefined)];
      const keyed = await startResource(undefined, {
        intercept: (request, response) => {
          if (request.headers['x-key'] === 'right') return false;
          response.writeHead(401).end();
          return true;
        },
      });
      const desktop = await openDesktop();
      const withKey = (key: string) => ({ url: keyed.url, headers: { 'X-Key': key } });
      const { results, shown } = await connectAll(desktop, {
        Open: { url: open.url },
        Twin: { url: open.url },
        Keyed: withKey('right'),
        Same: withKey('right'),
        Wrong: withKey('wrong'),
        'Signs in': { url: mcp.url },
        Nowhere: { url: `http://127.0.0.1:${await freePort()}/mcp` },
        Gap: { url: 'https://a.example/<your-tenant>' },
        Runs: { command: 'npx' },
      });
      const fates = await results();
      const integrations = await listed(desktop);
      expect(new Set(integrations.keys())).toEqual(new Set(['Open', 'Keyed']));
      for (const name of ['Open', 'Twin']) expect(fates.get(name)).toEqual({ connectedAs: integrations.get('Open') });
      for (const name of ['Keyed', 'Same']) expect(fates.get(name)).toEqual({ connectedAs: integrations.get('Keyed') });
      await desktop.waitFor(() => shown('Open')?.state.name === 'integrated');
      expect(fates.get('Wrong')?.error).toMatchObject({ code: 'API_KEY_REFUSED' });
      await desktop.waitFor(() => shown('Wrong')?.turn === 'stopped' && shown('Nowhere')?.turn === 'stopped');
      expect(shown('Wrong')).toMatchObject({ state: { name: 'failed' }, verdict: { kind: 'usesKey' } });
      expect(fates.get('Nowhere')?.error).toMatchObject({ code: 'CONNECT_FAIL' });
      expect(shown('Nowhere')).toMatchObject({ state: { name: 'failed' }, lastStage: 'server' });
      // It waits for the user, and nothing has opened.
      expect(fates.has('Signs in')).toBe(false);
      await desktop.waitFor(() => shown('Signs in')?.turn === 'user');
      expect(shown('Signs in')).toMatchObject({ turn: 'user', verdict: { kind: 'registersItself' } });
      expect(desktop.popups).toEqual([]);
      for (const name of ['Gap', 'Runs']) expect([fates.has(name), shown(name)]).toEqual([false, undefined]);

      const { id = '' } = shown('Signs in') ?? {};
      await desktop.call('connection:start', { id });
      const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
      await desktop.call('connection:install', { ticketId });
      await desktop.waitFor(({ integrations: now }) => now?.find(({ name }) => name === 'Signs in'));
    });

    it('stops when canceled: sign-ins in flight are gone, and connected servers stay', async () => {
      const open = await startResource(undefined);
      const silent = await serveHttp(() => {});
      const desktop = await openDesktop();
      const { results, shown } = await connectAll(desktop, {
        Open: { url: open.url },
        Silent: { url: `${silent.origin}/mcp` },
      });
      await desktop.waitFor(() => shown('Open')?.state.name === 'integrated');
      await desktop.waitFor(() => shown('Silent'));
      await desktop.call('import:stop', { call });
      expect([...(await results()).keys()]).toEqual(['Open']);
      await desktop.waitFor(() => !shown('Silent'));
      expect([...(await listed(desktop)).keys()]).toEqual(['Open']);
    });

    it('continues if one entry is canceled alone, even with a document that others wait for', async () => {
      const responses: ServerResponse[] = [];
      const respond = (response: ServerResponse, body: object): void =>
        void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      const front = await serveHttp(({ url = '' }, response) => {
        const [, path] = url.split('/oauth-protected-resource/');
        if (path !== undefined)
          respond(response, { resource: `${front.origin}/${path}`, authorization_servers: [front.origin] });
        else if (url === '/.well-known/oauth-authorization-server') responses.push(response);
        else response.writeHead(401).end();
      });
      const desktop = await openDesktop();
      const { results, shown } = await connectAll(desktop, {
        One: { url: `${front.origin}/one` },
        Two: { url: `${front.origin}/two` },
      });
      const waits = (name: string): boolean | undefined =>
        shown(name)?.steps.some(({ step }) => step === 'authorization-server-metadata');
      await desktop.waitFor(() => waits('One') && waits('Two') && responses.length > 0);
      await desktop.call('connection:stop', { id: shown('One')?.id ?? '' });
      await desktop.waitFor(() => shown('One')?.state.name === 'urlEntered');
      const metadata = {
        issuer: front.origin,
        authorization_endpoint: `${front.origin}/authorize`,
        token_endpoint: `${front.origin}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      };
      for (const response of responses) respond(response, metadata);
      // It waits for the user, like what the import has not reached yet.
      expect((await results()).has('One')).toBe(false);
      await desktop.waitFor(() => shown('Two')?.turn === 'user');
      expect(shown('Two')?.verdict?.kind).toBe('needsOAuthApp');
      expect(responses).toHaveLength(1);
    });

    it('fetches a document again if an entry is retried', async () => {
      const world = { isWrong: true };
      const front = await serveHttp(({ url = '' }, response) => {
        const respond = (body: object): void =>
          void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
        if (url === '/.well-known/oauth-protected-resource/mcp')
          respond({ resource: `${front.origin}/mcp`, authorization_servers: [front.origin] });
        else if (url === '/mcp') response.writeHead(401).end();
        else if (url !== '/.well-known/oauth-authorization-server') response.writeHead(404).end();
        else
          respond({
            issuer: world.isWrong ? 'https://another.example' : front.origin,
            authorization_endpoint: `${front.origin}/authorize`,
            token_endpoint: `${front.origin}/token`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          });
      });
      const desktop = await openDesktop();
      const { results, shown } = await connectAll(desktop, { One: { url: `${front.origin}/mcp` } });
      expect((await results()).get('One')?.error).toMatchObject({ code: 'ISSUER_MISMATCH' });
      await desktop.waitFor(() => shown('One')?.turn === 'stopped');
      world.isWrong = false;
      const { id = '' } = shown('One') ?? {};
      await desktop.call('connection:tryAgain', { id });
      await desktop.waitFor(() => shown('One')?.turn === 'user');
      expect(shown('One')?.verdict?.kind).toBe('needsOAuthApp');
    });

    it('sends no header to an existing server, since nobody consented', async () => {
      const open = await startResource(undefined);
      const desktop = await openDesktop();
      const mcpServers = { Keyed: { url: open.url, headers: { 'X-Key': 'canary-key-5f0c2a9e41d7' } } };
      const { entries } = await desktop.call('import:read', { text: JSON.stringify({ mcpServers }) });
      const { id } = await desktop.call('connection:discover', { url: open.url, options: local });
      await desktop.connection(id, ({ state }) => state.name === 'discovered');
      await desktop.call('connection:start', { id, name: 'Bare' });
      await desktop.connection(id, ({ state }) => state.name === 'integrated');
      const ids = entries.map((entry) => entry.id);
      await desktop.call('import:connectAll', { call, entries: ids, local: true });
      const stored = await desktop.engine.ports.store.list();
      expect(stored.map(({ name, options }) => [name, options.headerName])).toEqual([
        ['Bare', undefined],
        ['Keyed', 'X-Key'],
      ]);
    });
  });

  it('says how many entries of a pasted list it does not show, and which cannot be read', async () => {
    const many = Array.from({ length: 230 }, (_, index) => [`s${index}`, { url: `https://a.example/${index}` }]);
    const invalid = { key: { url: 'https://a.example', headers: { Authorization: { from: 'keychain' } } }, none: null };
    const desktop = await openDesktop();
    const text = JSON.stringify({ mcpServers: { ...invalid, ...Object.fromEntries(many) } });
    const read = await desktop.call('import:read', { text });
    expect(read.entries).toHaveLength(200);
    expect(read).toMatchObject({
      more: 30,
      unreadable: [{ name: 'key', member: 'headers.Authorization' }, { name: 'none' }],
    });
  });

  it.each<[number, string, string]>([
    [401, 'nothing more', ''],
    [403, 'nothing more', ''],
    [403, 'a reason of its own', '{"error":"API key required"}'],
    [400, 'a reason of its own', '{"error":"API key required"}'],
    [404, 'nothing more', ''],
    [200, 'a page', '<!doctype html><html><p>Log in</p></html>'],
  ])('uses the key that came with an address if the server responds %i with %s', async (status, _, body) => {
    const keyed = await startResource(undefined, {
      intercept: (request, response) => {
        if (request.url !== '/mcp' || request.headers['x-key'] === 'pasted-canary') return false;
        response
          .writeHead(status, { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' })
          .end(body);
        return true;
      },
    });
    const desktop = await openDesktop();
    const list = JSON.stringify({ mcpServers: { keyed: { url: keyed.url, headers: { 'X-Key': 'pasted-canary' } } } });
    const { entries } = await desktop.call('import:read', { text: list });
    const importEntry = entries[0]?.id;
    const { id } = await desktop.call('connection:discover', { url: keyed.url, options: local, importEntry });
    const shown = await desktop.connection(id, ({ verdict }) => verdict !== undefined);
    expect(shown.verdict).toMatchObject({ kind: 'usesKey' });
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'integrated');
    expect(desktop.mirror.integrations).toMatchObject([{ name: 'keyed', options: { headerName: 'X-Key' } }]);
  });

  it('connects a server without sign-in, and says when this could not be determined', async () => {
    const open = await startResource(undefined);
    const desktop = await openDesktop();
    const { id } = await desktop.call('connection:discover', { url: open.url, options: local });
    const shown = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    expect(shown.verdict).toMatchObject({ kind: 'noSignIn', toolCount: expect.any(Number) });
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'integrated');
    expect(desktop.popups).toEqual([]);
  });

  it('stops with an error that has a button: a private address needs its checkbox', async () => {
    const desktop = await openDesktop();
    const { id } = await desktop.call('connection:discover', { url: 'http://127.0.0.1:65000/', options: {} });
    const failed = await desktop.connection(id, ({ state }) => state.name === 'failed');
    expect(endErrorOf(failed)).toMatchObject({ code: 'HOST_BLOCKED', remedy: { kind: 'allow-local' } });
    await desktop.call('connection:discover', { id, url: 'http://127.0.0.1:65000/', options: local });
    const next = await desktop.connection(id, (view) => endErrorOf(view)?.code === 'CONNECT_FAIL');
    expect(next.options.local).toBe(true);
  });

  it('keeps a check that found nothing until another address is checked, and one of a list longer', async () => {
    const desktop = await openDesktop();
    const nowhere = `http://127.0.0.1:${await freePort()}/mcp`;
    const failed = async (importEntry?: string): Promise<string> => {
      const { id } = await desktop.call('connection:discover', { url: nowhere, options: local, importEntry });
      await desktop.connection(id, ({ state }) => state.name === 'failed');
      return id;
    };
    const list = JSON.stringify({ mcpServers: { nowhere: { url: nowhere } } });
    const { entries } = await desktop.call('import:read', { text: list });
    const ofList = await failed(entries[0]?.id);
    const typed = await failed();
    const last = await failed();
    await desktop.waitFor(({ connections }) => !connections?.some(({ id }) => id === typed));
    expect(desktop.mirror.connections?.map(({ id, importEntry }) => [id, importEntry])).toEqual([
      [ofList, entries[0]?.id],
      [last, undefined],
    ]);
  });

  it('runs two sign-ins at once', async () => {
    const [one, two] = [await startPair(), await startPair()];
    const desktop = await openDesktop();
    const ids = await Promise.all([connect(desktop, one.mcp.url), connect(desktop, two.mcp.url)]);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('an integration in the window', () => {
  it('signs out, signs in again in one flow, and is removed with an accurate outcome', async () => {
    const { mcp } = await startPair();
    const desktop = await openDesktop();
    const id = await connect(desktop, mcp.url);
    const outcomeOf = async (begun: { deletion?: string | undefined } | null) => {
      await desktop.call('deletion:finish', { id: begun?.deletion ?? '' });
      const done = await desktop.waitFor(({ deletions }) =>
        deletions?.find(({ id: its, state }) => its === begun?.deletion && state === 'done'),
      );
      return done.outcome;
    };
    await desktop.call('desktop:copy', { kind: 'serverAddress', id });
    expect(desktop.copied).toEqual([mcp.url]);
    const signedOut = await desktop.call('integration:signOut', { ids: [id] });
    expect(await outcomeOf(signedOut)).toMatchObject({ revocation: 'revoked' });
    await desktop.waitFor(({ integrations }) => integrations?.find(({ status }) => status.name === 'signIn'));
    expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ code: 'SIGN_IN_REQUIRED' });

    const { connectionId } = await desktop.call('integration:signInAgain', { id });
    expect(await desktop.call('integration:signInAgain', { id })).toEqual({ connectionId });
    const ticketId = ticketOf(await desktop.connection(connectionId, hasTicket)) ?? '';
    expect(await desktop.call('connection:install', { ticketId })).toEqual({ integrationId: id });
    await desktop.waitFor(({ integrations }) => integrations?.find(({ status }) => status.name === 'ready'));

    await desktop.call('integration:refresh', { id });
    const removed = await desktop.call('integration:remove', { ids: [id] });
    expect(await outcomeOf(removed)).toMatchObject({
      revocation: 'revoked',
      registration: 'deleted',
    });
    await desktop.waitFor(({ integrations, connections }) => integrations?.length === 0 && connections?.length === 0);
  });

  it('is deleted with all the others when everything is deleted, including flows in flight (KC-15)', async () => {
    const { mcp } = await startPair();
    const data = createMemoryStoredData();
    const desktop = await openDesktop({ storedData: data });
    const id = await connect(desktop, mcp.url);
    await desktop.call('settings:update', { theme: 'dark' });
    await desktop.call('integration:signInAgain', { id });
    const [one, two] = await Promise.all([
      desktop.call('storage:deleteEverything', {}),
      desktop.call('storage:deleteEverything', {}),
    ]);
    expect(one).toEqual({ servers: 1, signIns: 1, ended: 1, endsByItself: 0, registrationsLeft: 0 });
    expect(two).toEqual(one);
    expect(data.steps).toEqual(['prepare', 'secrets', 'rest']);
    await desktop.waitFor(({ integrations, connections }) => integrations?.length === 0 && connections?.length === 0);
    expect(await desktop.engine.vault.owners()).toEqual([]);
  });

  it('reports what remains after deleting everything as an error with a button (KC-15)', async () => {
    const data = createMemoryStoredData();
    data.refusal = new PosternError('KC_LOCKED', { stage: 'storage' });
    const desktop = await openDesktop({ storedData: data });
    expect(await desktop.call('storage:deleteEverything', {})).toMatchObject({
      servers: 0,
      failure: { code: 'KC_LOCKED', retryable: true },
    });
    expect(await desktop.callFailing('storage:deleteEverything', { force: true })).toMatchObject({
      code: 'IPC_SCHEMA',
    });
  });

  it('stays ready if a valid access token cannot be refreshed, and only the caller sees the error', async () => {
    const { mcp } = await startPair({ issueRefreshTokens: false });
    const desktop = await openDesktop();
    const id = await connect(desktop, mcp.url);
    expect(await desktop.callFailing('integration:refresh', { id })).toMatchObject({
      code: 'SIGN_IN_REQUIRED',
      message: expect.stringContaining('no refresh token'),
    });
    await desktop.call('integration:update', { id, name: 'Inspected afterwards' });
    const shown = await desktop.waitFor(({ integrations }) =>
      integrations?.find(({ name }) => name.startsWith('Inspected')),
    );
    expect(shown.status).toEqual({ name: 'ready' });
  });

  it('is notified once when its sign-in has ended, and nothing opens automatically', async () => {
    let ended = false;
    const { mcp } = await startPair({
      answer: (_route, response, request) =>
        ended && request?.body?.['grant_type'] === 'refresh_token'
          ? { status: 400, body: { error: 'invalid_grant' } }
          : response,
    });
    const desktop = await openDesktop();
    const id = await connect(desktop, mcp.url, 'Notes');
    desktop.composed.startWork();
    const before = desktop.popups.length;
    await desktop.waitFor(({ integrations }) => integrations?.find(({ nextRefreshAt }) => nextRefreshAt !== undefined));
    expect(desktop.notices).toEqual([]);
    ended = true;
    expect(await desktop.callFailing('integration:refresh', { id })).toMatchObject({ code: 'REFRESH_REVOKED' });
    await expect.poll(() => desktop.notices).toHaveLength(1);
    expect(desktop.notices[0]).toMatchObject({ title: 'Notes', integrationId: id });
    expect(desktop.popups).toHaveLength(before);
  });
});

describe('storage in the window', () => {
  it('works in memory without a keychain, and says so', async () => {
    const { mcp } = await startPair();
    const error = new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
    const desktop = await openDesktop({
      findings: [
        [
          { name: 'keychain', error },
          { name: 'vault', error },
        ],
      ],
    });
    desktop.composed.startWork();
    await desktop.waitFor((shown) => shown.desktop?.storage.memoryOnly);
    const id = await connect(desktop, mcp.url);
    await desktop.waitFor(({ integrations }) =>
      integrations?.find((one) => one.id === id && one.status.name === 'ready'),
    );
    expect(await desktop.engine.ports.store.list()).toEqual([]);
  });

  it('shows a locked keychain as the state of its entries, and recovers', async () => {
    const { mcp } = await startPair();
    const error = new PosternError('KC_LOCKED', { stage: 'storage' });
    const fine = [{ name: 'keychain' as const }, { name: 'vault' as const }];
    const desktop = await openDesktop({ findings: [fine, [{ name: 'keychain', error }], fine] });
    const id = await connect(desktop, mcp.url);
    await desktop.call('storage:selfTest', {});
    const locked = await desktop.waitFor(({ integrations }) =>
      integrations?.find(({ status }) => status.name === 'storageProblem'),
    );
    expect(locked).toMatchObject({ id, status: { error: { code: 'KC_LOCKED' } } });
    await desktop.call('storage:selfTest', {});
    await desktop.waitFor(({ integrations }) => integrations?.find(({ status }) => status.name === 'ready'));
  });
});

describe('lists in the window', () => {
  it('exports without secrets, and imports with a checklist of sign-ins', async () => {
    const { mcp } = await startPair();
    const desktop = await openDesktop();
    const id = await connect(desktop, mcp.url, 'Notes');
    expect(await desktop.call('list:export', {})).toEqual({ saved: true, leftOut: [] });
    const [text = ''] = desktop.copied;
    expect(text).toContain(mcp.url);
    expect(text).not.toMatch(/token|secret|issuer/iu);
    expect(await desktop.call('list:import', { text })).toEqual({
      added: [],
      skipped: 1,
      refused: 0,
      leftOut: 0,
      cancelled: false,
    });
    await desktop.call('integration:remove', { ids: [id] });
    const { added } = await desktop.call('list:import', {});
    expect(added).toHaveLength(1);
    const view = await desktop.waitFor(({ integrations }) => integrations?.find((one) => one.id === added[0]));
    expect(view.status.name).toBe('signIn');
  });
});

describe('a destructive action', () => {
  it('is confirmed by main first, and changes nothing if declined', async () => {
    const { mcp, as } = await startPair();
    const desktop = await openDesktop({ answer: async () => false });
    const id = await connect(desktop, mcp.url, 'Notes');
    const before = await desktop.engine.ports.store.list();
    expect(await desktop.call('integration:remove', { ids: [id] })).toBeNull();
    expect(await desktop.call('storage:deleteEverything', {})).toBeNull();
    expect(desktop.confirmations.map(({ message }) => message.includes('Notes'))).toEqual([true, false]);
    expect(await desktop.engine.ports.store.list()).toEqual(before);
    expect(await desktop.engine.vault.owners()).toContain(id);
    expect(as.requests.filter(({ path }) => path === '/revoke')).toEqual([]);
  });

  it('is confirmed one at a time: another call meanwhile is declined', async () => {
    const { mcp } = await startPair();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const desktop = await openDesktop({ answer: async () => await promise });
    const id = await connect(desktop, mcp.url, 'Notes');
    const removing = desktop.call('integration:remove', { ids: [id] });
    await expect.poll(() => desktop.confirmations.length).toBe(1);
    expect(await desktop.call('storage:deleteEverything', {})).toBeNull();
    expect(desktop.confirmations).toHaveLength(1);
    resolve(true);
    expect(await removing).not.toBeNull();
  });

  it('is asked about although it can be undone at first, since a page can end that time: a removal', async () => {
    const { mcp } = await startPair();
    const answers = [false, true];
    const desktop = await openDesktop({ answer: async () => answers.shift() ?? false });
    const id = await connect(desktop, mcp.url, 'Notes');
    const remove = async () => await desktop.call('integration:remove', { ids: [id] });
    expect(await remove()).toBeNull();
    const { deletion = '' } = (await remove()) ?? {};
    expect(desktop.confirmations).toHaveLength(2);
    await desktop.call('deletion:finish', { id: deletion });
    expect(await desktop.call('deletion:undo', { id: deletion })).toMatchObject({ restored: 0 });
    expect(await desktop.engine.vault.owners()).not.toContain(id);
  });

  it('that can be undone is not asked about: a sign-out', async () => {
    const { mcp } = await startPair();
    const desktop = await openDesktop({ answer: async () => false });
    const id = await connect(desktop, mcp.url, 'Notes');
    const { deletion = '' } = (await desktop.call('integration:signOut', { ids: [id] })) ?? {};
    expect(desktop.confirmations).toEqual([]);
    expect(await desktop.call('deletion:undo', { id: deletion })).toMatchObject({ restored: 1 });
  });
});

describe('Connect at once (spec 2.1)', () => {
  const [login, other] = ['login.acme.test', 'api.acme.test'];

  /** A public server with its sign-in service, and a demo server on this computer. */
  async function open(options: TestDesktopOptions = {}) {
    const services = await startNamedServices('mcp.acme.test');
    services.nameServers(services.at(login));
    services.publish(login, services.metadata(login));
    const { mcp } = await startPair();
    const onPage = (url: string): void =>
      void (url.includes(login) ? services.follow(url) : completeSignIn(url)).catch(() => {});
    const desktop = await createTestDesktop({ http: services.http, onPage, ...options });
    await desktop.call('settings:update', { connectAtOnce: true });
    const discover = async (url: string, more: Partial<IpcInput<'connection:discover'>> = {}) => {
      const input = { url, options: {}, atOnce: true, ...more } as const;
      return (await desktop.call('connection:discover', input)).id;
    };
    /** Earlier checks have continued by then, or wait. */
    const until = async (): Promise<void> => {
      await desktop.call('settings:update', { connectAtOnce: true });
      const id = await discover(mcp.url, { options: local });
      await desktop.connection(id, hasTicket);
    };
    return { services, desktop, mcp, discover, until };
  }

  it('goes from a check to the ticket without a click, by its name', async () => {
    const { services, desktop, discover } = await open();
    const id = await discover(services.mcpUrl, { name: 'Notes' });
    const issued = await desktop.connection(id, hasTicket);
    const { integrationId } = await desktop.call('connection:install', { ticketId: ticketOf(issued) ?? '' });
    expect((await desktop.engine.ports.store.read(integrationId))?.name).toBe('Notes');
  });

  type Change = (scene: Awaited<ReturnType<typeof open>>) => Promise<unknown> | void;
  const published =
    (change: Record<string, unknown>): Change =>
    ({ services }) =>
      services.publish(login, { ...services.metadata(login), ...change });
  it.each<[string, Change, Partial<IpcInput<'connection:discover'>>?]>([
    ['it is not set', ({ desktop }) => desktop.call('settings:update', { connectAtOnce: false })],
    ['a link gave the address', () => {}, { atOnce: undefined }],
    ['a client has to be typed', published({ registration_endpoint: undefined })],
    [
      'the service has another owner',
      ({ services }) => {
        const evil = 'login.evil.test';
        services.nameServers(services.at(evil));
        services.publish(evil, services.metadata(evil));
      },
    ],
    ['the page has another owner', published({ authorization_endpoint: 'https://login.honest.test/authorize' })],
    ['the token endpoint has another owner', published({ token_endpoint: 'https://login.evil.test/token' })],
    [
      'the service names another host',
      ({ services }) => {
        services.nameServers(services.at(other));
        services.publish(other, { ...services.metadata(other), issuer: services.at(login) });
      },
    ],
    ['there are several services', ({ services }) => services.nameServers(services.at(login), services.at(other))],
    ['PKCE is not listed', published({ code_challenge_methods_supported: undefined })],
    ['the local network is allowed', () => {}, { options: local }],
    ['a client signs in for itself', () => {}, { options: { grant: 'client-credentials' } }],
    [
      'the server is in the list already',
      async ({ desktop, services, discover }) => {
        const ticketId = ticketOf(await desktop.connection(await discover(services.mcpUrl), hasTicket)) ?? '';
        await desktop.call('connection:install', { ticketId });
      },
    ],
  ])('waits if %s', async (_what, change, input = {}) => {
    const scene = await open();
    await change(scene);
    const { desktop, services, discover, until } = scene;
    const before = services.requestsTo(login, '/register').length;
    const id = await discover(services.mcpUrl, input);
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await until();
    // The other check has dropped the verdict that nobody used, unless it is still there.
    const states = desktop.mirror.connections?.filter((one) => one.id === id).map(({ state }) => state.name) ?? [];
    expect(states.filter((name) => name !== 'discovered')).toEqual([]);
    expect(services.requestsTo(login, '/register')).toHaveLength(before);
  });

  it('adds a server without sign-in to the list', async () => {
    const { desktop, discover } = await open();
    const id = await discover((await startResource(undefined)).url, { options: local });
    await desktop.connection(id, ({ state }) => state.name === 'integrated');
  });
});
