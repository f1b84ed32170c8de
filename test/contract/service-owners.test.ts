import { describe, expect, it } from 'vitest';
import { checkResolvedAddress } from '../../main/address/check-address.ts';
import { integrationPolicy } from '../../main/engine/records/integration-policy.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import type { Integration } from '../../shared/integration.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { startNamedServices } from '../support/named-services.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand, startPostern } from '../support/postern-process.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Mix-up by metadata: the service of one owner names the page of another, whose code it would receive. */
const [evil, honest, third] = ['login.evil.test', 'accounts.honest.test', 'login.third.test'];
const never = new AbortController().signal;

async function openServices() {
  const services = await startNamedServices();
  const mixed = {
    ...services.metadata(evil),
    authorization_endpoint: `${services.at(honest)}/authorize`,
  };
  services.nameServers(services.at(evil));
  services.publish(evil, mixed);
  services.publish(third, services.metadata(third));
  return { services, mixed };
}

/** A user who gives these answers in order. */
async function openEngine(...answers: readonly boolean[]) {
  const opened = await openServices();
  const waiting = [...answers];
  const engine = createTestEngine({
    http: opened.services.http,
    user: async ({ url }) => await opened.services.follow(url),
    ...(answers.length > 0 && { acceptsHosts: () => waiting.shift() ?? expect.unreachable('asked once too often') }),
  });
  const connect = () => engine.connect(opened.services.mcpUrl, { local: false });
  const signInAgain = (integration: Integration) =>
    reauthenticate(engine.ports, integration, {}, engine.interaction, never);
  return { ...opened, engine, connect, signInAgain };
}

describe('a sign-in whose hosts have several owners', () => {
  it.each([
    ['nobody can answer', [], 'HOST_NOT_AGREED'],
    ['the user declines', [false], 'USER_CANCELLED'],
  ] as const)('registers, opens and sends nothing when %s (MD-38)', async (_when, answers, code) => {
    const { services, engine, connect } = await openEngine(...answers);
    await expect(connect()).rejects.toMatchObject({ code });
    expect(engine.hostRequests).toEqual([
      { server: 'mcp.test', service: evil, page: honest, token: evil, hosts: [evil, honest] },
    ]);
    expect(engine.opened).toEqual([]);
    expect(services.requestsTo(evil, '/register')).toEqual([]);
    expect(await engine.ports.store.list()).toEqual([]);
  });

  it('asks once, and stores the consent for this server alone (MD-38)', async () => {
    const { engine, connect, signInAgain } = await openEngine(true, true);
    const { integration } = await connect();
    expect(integration.options).toMatchObject({ allowedHosts: [], agreedHosts: [evil, honest] });
    const again = await signInAgain(integration);
    expect(again.options.agreedHosts).toEqual([evil, honest]);
    expect(engine.hostRequests).toHaveLength(1);
    await connect();
    expect(engine.hostRequests).toHaveLength(2);
  });

  it('asks again when another host takes part, also between the two discoveries (MD-38)', async () => {
    const { services, mixed, engine, connect } = await openEngine(true, false);
    services.onRegister(() => services.publish(evil, { ...mixed, token_endpoint: `${services.at(third)}/token` }));
    await expect(connect()).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    expect(engine.hostRequests.map(({ hosts }) => hosts)).toEqual([[evil, honest], [third]]);
    expect(engine.opened).toEqual([]);
    expect(services.requestsTo(third, '/token')).toEqual([]);
  });

  it('asks about every host when the service itself has another owner now (MD-38)', async () => {
    const { services, engine, connect, signInAgain } = await openEngine(true, false);
    const { integration } = await connect();
    services.nameServers(services.at(third));
    services.publish(third, {
      ...services.metadata(third),
      authorization_endpoint: `${services.at(honest)}/authorize`,
    });
    await expect(signInAgain(integration)).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    expect(engine.hostRequests.at(-1)).toMatchObject({ service: third, page: honest, hosts: [third] });
    expect(services.requestsTo(third, '/token')).toEqual([]);
  });

  it('asks again when the server names another service with the confirmed page, after consent (MD-38)', async () => {
    const { services, engine, connect } = await openEngine(true, false);
    services.publish(third, {
      ...services.metadata(third),
      authorization_endpoint: `${services.at(honest)}/authorize`,
    });
    services.onRegister(() => services.nameServers(services.at(third)));
    await expect(connect()).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    expect(engine.hostRequests.at(-1)).toMatchObject({ service: third, page: honest, hosts: [third] });
    expect(services.requestsTo(third, '/register')).toEqual([]);
    expect(services.requestsTo(third, '/token')).toEqual([]);
    expect(engine.opened).toEqual([]);
  });

  it('shows the new service and asks, when it changes after it was shown (MD-38)', async () => {
    const { services, engine, connect } = await openEngine(false);
    services.publish(evil, services.metadata(evil));
    services.onRegister(() => services.nameServers(services.at(third)));
    await expect(connect()).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    const issuerKeys = engine.events.flatMap((event) => (event.event === 'method' ? [event.discovery.issuerKey] : []));
    expect(issuerKeys).toEqual([services.at(evil), services.at(third)]);
    expect(engine.hostRequests).toEqual([
      { server: 'mcp.test', service: third, page: third, token: third, hosts: [third] },
    ]);
    expect(services.requestsTo(third, '/register')).toEqual([]);
    expect(engine.opened).toEqual([]);
  });

  it('opens no address inside the network by consent', async () => {
    const { services, connect } = await openEngine(true);
    const { integration } = await connect();
    expect(integration.options.agreedHosts).toContain(honest);
    const policy = integrationPolicy(integration.url, { ...integration.options, local: true });
    expect(() => checkResolvedAddress(new URL(services.at(honest)), '10.0.0.1', policy, 'token')).toThrow(
      expect.objectContaining({ code: 'HOST_BLOCKED' }),
    );
  });

  it('needs no consent if the user typed the endpoints', async () => {
    const { services, engine } = await openEngine();
    const endpoints = { authorization: `${services.at(honest)}/authorize`, token: `${services.at(third)}/token` };
    const credentials = { clientId: 'typed' };
    const { integration } = await engine.connect(services.mcpUrl, { local: false, endpoints, credentials });
    expect(integration.state).toBe('integrated');
    expect(engine.hostRequests).toEqual([]);
  });
});

