import type { Locator, Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { aConnection, aDesktop, anIntegrationView, aVerdict } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';
import { untilAnswerable } from './until-answerable.ts';

const url = 'https://mcp.notes.example/mcp';
const link: IpcEvent = { event: 'link', link: { kind: 'connect', url } };
const gmail = 'https://gmailmcp.googleapis.com/mcp/v1';
const integrations = [anIntegrationView()];
const discovered = (calls: readonly { call: string }[]) => calls.filter(({ call }) => call === 'connection:discover');

/** What the user does when a link arrives. */
const doings: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['types into a field', (page) => page.locator('#search').fill('lin')],
  ['has a menu open', (page) => page.getByRole('option', { name: 'Linear' }).click({ button: 'right' })],
  ['has a dialog open', (page) => page.keyboard.press('Control+k')],
  [
    'reads the details of a service',
    async (page) => {
      await page.getByRole('button', { name: words.sidebar.connect, exact: true }).click();
      await page.locator('.service-tile').filter({ hasText: 'GitHub' }).first().click();
      await page.locator('[data-in-progress]').waitFor();
    },
  ],
];

const callbackUrl = 'http://127.0.0.1:49210/integration/oauth/callback';
const hosts = { service: 'login.evil.example', page: 'a.example', token: 'login.evil.example', hosts: ['a.example'] };

/** What the sign-in of a connected server asks on its page, and the element that shows it. */
const questions: readonly (readonly [string, Partial<ConnectionView>, (page: Page) => Locator])[] = [
  [
    'the sign-in page is open',
    {
      state: { name: 'authorizationPending', expiresAt: Date.now() + 600_000 },
      pending: { callbackUrl, surface: 'popup', host: 'a.example', opened: true },
    },
    (page) => page.getByRole('button', { name: words.common.cancel, exact: true }),
  ],
  [
    'hosts need consent',
    { state: { name: 'registering' }, hostsRequest: hosts },
    (page) => page.getByRole('checkbox', { name: words.hosts.agree(hosts.hosts) }),
  ],
  [
    'a client ID is needed',
    {
      state: { name: 'awaitingCredentials' },
      credentialsRequest: { serverUrl: url, callbackUrl, issuerHost: 'a.example', scopes: [], otherScopes: [] },
    },
    (page) => page.getByLabel('Client ID'),
  ],
  [
    'a verdict is shown',
    { verdict: aVerdict({ hosts }) },
    (page) => page.getByRole('checkbox', { name: words.hosts.agree(hosts.hosts) }),
  ],
];

