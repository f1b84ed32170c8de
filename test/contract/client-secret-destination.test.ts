import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callbackUrl } from '../../main/engine/sign-in/callback-address.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import type { SignInChoice } from '../support/scripted-browser.ts';
import { endErrorOf, hasTicket, ticketOf, credentialsErrorOf } from '../support/connection-facts.ts';
import { requestsTo, startResource, startServer } from '../support/demo-pair.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';

const secret = 'SECRET-OF-THE-HONEST-SERVICE';
const options = { local: true };

/** A token endpoint of another owner: refuses everything, records requests as text, with Basic decoded. */
async function startForeignService(): Promise<{ token: string; received: string[] }> {
  const received: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const basic = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
      received.push(`${request.method} ${request.url} ${basic} ${body}`);
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { token: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, received };
}

/** A desktop whose user approves every page, and the client that they created for its callback. */
async function openDesktop(choice: SignInChoice = {}) {
  const desktop = await createTestDesktop({ onPage: (url) => void completeSignIn(url, choice).catch(() => {}) });
  const port = await desktop.engine.ports.callbacks.freePort();
  await desktop.call('settings:update', { callbackPort: port });
  return { desktop, client: { id: 'notes', secret, redirectUris: [callbackUrl({ host: '127.0.0.1', port })] } };
}

const asksFor = (view: ConnectionView): boolean => view.credentialsRequest !== undefined;
const isOver = (view: ConnectionView): boolean =>
  view.state.name === 'failed' || hasTicket(view) || credentialsErrorOf(view) !== undefined;

const isOfAnotherService = (view: ConnectionView): boolean => credentialsErrorOf(view)?.code === 'REG_ISSUER_MISMATCH';

interface Endpoints {
  readonly authorization: string;
  readonly token: string;
}

/** Connects with what is typed in the dialog, if one opens. */
async function install(desktop: TestDesktop, url: string, clientId?: string, endpoints?: Endpoints): Promise<string> {
  const { id } = await desktop.call('connection:discover', {
    url,
    options: { ...options, ...(endpoints && { endpoints }) },
  });
  await desktop.connection(id, ({ state }) => state.name === 'discovered');
  await desktop.call('connection:start', { id });
  if (clientId !== undefined) {
    await desktop.connection(id, asksFor);
    await desktop.call('connection:submitCredentials', { id, clientId, clientSecret: secret });
  }
  const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
  return (await desktop.call('connection:install', { ticketId })).integrationId;
}