describe('a given consent', () => {
  it('is valid for refreshing and signing out, whatever the metadata says by then (MD-38)', async () => {
    const { services, engine, connect } = await openEngine(true);
    const { integration } = await connect();
    services.publish(evil, services.metadata(third));
    services.nameServers(services.at(third));
    const before = services.requestsTo(evil, '/token').length;
    await refreshIntegration(engine.ports, integration, { signal: never });
    await signOut(engine.ports, await engine.read(integration), never);
    expect(services.requestsTo(evil, '/token')).toHaveLength(before + 1);
    expect(services.requestsTo(evil, '/revoke').length).toBeGreaterThan(0);
    for (const path of ['/token', '/revoke']) expect(services.requestsTo(third, path)).toEqual([]);
  });
});

describe('the command line', () => {
  const words = (url: string): string[] => ['connect', url, '--sign-in', 'print', '--memory'];

  it('without a terminal names the hosts and the option, and works with it (MD-38)', async () => {
    const { services } = await openServices();
    const start = (...more: string[]) =>
      startPostern([...words(services.mcpUrl), '--json', ...more], { home: temporaryFolder(), env: services.env });
    const refused = await start().ended;
    expect(refused).toMatchObject({ code: 1, last: { error: { code: 'HOST_NOT_AGREED' } } });
    const { message, nextStep } = refused.last['error'] as Record<string, string>;
    expect(message).toContain(honest);
    expect(nextStep).toContain(`--allow-host ${honest}`);
    expect(services.requestsTo(evil, '/register')).toEqual([]);
    // Consent to one of the two hosts is not enough.
    const half = await start('--allow-host', honest).ended;
    expect(half.last).toMatchObject({ error: { code: 'HOST_NOT_AGREED' } });
    const allowed = start('--allow-host', honest, '--allow-host', evil);
    await allowed.waitFor(/"event":"authorization"/u);
    allowed.kill('SIGINT');
    expect((await allowed.ended).last).toMatchObject({ error: { code: 'USER_CANCELLED' } });
  });

  it.each([
    ['y', true],
    ['', false],
    ['no', false],
  ])('shows the hosts on a terminal, and treats %j as %s (MD-38)', async (answer, goesOn) => {
    const { services } = await openServices();
    const command = onTerminal(...posternCommand(...words(services.mcpUrl)));
    const app = startCommand(command, { home: temporaryFolder(), env: services.env });
    const [question] = await app.waitFor(/[^]*\[y\/N\]/u);
    expect(question).toContain(honest);
    expect(question).toContain(evil);
    app.type(`${answer}\n`);
    if (goesOn) {
      await app.waitFor(/\/authorize\?/u);
      app.type('\u0003');
    }
    await app.ended;
    expect(services.requestsTo(evil, '/register')).toHaveLength(goesOn ? 1 : 0);
  });

  it('names who signs you in and who gets the tokens before the page opens, if owners differ', async () => {
    const { services } = await openServices();
    services.nameServers(services.at(third));
    const options = { home: temporaryFolder(), env: services.env };
    const forUser = startPostern(words(services.mcpUrl), options);
    await forUser.waitFor(/\/authorize\?/u);
    forUser.kill('SIGINT');
    const [beforePage = ''] = (await forUser.ended).stderr.split('/authorize?');
    const hosts = [services.mcpUrl, services.at(third)].map((address) => new URL(address).host);
    expect(beforePage.split('\n').filter((line) => hosts.every((host) => line.includes(host)))).toHaveLength(1);
    const forApp = startPostern([...words(services.mcpUrl), '--json'], options);
    await forApp.waitFor(/"event":"authorization"/u);
    forApp.kill('SIGINT');
    const { lines } = await forApp.ended;
    const [server, page] = hosts;
    expect(lines.find(({ event }) => event === 'method')).toMatchObject({
      serverHost: server,
      signInHost: page,
      tokenHost: page,
      differentOwner: true,
    });
  });
});