test.describe('a link', () => {
  for (const [what, change, asked] of questions)
    test(`waits on the page of a server if ${what}`, async ({ openWindow }) => {
      const { page, send, calls } = await openWindow({
        snapshots: {
          integrations: [anIntegrationView({ connectionId: 'c1' })],
          connections: [aConnection({ kind: 'signInAgain', integrationId: 'linear', ...change })],
        },
      });
      await send({ event: 'command', command: 'integration', integrationId: 'linear' });
      await asked(page).waitFor();
      await send(link);
      await expect(page.locator('.toast')).toContainText('mcp.notes.example');
      await expect(asked(page)).toBeVisible();
      expect(discovered(await calls())).toEqual([]);
    });

  for (const [what, doing] of doings)
    test(`waits while the user ${what}`, async ({ openWindow }) => {
      const { page, send, calls } = await openWindow({ snapshots: { integrations } });
      await doing(page);
      await send(link);
      await expect(page.locator('.toast')).toContainText('mcp.notes.example');
      expect(discovered(await calls())).toEqual([]);
    });

  test('that replaces another is not opened by a click meant for the first', async ({ openWindow }) => {
    const answers = { 'connection:discover': { id: 'c1' } };
    const { page, send, calls } = await openWindow({ ownPage: true, snapshots: { integrations }, answers });
    await page.locator('#search').fill('lin');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const follow = page.locator('.toast').getByRole('button', { name: words.link.connect, exact: true });
    await send(link);
    await expect(page.locator('.toast')).toContainText('mcp.notes.example');
    await page.clock.runFor(550);
    const other = 'https://other.example/mcp';
    await send({ event: 'link', link: { kind: 'connect', url: other } });
    await expect(page.locator('.toast')).toContainText('other.example');
    await page.clock.runFor(450);
    await follow.dispatchEvent('click');
    await expect(page.locator('.toast')).toContainText('other.example');
    expect(discovered(await calls())).toEqual([]);
    await untilAnswerable(page, follow);
    await follow.click();
    await expect.poll(async () => discovered(await calls())).toMatchObject([{ input: { url: other } }]);
  });

  test('waits for a click even if *Connect at once* is set', async ({ openWindow }) => {
    const desktop = aDesktop({ settings: { ...aDesktop().settings, connectAtOnce: true } });
    const answers = { 'connection:discover': { id: 'c1' } };
    const { send, calls } = await openWindow({ snapshots: { desktop, integrations }, answers });
    await send({ event: 'link', link: { kind: 'connect', url: gmail } });
    await expect.poll(async () => discovered(await calls())).toHaveLength(1);
    expect(discovered(await calls())[0]).not.toHaveProperty('input.atOnce');
  });

  test('is shown with what is known of its service, however late that loads', async ({ openWindow }) => {
    const answers = { 'connection:discover': { id: 'c1' } };
    const { page, send, calls } = await openWindow({ ownPage: true, snapshots: { integrations }, answers });
    const release = Promise.withResolvers<void>();
    await page.route('**/known-servers-*.js', async (route) => {
      await release.promise;
      await route.fallback();
    });
    const requested = page.waitForRequest('**/known-servers-*.js');
    // The drawings of connected servers load it at the start.
    await page.reload({ waitUntil: 'domcontentloaded' });
    await requested;
    await send({ event: 'link', link: { kind: 'connect', url: gmail } });
    await expect(page.locator('.page.connect')).toBeVisible();
    expect(discovered(await calls())).toEqual([]);
    release.resolve();
    await expect.poll(async () => discovered(await calls())).toMatchObject([{ input: { url: gmail } }]);
  });

  test('that is unusable hides no message of Postern', async ({ openWindow }) => {
    const { page, send } = await openWindow({ snapshots: { integrations }, answers: { 'desktop:copy': null } });
    await page.getByRole('option', { name: 'Linear' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: words.integration.menu.copy, exact: true }).click();
    const copiedToast = page.locator('.toast').filter({ hasText: words.integration.menu.copied });
    await expect(copiedToast).toBeVisible();
    const unusableToast = page.locator('.toast').filter({ hasText: words.link.unusable });
    await send({ event: 'link', link: { kind: 'unusable' } });
    await expect(unusableToast).toBeVisible();
    await expect(copiedToast).toBeVisible();
    await unusableToast.getByRole('button', { name: words.common.dismiss }).click();
    await expect(unusableToast).toHaveCount(0);
    await expect(copiedToast).toBeVisible();
  });

  test('is checked without earlier choices, and no key is sent to a sign-in', async ({ openWindow }) => {
    const answers = { 'connection:discover': { id: 'c1' } };
    const { page, send, calls, publish } = await openWindow({ snapshots: { integrations }, answers });
    await send(link);
    await expect.poll(async () => discovered(await calls())).toHaveLength(1);
    await expect
      .poll(async () => discovered(await calls()))
      .toEqual([{ call: 'connection:discover', input: { url, options: {} } }]);
    const verdict = aVerdict();
    await publish({
      connections: [aConnection({ id: 'c1', url, state: { name: 'discovered', method: 'OAuthWithDCR' }, verdict })],
    });
    const start = page.getByRole('button', { name: /^Sign in to/u });
    await expect(start).toBeVisible();
    await expect(start).not.toBeFocused();
    // A second link does not replace this page.
    await send({ event: 'link', link: { kind: 'connect', url: 'https://other.example/mcp' } });
    await expect(page.locator('.toast')).toContainText('other.example');
    await expect.poll(async () => discovered(await calls())).toHaveLength(1);
  });
});