describe('a stored client secret', () => {
  it('is asked for again before it goes to another token endpoint, and refreshing keeps the old one (RF-18)', async () => {
    const { desktop, client } = await openDesktop();
    const as = await startServer({ registration: 'off', typedClients: [client] });
    const mcp = await startResource(as);
    const foreign = await startForeignService();
    const id = await install(desktop, mcp.url, client.id);
    const endpoints = { authorization: `${as.origin}/authorize`, token: foreign.token };
    await desktop.call('integration:update', { id, options: { endpoints } });
    await desktop.call('integration:refresh', { id });

    const { connectionId } = await desktop.call('integration:signInAgain', { id });
    const prompted = await desktop.connection(connectionId, (view) => asksFor(view) || isOver(view));
    expect(foreign.received).toEqual([]);
    expect(credentialsErrorOf(prompted)?.code).toBe('REG_ISSUER_MISMATCH');
    expect(prompted.credentialsRequest?.issuerHost).toBe(new URL(foreign.token).host);
    expect(prompted.credentialsRequest?.earlier).toBeUndefined();
    await desktop.call('connection:submitCredentials', { id: connectionId, clientId: client.id });
    await desktop.connection(connectionId, (view) => isOver(view) && !isOfAnotherService(view));
    expect(foreign.received.join()).toContain('client_id=notes');
    expect(foreign.received.join()).not.toContain(secret);

    await desktop.call('integration:update', { id, options: { endpoints: null } });
    await desktop.call('connection:cancel', { id: connectionId });
    const back = await desktop.call('integration:signInAgain', { id });
    expect(ticketOf(await desktop.connection(back.connectionId, isOver))).toBeDefined();
  });

  it('for typed endpoints signs in there again, and goes to no other typed endpoint', async () => {
    const { desktop, client } = await openDesktop();
    const as = await startServer({ metadataForms: [], typedClients: [client] });
    const mcp = await startResource(as);
    const foreign = await startForeignService();
    const endpoints = { authorization: `${as.origin}/authorize`, token: `${as.origin}/token` };
    const id = await install(desktop, mcp.url, client.id, endpoints);
    const same = await desktop.call('integration:signInAgain', { id });
    const ticketId = ticketOf(await desktop.connection(same.connectionId, isOver)) ?? '';
    await desktop.call('connection:install', { ticketId });

    await desktop.call('integration:update', { id, options: { endpoints: { ...endpoints, token: foreign.token } } });
    const other = await desktop.call('integration:signInAgain', { id });
    await desktop.connection(other.connectionId, (view) => asksFor(view) || isOver(view));
    await desktop.call('connection:submitCredentials', { id: other.connectionId, clientId: client.id });
    await desktop.connection(other.connectionId, (view) => isOver(view) && !isOfAnotherService(view));
    expect(foreign.received.join()).not.toContain(secret);
  });

  it('from registration is neither used nor issued for a typed token endpoint (RFC 7591)', async () => {
    const { desktop } = await openDesktop();
    const as = await startServer();
    const mcp = await startResource(as);
    const foreign = await startForeignService();
    const id = await install(desktop, mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(1);
    const endpoints = { authorization: `${as.origin}/authorize`, token: foreign.token };
    await desktop.call('integration:update', { id, options: { endpoints } });
    const { connectionId } = await desktop.call('integration:signInAgain', { id });
    const { credentialsRequest } = await desktop.connection(connectionId, (view) => asksFor(view) || isOver(view));
    expect(credentialsRequest?.issuerHost).toBe(new URL(foreign.token).host);
    expect(foreign.received).toEqual([]);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });
});

describe('a client secret that was typed in the dialog', () => {
  /** Two services that know a client of the same id, each with a server; the first one's secret was just refused. */
  async function refusedAtTheFirst() {
    const { desktop, client } = await openDesktop();
    const [first, second] = [
      await startServer({ registration: 'off', typedClients: [client] }),
      await startServer({ registration: 'off', typedClients: [{ ...client, secret: 'SECRET-OF-THE-OTHER' }] }),
    ];
    const [firstServer, secondServer] = [await startResource(first), await startResource(second)];
    const { id } = await desktop.call('connection:discover', { url: firstServer.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, asksFor);
    const typed = { id, clientId: client.id, clientSecret: `${secret}-MISTYPED` };
    await desktop.call('connection:submitCredentials', typed);
    await desktop.connection(id, isOver);
    return { desktop, id, client, first, second, secondServer };
  }

  const sentTo = ({ requests }: { requests: readonly unknown[] }): string =>
    JSON.stringify(requests).replaceAll(/Basic ([\w+/=]+)/gu, (_, text: string) =>
      Buffer.from(text, 'base64').toString(),
    );

  it('does not follow the connection to the service of another server', async () => {
    const { desktop, id: before, client, second, secondServer } = await refusedAtTheFirst();
    const { id } = await desktop.call('connection:discover', { id: before, url: secondServer.url, options });
    await desktop.connection(id, ({ state, verdict }) => state.name === 'discovered' && verdict !== undefined);
    // Both wait at the one port that their services know.
    await desktop.call('connection:cancel', { id: before });
    await desktop.call('connection:start', { id });
    await desktop.connection(id, asksFor);
    await desktop.call('connection:submitCredentials', { id, clientId: client.id });
    await desktop.connection(id, isOver);
    expect(requestsTo(second, '/token')).not.toEqual([]);
    expect(sentTo(second)).not.toContain(secret);
  });

  it('stays valid for its service when other choices restart the sign-in', async () => {
    const { desktop, id, client } = await refusedAtTheFirst();
    const unusable = { endpoints: { authorization: 'https://as.example/authorize', token: 'ftp://as.example/token' } };
    const typed = { id, clientId: client.id, clientSecret: secret };
    await desktop.callFailing('connection:submitCredentials', { ...typed, options: unusable });
    const choices = { pkce: 'always' } as const;
    await desktop.call('connection:submitCredentials', { id, clientId: client.id, options: choices });
    await desktop.connection(id, hasTicket);
  });

  it('is asked for again when other choices lead to another token endpoint', async () => {
    const { desktop, id, client, first } = await refusedAtTheFirst();
    const foreign = await startForeignService();
    const endpoints = { authorization: `${first.origin}/authorize`, token: foreign.token };
    await desktop.call('connection:submitCredentials', { id, clientId: client.id, options: { endpoints } });
    const { credentialsRequest } = await desktop.connection(id, isOfAnotherService);
    expect(credentialsRequest?.issuerHost).toBe(new URL(foreign.token).host);
    expect(foreign.received).toEqual([]);
    await desktop.call('connection:submitCredentials', { id, clientId: client.id });
    await desktop.connection(id, (view) => isOver(view) && !isOfAnotherService(view));
    expect(foreign.received.join()).toContain('client_id=notes');
    expect(foreign.received.join()).not.toContain(secret);
  });

  it('goes to the endpoint that it was typed for, and is stored only for that service', async () => {
    const { desktop, id, client, first } = await refusedAtTheFirst();
    const [chosen, foreign] = [await startForeignService(), await startForeignService()];
    const leadTo = (token: string) => ({ endpoints: { authorization: `${first.origin}/authorize`, token } });
    const typed = { id, clientId: client.id, clientSecret: 'TYPED-FOR-THE-CHOSEN' };
    await desktop.call('connection:submitCredentials', { ...typed, options: leadTo(chosen.token) });
    const isAt = (view: ConnectionView): boolean =>
      credentialsErrorOf(view) !== undefined && view.credentialsRequest?.issuerHost === new URL(chosen.token).host;
    const { credentialsRequest } = await desktop.connection(id, isAt);
    expect(credentialsRequest?.earlier).toEqual({ clientId: client.id, secretStored: true });
    expect(chosen.received.join()).toContain(typed.clientSecret);

    await desktop.call('connection:submitCredentials', { id, clientId: client.id, options: leadTo(foreign.token) });
    await desktop.connection(id, isOfAnotherService);
    await desktop.call('connection:submitCredentials', { id, clientId: client.id });
    await desktop.connection(id, (view) => isOver(view) && !isOfAnotherService(view));
    expect(foreign.received.join()).toContain('client_id=notes');
    expect(foreign.received.join()).not.toContain('TYPED');
  });

  it.each([
    ['before the next attempt', 0],
    ['after an attempt that did not reach it', 1],
  ])('is asked for again when the server names another service %s', async (_when, lostTries) => {
    const choice = { deny: true };
    let isAway = false;
    const { desktop, client } = await openDesktop(choice);
    const [first, second] = [
      await startServer({ registration: 'off', typedClients: [client] }),
      await startServer({ registration: 'off', typedClients: [client] }),
    ];
    const services = [first.issuer];
    const mcp = await startResource(
      { ...first, addResource: (...known) => [first, second].forEach((service) => service.addResource(...known)) },
      {
        metadata: (document) => ({ ...document, authorization_servers: services }),
        intercept: (_request, response) => {
          if (isAway) response.destroy();
          return isAway;
        },
      },
    );
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, asksFor);
    const others = { allowedHosts: ['login.internal'] };
    const typed = { id, clientId: client.id, clientSecret: secret, options: others };
    await desktop.call('connection:submitCredentials', typed);
    await desktop.connection(id, (view) => view.state.name === 'failed' && endErrorOf(view)?.code === 'USER_DENIED');

    services[0] = second.issuer;
    choice.deny = false;
    for (let lost = 0; lost < lostTries; lost += 1) {
      isAway = true;
      await desktop.call('connection:tryAgain', { id });
      await desktop.connection(id, (view) => view.state.name === 'failed' && endErrorOf(view)?.code !== 'USER_DENIED');
      isAway = false;
    }
    await desktop.call('connection:tryAgain', { id });
    const prompted = await desktop.connection(id, (view) => asksFor(view) || hasTicket(view));
    expect(credentialsErrorOf(prompted)?.code).toBe('REG_ISSUER_MISMATCH');
    expect(requestsTo(second, '/token')).toEqual([]);
  });
});

describe('an imported list', () => {
  it('sets neither the token endpoint nor the allowed hosts: the user is asked', async () => {
    const { desktop } = await openDesktop();
    const as = await startServer();
    const mcp = await startResource(as);
    const foreign = await startForeignService();
    const chosen = {
      local: true,
      allowedHosts: [],
      allowHttp: true,
      pkce: 'when-listed',
      legacyEndpoints: false,
      sendResource: true,
      endpoints: { authorization: `${as.origin}/authorize`, token: foreign.token },
    };
    const integrations = [{ name: 'Notes', url: mcp.url, method: 'OAuthWithDCR', options: chosen }];
    const text = JSON.stringify({ format: 'postern-integrations', version: 1, integrations });
    const { added, leftOut } = await desktop.call('list:import', { text });
    expect(leftOut).toBe(3);
    const [id = ''] = added;
    const first = await desktop.call('integration:signInAgain', { id });
    const error = endErrorOf(await desktop.connection(first.connectionId, isOver));
    expect(error?.remedy).toMatchObject({ kind: 'allow-local' });
    expect(as.requests).toEqual([]);

    await desktop.call('integration:update', { id, options });
    const again = await desktop.call('integration:signInAgain', { id });
    expect(ticketOf(await desktop.connection(again.connectionId, isOver))).toBeDefined();
    expect(foreign.received).toEqual([]);
  });
});
