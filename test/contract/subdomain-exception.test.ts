import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadRegistration } from '../../main/engine/records/stored-secrets.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import { addressOfKey } from '../../main/issuer-key.ts';
import { metadataEndpoints, secretEndpoints } from '../../main/oauth/http/metadata-schemas.ts';
import { Secret } from '../../main/secret.ts';
import { startNamedServices } from '../support/named-services.ts';
import type { NamedServices } from '../support/named-services.ts';
import { startPostern } from '../support/postern-process.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** An authorization server of a taken-over name that claims to be the honest one of the same domain. */
const [rebind, login] = ['rebind.acme.test', 'login.acme.test'];

async function openServices() {
  const services = await startNamedServices();
  services.nameServers(services.at(rebind));
  services.publish(login, services.metadata(login));
  const engine = createTestEngine({ http: services.http, user: async ({ url }) => await services.follow(url) });
  return { services, engine };
}

const { signal } = new AbortController();
const typed = { clientId: 'typed', clientSecret: new Secret('SECRET-OF-LOGIN') };

describe('an authorization server that names another one of its domain as issuer', () => {
  it.each([...secretEndpoints])(
    'gains nothing by keeping the %s to itself: no page, no code, no secret (MD-37)',
    async (name) => {
      const { services, engine } = await openServices();
      services.publish(rebind, { ...services.metadata(login), [name]: `${services.at(rebind)}/x` });
      const connecting = engine.connect(services.mcpUrl, { local: false, credentials: typed });
      await expect(connecting).rejects.toMatchObject({ code: 'ISSUER_MISMATCH' });
      expect(engine.opened).toEqual([]);
      expect(services.requestsTo(rebind, '/x')).toEqual([]);
    },
  );

  it('shares no client, secret or tokens with the honest one, in either order (MD-37)', async () => {
    const { services, engine } = await openServices();
    services.publish(rebind, services.metadata(login));
    const { integration: odd } = await engine.connect(services.mcpUrl, { local: false });
    services.nameServers(services.at(login));
    const { integration: honest } = await engine.connect(services.mcpUrl, { local: false });
    expect(services.requestsTo(login, '/register')).toHaveLength(2);
    expect(odd.issuerKey).not.toBe(honest.issuerKey);
    expect([odd, honest].map(({ issuerKey = '' }) => addressOfKey(issuerKey))).toEqual([
      services.at(login),
      services.at(login),
    ]);
    // A record of an identical issuer keeps the key that it always had.
    expect(honest.issuerKey).toBe(services.at(login));
    expect(await loadRegistration(engine.vault, honest.redirectUri ?? '', services.at(login))).toBeDefined();

    services.nameServers(services.at(rebind));
    await engine.connect(services.mcpUrl, { local: false });
    expect(services.requestsTo(login, '/register')).toHaveLength(2);
  });

  it('is given no secret that was typed for the honest one before (MD-37)', async () => {
    const { services, engine } = await openServices();
    services.publish(rebind, { ...services.metadata(login), registration_endpoint: undefined });
    const forHonest = { ...typed, issuerKey: services.at(login) };
    const connecting = engine.connect(services.mcpUrl, { local: false, credentials: forHonest });
    await expect(connecting).rejects.toMatchObject({ code: 'REG_ISSUER_MISMATCH' });
    expect(engine.opened).toEqual([]);
    expect(services.requestsTo(login, '/token')).toEqual([]);
  });

  it('is shown with both hosts before the page, on the command line and in its events (MD-37)', async () => {
    const { services } = await openServices();
    services.publish(rebind, services.metadata(login));
    await expectBothShown(services, rebind);
  });
});

