import { describe, expect, it } from 'vitest';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import { startNamedServices } from '../support/named-services.ts';
import { createTestEngine } from '../support/test-engine.ts';

const [first, other] = ['login.honest.test', 'login.evil.test'];

/** Signed in at the first service, which reported the account name. */
async function openSignedIn() {
  const services = await startNamedServices();
  services.nameServers(services.at(first));
  for (const name of [first, other]) services.publish(name, services.metadata(name));
  const engine = createTestEngine({
    http: services.http,
    user: async ({ url }) => await services.follow(url),
    acceptsHosts: () => true,
  });
  const { integration } = await engine.connect(services.mcpUrl, { local: false });
  expect(integration.account).toBe(`ada@${first}`);
  const signInAgain = () =>
    reauthenticate(engine.ports, integration, {}, engine.interaction, new AbortController().signal);
  return { services, engine, signInAgain };
}

describe('the name of an account', () => {
  it('is sent to the service that it came from (OpenID Connect Core 1.0 section 3.1.2.1)', async () => {
    const { engine, signInAgain } = await openSignedIn();
    await signInAgain();
    expect(engine.opened.map(({ searchParams }) => searchParams.get('login_hint'))).toEqual([null, `ada@${first}`]);
  });

  it('is not sent to a different service that the server names now (AZ-40)', async () => {
    const { services, engine, signInAgain } = await openSignedIn();
    services.nameServers(services.at(other));
    expect((await signInAgain()).account).toBe(`ada@${other}`);
    expect(engine.opened.at(-1)?.hostname).toBe(other);
    expect(engine.opened.at(-1)?.searchParams.get('login_hint')).toBeNull();
  });

  it('is not sent to a different service when the metadata changes between the two discoveries (AZ-40)', async () => {
    const { services, engine, signInAgain } = await openSignedIn();
    // A new client is needed, and while it registers the server names another service.
    await engine.vault.delete(...(await engine.vault.keysOf(`${engine.opened[0]?.searchParams.get('redirect_uri')}`)));
    services.onRegister(() => services.nameServers(services.at(other)));
    await signInAgain();
    expect(engine.opened.at(-1)?.hostname).toBe(other);
    expect(engine.opened.at(-1)?.searchParams.get('login_hint')).toBeNull();
  });
});