describe('the window', () => {
  it('has the hosts on the trust card, and starts with consent to them (MD-38)', async () => {
    const { services } = await openServices();
    const desktop = await createTestDesktop({
      http: services.http,
      onPage: (url) => void services.follow(url).catch(() => {}),
    });
    const { id } = await desktop.call('connection:discover', { url: services.mcpUrl, options: {} });
    const { verdict } = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    const hosts = { service: evil, page: honest, token: evil, hosts: [evil, honest] };
    expect(verdict?.hosts).toEqual(hosts);

    // Consent to another host does not count: the sign-in waits, and nothing opens.
    await desktop.call('connection:start', { id, agreesTo: [third] });
    const view = await desktop.connection(id, ({ hostsRequest }) => hostsRequest !== undefined);
    expect(view.hostsRequest).toEqual(hosts);
    await desktop.call('connection:start', { id, agreesTo: [third] });
    expect(services.requestsTo(evil, '/register')).toEqual([]);

    await desktop.call('connection:start', { id, agreesTo: [evil, honest] });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    const { integrationId } = await desktop.call('connection:install', { ticketId });
    expect((await desktop.engine.ports.store.read(integrationId))?.options.agreedHosts).toEqual([evil, honest]);
  });

  it('asks no second time after consent on the trust card (MD-38)', async () => {
    const { services } = await openServices();
    const desktop = await createTestDesktop({
      http: services.http,
      onPage: (url) => void services.follow(url).catch(() => {}),
    });
    const { id } = await desktop.call('connection:discover', { url: services.mcpUrl, options: {} });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id, agreesTo: [evil, honest] });
    const seen = await desktop.connection(id, (view) => hasTicket(view) || view.hostsRequest !== undefined);
    expect(seen.hostsRequest).toBeUndefined();
  });
});