/** `named` claims to be `login`. */
async function expectBothShown(services: NamedServices, named: string): Promise<void> {
  const home = temporaryFolder();
  const words = ['connect', services.mcpUrl, '--sign-in', 'print', '--memory'];
  const options = { home, env: services.env, stdin: '' };
  const [beforePage] = await startPostern(words, options).waitFor(/^[^]*?\/authorize\?/u);
  const hosts = [login, named].map((name) => new URL(services.at(name)).host);
  expect(beforePage.split('\n').filter((line) => hosts.every((host) => line.includes(host)))).toHaveLength(1);
  const [method] = await startPostern([...words, '--json'], options).waitFor(/^\{"event":"method".*$/mu);
  expect(JSON.parse(method)).toMatchObject({
    issuer: services.at(login),
    authorizationServer: services.at(named),
  });
}

describe('an authorization server with all endpoints, which names another one of its domain as issuer (spec 2.3)', () => {
  const named = 'api.acme.test';
  type Change = (services: NamedServices) => Record<string, unknown>;

  /** `login` is an authorization server of its own; `named` only claims to be `login`. */
  async function openNamed(change: Change = () => ({})) {
    const { services, engine } = await openServices();
    services.nameServers(services.at(named));
    services.publish(named, { ...services.metadata(named), issuer: services.at(login), ...change(services) });
    return { services, engine };
  }

  it('is signed in to, and nothing is sent to the host that it names', async () => {
    const { services, engine } = await openNamed();
    const { integration } = await engine.connect(services.mcpUrl, { local: false });
    expect(integration).toMatchObject({ state: 'integrated', authorizationServer: services.at(named) });
    await refreshIntegration(engine.ports, integration, { signal });
    await signOut(engine.ports, integration, signal);
    expect(services.requestsTo(named, '/token')).toHaveLength(2);
    expect(services.requestsTo(named, '/revoke').length).toBeGreaterThan(0);
    expect(services.requestsTo(login)).toEqual([]);
  });

  const elsewhere = ['login.acme.test', 'third.acme.test', 'login.honest.test'];
  it.each<[string, Change]>([
    ...metadataEndpoints.flatMap((name) =>
      elsewhere.map((host): [string, Change] => [`its ${name} at ${host}`, ({ at }) => ({ [name]: `${at(host)}/x` })]),
    ),
    ['its token endpoint at another port', () => ({ token_endpoint: `https://${named}:8443/token` })],
    ['its page by http', ({ at }) => ({ authorization_endpoint: `${at(named).replace('https', 'http')}/authorize` })],
    ['an issuer by http', ({ at }) => ({ issuer: at(login).replace('https', 'http') })],
    ['an issuer of another registrable domain', ({ at }) => ({ issuer: at('login.honest.test') })],
    // Otherwise a response of the honest page, which carries that name, would pass for one of this page.
    ['responses that name the issuer', () => ({ authorization_response_iss_parameter_supported: true })],
  ])('is rejected with %s (MD-37)', async (_what, change) => {
    const { services, engine } = await openNamed(change);
    const connecting = engine.connect(services.mcpUrl, { local: false, credentials: typed });
    await expect(connecting).rejects.toMatchObject({ code: 'ISSUER_MISMATCH' });
    expect(engine.opened).toEqual([]);
    const paths = ['/register', '/token', '/x'];
    expect([named, ...elsewhere].flatMap((host) => paths.flatMap((path) => services.requestsTo(host, path)))).toEqual(
      [],
    );
  });

  it('gets no code of the honest page that it redirects the browser to (MD-37, RFC 9207)', async () => {
    const { services, engine } = await openNamed();
    services.publish(login, { ...services.metadata(login), authorization_response_iss_parameter_supported: true });
    services.redirectSignIn(named, login);
    await expect(engine.connect(services.mcpUrl, { local: false })).rejects.toMatchObject({ code: 'ISS_MISMATCH' });
    expect(services.requestsTo(named, '/token')).toEqual([]);
  });

  it('shares no client, secret or tokens with the one that it names, nor with another form of itself (MD-37)', async () => {
    const { services, engine } = await openNamed();
    const connect = async () => (await engine.connect(services.mcpUrl, { local: false })).integration.issuerKey;
    const keys = [await connect()];
    services.nameServers(services.at(login));
    keys.push(await connect());
    // The two hosts the other way around: `login` claims to be `named`, where everything goes.
    services.publish(login, services.metadata(named));
    keys.push(await connect());
    services.nameServers(services.at(named));
    services.publish(named, services.metadata(login));
    keys.push(await connect());
    expect(new Set(keys).size).toBe(4);
    for (const name of [named, login]) expect(services.requestsTo(name, '/register')).toHaveLength(2);
  });

  it('gets no assertion that is for the one that it names (MD-37, RFC 7523)', async () => {
    const { services, engine } = await openNamed();
    const assertionFile = join(temporaryFolder(), 'token.jwt');
    const claims = { aud: services.at(login), sub: 'ada', exp: Math.floor(Date.now() / 1_000) + 600 };
    const parts = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    writeFileSync(assertionFile, `${parts.join('.')}.`, { mode: 0o600 });
    const connecting = engine.connect(services.mcpUrl, {
      local: false,
      grant: 'jwt-bearer',
      assertionFile,
      credentials: typed,
    });
    await expect(connecting).rejects.toMatchObject({ code: 'ASSERTION_INVALID' });
    expect(services.requestsTo(named, '/token')).toEqual([]);
  });

  it('gets no secret that was typed while the one that it names had the endpoints (MD-37)', async () => {
    const { services, engine } = await openNamed();
    const own = services.metadata(named);
    services.publish(named, { ...services.metadata(login), registration_endpoint: undefined });
    const { integration } = await engine.connect(services.mcpUrl, { local: false, credentials: typed });
    services.publish(named, { ...own, issuer: services.at(login), registration_endpoint: undefined });
    await expect(reauthenticate(engine.ports, integration, {}, engine.interaction, signal)).rejects.toMatchObject({
      code: 'REG_ISSUER_MISMATCH',
    });
    expect(services.requestsTo(named, '/token')).toEqual([]);
  });

  it('is shown with both hosts before the page, on the command line and in its events (MD-37)', async () => {
    const { services } = await openNamed();
    await expectBothShown(services, named);
  });
});
