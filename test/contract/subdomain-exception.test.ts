import { describe, expect, it } from 'vitest';
import { secretEndpoints } from '../../main/oauth/wire/messages.ts';
import { loadRegistration } from '../../main/integration/kept/stored-secrets.ts';
import { addressOfKey } from '../../main/issuer-key.ts';
import { Secret } from '../../main/secret.ts';
import { startNamedServices } from '../support/named-services.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** An authorization server of a taken-over name that says it is the honest one of the same domain. */
const [rebind, login] = ['rebind.acme.test', 'login.acme.test'];

async function openServices() {
  const services = await startNamedServices();
  services.nameServers(services.at(rebind));
  services.publish(login, services.metadata(login));
  const engine = createTestEngine({ http: services.http, person: async ({ url }) => await services.follow(url) });
  return { services, engine };
}

const typed = { clientId: 'typed', clientSecret: new Secret('SECRET-OF-LOGIN') };

describe('an authorization server that names another one of its domain as issuer', () => {
  it.each([...secretEndpoints])(
    'gets nothing by keeping the %s to itself: no page, no code, no secret (MD-37)',
    async (name) => {
      const { services, engine } = await openServices();
      services.publish(rebind, { ...services.metadata(login), [name]: `${services.at(rebind)}/x` });
      const connecting = engine.connect(services.mcpUrl, { local: false, credentials: typed });
      await expect(connecting).rejects.toMatchObject({ code: 'ISSUER_MISMATCH' });
      expect(engine.opened).toEqual([]);
      expect(services.arrived(rebind, '/x')).toEqual([]);
    },
  );

  it('shares no client, secret or tokens with the honest one, in either order (MD-37)', async () => {
    const { services, engine } = await openServices();
    services.publish(rebind, services.metadata(login));
    const { integration: odd } = await engine.connect(services.mcpUrl, { local: false });
    services.nameServers(services.at(login));
    const { integration: honest } = await engine.connect(services.mcpUrl, { local: false });
    expect(services.arrived(login, '/register')).toHaveLength(2);
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
    expect(services.arrived(login, '/register')).toHaveLength(2);
  });

  it('is given no secret that was typed for the honest one before (MD-37)', async () => {
    const { services, engine } = await openServices();
    services.publish(rebind, { ...services.metadata(login), registration_endpoint: undefined });
    const forHonest = { ...typed, issuerKey: services.at(login) };
    const connecting = engine.connect(services.mcpUrl, { local: false, credentials: forHonest });
    await expect(connecting).rejects.toMatchObject({ code: 'REG_ISSUER_MISMATCH' });
    expect(engine.opened).toEqual([]);
    expect(services.arrived(login, '/token')).toEqual([]);
  });

  it('is shown with both hosts before the page, on the command line and in its events (MD-37)', async () => {
    const { services } = await openServices();
    services.publish(rebind, services.metadata(login));
    const home = temporaryFolder();
    const words = ['connect', services.mcpUrl, '--sign-in', 'print', '--memory'];
    const options = { home, env: services.env, stdin: '' };
    const [beforePage] = await startPostern(words, options).waitFor(/^[^]*?\/authorize\?/u);
    const hosts = [login, rebind].map((name) => new URL(services.at(name)).host);
    expect(beforePage.split('\n').filter((line) => hosts.every((host) => line.includes(host)))).toHaveLength(1);
    const [method] = await startPostern([...words, '--json'], options).waitFor(/^\{"event":"method".*$/mu);
    expect(JSON.parse(method)).toMatchObject({
      issuer: services.at(login),
      authorizationServer: services.at(rebind),
    });
  });
});
