import { describe, expect, it } from 'vitest';
import { callbackUrl } from '../../main/engine/sign-in/callback-address.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { endErrorOf, hasTicket, credentialsErrorOf } from '../support/connection-facts.ts';
import { requestsTo, startResource, startServer } from '../support/demo-pair.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';

const typed = { clientId: 'notes', clientSecret: 'SECRET-THAT-WAS-TYPED' };
const options = { local: true, pkce: 'always' } as const;
const asksFor = (view: ConnectionView): boolean => view.credentialsRequest !== undefined;

/** A sign-in that waits at its page, with an OAuth app that the user has typed. */
async function waitAtThePage(choice: { answer?: 'deny' | 'approve' } = {}) {
  const desktop = await createTestDesktop({
    onPage: (url) => {
      if (choice.answer) void completeSignIn(url, { deny: choice.answer === 'deny' }).catch(() => {});
    },
  });
  const port = await desktop.engine.ports.callbacks.freePort();
  await desktop.call('settings:update', { callbackPort: port });
  const callback = callbackUrl({ host: '127.0.0.1', port });
  const client = { id: typed.clientId, secret: typed.clientSecret, redirectUris: [callback] };
  const as = await startServer({ registration: 'off', typedClients: [client] });
  const mcp = await startResource(as);
  const { id } = await desktop.call('connection:discover', { url: mcp.url, options });
  await desktop.connection(id, ({ state }) => state.name === 'discovered');
  await desktop.call('connection:start', { id, name: 'My notes' });
  await desktop.connection(id, asksFor);
  const more = { clientAuthentication: 'client_secret_post', secretExpiresAt: Date.UTC(2030, 0, 1) } as const;
  await desktop.call('connection:submitCredentials', { id, ...typed, ...more });
  return { desktop, id, as, mcp, callback };
}

const leavings: readonly [string, (desktop: TestDesktop, id: string) => unknown][] = [
  ['presses Cancel', (desktop, id) => desktop.call('connection:stop', { id })],
  ['closes the popup', ({ popups }) => popups[0]?.closeByHand()],
];

describe('input typed for a sign-in', () => {
  it.each(leavings)('is complete when the user %s', async (_how, leave) => {
    const { desktop, id, mcp, callback } = await waitAtThePage();
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    await leave(desktop, id);
    const ended = await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_CANCELLED');
    expect(ended).toMatchObject({ url: mcp.url, name: 'My notes', options, callbackUrl: callback });

    await desktop.call('connection:tryAgain', { id });
    const view = await desktop.connection(id, asksFor);
    expect(view.credentialsRequest?.earlier).toEqual({
      clientId: typed.clientId,
      secretStored: true,
      authentication: 'client_secret_post',
      secretExpiresAt: Date.UTC(2030, 0, 1),
    });
    expect(credentialsErrorOf(view)).toBeUndefined();
  });

  it('stays in the dialog, with the reason for the end, and signs in without being typed again', async () => {
    const choice: { answer: 'deny' | 'approve' } = { answer: 'deny' };
    const { desktop, id, as } = await waitAtThePage(choice);
    await desktop.connection(id, (view) => endErrorOf(view)?.code === 'USER_DENIED');
    choice.answer = 'approve';
    await desktop.call('connection:tryAgain', { id });
    const view = await desktop.connection(id, asksFor);
    expect(credentialsErrorOf(view)?.code).toBe('USER_DENIED');
    await desktop.call('connection:submitCredentials', { id, clientId: typed.clientId });
    await desktop.connection(id, hasTicket);
    expect(JSON.stringify(requestsTo(as, '/token'))).toContain(typed.clientSecret);
  });

  it('returns after another check of the same address, and does not reveal the secret to the window', async () => {
    const { desktop, id, mcp } = await waitAtThePage();
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    await desktop.call('connection:stop', { id });
    await desktop.connection(id, (view) => endErrorOf(view) !== undefined);
    await desktop.call('connection:discover', { id, url: mcp.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    const view = await desktop.connection(id, asksFor);
    expect(view.credentialsRequest?.earlier).toMatchObject({ clientId: typed.clientId, secretStored: true });
    expect(JSON.stringify(view)).not.toContain(typed.clientSecret);
  });

  it('is not used for another address', async () => {
    const { desktop, id } = await waitAtThePage();
    await desktop.connection(id, ({ pending }) => pending?.surface === 'popup');
    await desktop.call('connection:stop', { id });
    await desktop.connection(id, (view) => endErrorOf(view) !== undefined);
    const other = await startResource(await startServer({ registration: 'off' }));
    await desktop.call('connection:discover', { id, url: other.url, options });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    const view = await desktop.connection(id, asksFor);
    expect(view.credentialsRequest).not.toHaveProperty('earlier');
  });
});
