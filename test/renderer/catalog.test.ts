import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { aConnection, aVerdict, options } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';
import { windowStates } from './window-states.ts';

const address = (page: Page) => page.getByLabel('Server address');
const tile = (page: Page, name: string) => page.locator('.service-tile').filter({ hasText: name }).first();
const answers = { 'connection:discover': { id: 'c1' }, 'desktop:openPage': null, 'desktop:copy': null };
const gitHub = 'https://api.githubcopilot.com/mcp/';

test.describe('the catalog', () => {
  test('goes from a name to the address check by keyboard', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await expect(tile(page, 'Linear')).toBeVisible();
    await address(page).fill('git');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('.service-tile:focus')).toHaveText(/GitBook/);
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'GitHub', exact: true })).toBeVisible();
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    // Only one primary button.
    await expect(page.locator('.button.primary')).toHaveText(words.catalog.check);
    await page.keyboard.press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'connection:discover', input: { url: gitHub, options: {} } });
  });

  test('is one Tab stop, with type-ahead by name', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers });
    await expect(tile(page, 'Linear')).toBeVisible();
    await address(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('no');
    await expect(page.locator('.service-tile:focus')).toHaveText(/Notion/);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(page.locator('.service-tile:focus')).toHaveText(/Notion/);
  });

  test('shows the popular services, or all', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers });
    await expect(tile(page, 'Linear')).toBeVisible();
    await expect(tile(page, 'Zendesk')).toHaveCount(0);
    const filters = page.getByRole('group', { name: words.catalog.filters }).getByRole('button');
    await expect(filters).toHaveText([words.catalog.popular, words.catalog.all]);
    await filters.last().click();
    await expect(tile(page, 'Zendesk')).toBeVisible();
  });

  test('shows seven services and the way to the rest at the first start', async ({ openWindow }) => {
    const { page } = await openWindow({ answers, snapshots: { integrations: [] } });
    const tiles = page.locator('.service-tile');
    await expect(tiles).toHaveCount(8);
    await tiles.last().click();
    await expect(tile(page, 'Zendesk')).toBeVisible();
    // The tile is gone, so the focus is on the first one.
    await expect(tiles.first()).toBeFocused();
  });

  test('marks the first of several services that share a name, which Enter opens', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers });
    await expect(tile(page, 'Linear')).toBeVisible();
    await address(page).fill('Google');
    await expect(page.locator('.service-tile').nth(1)).toBeVisible();
    const marked = page.locator('.service-tile.marked');
    await expect(marked).toHaveCount(1);
    const name = await page.locator('.service-tile-name').first().innerText();
    await expect(marked).toContainText(name);
    await expect(address(page)).toHaveAccessibleDescription(words.connect.willOpen(name));
    await address(page).press('Enter');
    await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  });

  test('opens none of several services that share a name if none is marked, and asks which', async ({ openWindow }) => {
    const shown = { connections: [aConnection({ url: 'https://one.example/mcp' })] };
    const { page } = await openWindow({ answers, snapshots: shown });
    await page.locator('.connection-list button').first().click();
    const heading = page.getByRole('heading', { level: 2 });
    await address(page).fill('Google');
    await address(page).press('Enter');
    await expect(page.getByText(words.connect.inputNotes.services('Google'))).toBeVisible();
    await expect(heading.filter({ hasText: 'Google' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Google Drive', exact: true }).click();
    await expect(heading.filter({ hasText: 'Google Drive' })).toBeVisible();
    await address(page).fill('GitHub');
    await address(page).press('Enter');
    await expect(heading.filter({ hasText: 'GitHub' })).toBeVisible();
  });

  test('leads from a tile to the sign-in page in two clicks if nothing is to set up', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ at: 'connect', answers, snapshots: { integrations: [] } });
    await tile(page, 'Notion').click();
    const url = 'https://mcp.notion.com/mcp';
    await expect.poll(calls).toContainEqual({ call: 'connection:discover', input: { url, options: {} } });
    const verdict = aVerdict({ serverHost: 'mcp.notion.com', authorizationServerHost: 'mcp.notion.com' });
    const checking = aConnection({ url, name: '', verdict: undefined, state: { name: 'discovering' } });
    const card = page.getByRole('region', { name: words.connect.card.title('Notion') });
    await publish({ connections: [checking] });
    await expect(card).toBeVisible();
    await publish({ connections: [aConnection({ url, name: '', verdict })] });
    await expect(card.locator('strong')).toHaveText('mcp.notion.com');
    await card.getByRole('button', { name: words.connect.start.registersItself('Notion'), exact: true }).click();
    await expect
      .poll(calls)
      .toContainEqual({ call: 'connection:start', input: { id: 'c1', name: 'Notion', options: {} } });
  });

  test('shows on the card what users of a service should know first', async ({ openWindow }) => {
    const sentry = aConnection({ url: 'https://mcp.sentry.dev/mcp', verdict: aVerdict() });
    const { page } = await openWindow({ answers, snapshots: { connections: [sentry] } });
    await page.locator('.connection-list button').first().click();
    await expect(page.locator('.connect-card').getByText('Not for self-hosted Sentry.')).toBeVisible();
  });

  test('says before the check what a service accepts or requires', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await address(page).fill('Figma');
    await address(page).press('Enter');
    await expect(page.locator('.known-service .notice.ask')).toContainText('Figma');
    await address(page).fill('https://mcp.asana.com/sse');
    await address(page).press('Enter');
    await page.getByRole('button', { name: words.catalog.check, exact: true }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://mcp.asana.com/v2/mcp', options: {} },
    });
  });

  test('recognizes a name entered before the catalog was loaded', async ({ openWindow }) => {
    const { page } = await openWindow({ ownPage: true, answers });
    const loading = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    await page.route(/known-servers/u, async (route) => {
      requested.resolve();
      await loading.promise;
      await route.fallback();
    });
    // The drawings of connected servers load it at the start.
    await page.reload({ waitUntil: 'domcontentloaded' });
    await requested.promise;
    await page.getByRole('button', { name: 'Connect a server' }).first().click();
    await address(page).fill('Google Cloud');
    await address(page).press('Enter');
    loading.resolve();
    await expect(page.getByRole('heading', { name: 'Google Cloud', level: 2 })).toBeVisible();
  });

  test('fills in an address template, and no value can change its host', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await address(page).fill('Google Cloud');
    await address(page).press('Enter');
    await expect(page.getByRole('button', { name: words.catalog.check, exact: true })).toBeDisabled();
    await page.getByLabel(/^Service, such as/).fill('https://evil.example/?#@');
    await expect(page.locator('.known-address')).toHaveText('https://evil.example.googleapis.com/mcp');
    await page.getByLabel(/^Service, such as/).fill(' compute ');
    await page.getByRole('button', { name: words.catalog.check, exact: true }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://compute.googleapis.com/mcp', options: {} },
    });
  });
});

test.describe('a service that publishes no endpoints', () => {
  test('can use those of the catalog, shown with their host, after a click', async ({ openWindow }) => {
    const verdict = aVerdict({ kind: 'couldNotTell', method: 'NoAuth', namedService: 'github.com' });
    const { page, calls } = await openWindow({
      answers,
      snapshots: { connections: [aConnection({ url: gitHub, verdict })] },
    });
    await page.locator('.connection-list button').first().click();
    await expect(
      page.locator('.option-card').filter({ hasText: words.catalog.endpointsTitle('GitHub') }),
    ).toContainText('github.com');
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    await page.getByRole('button', { name: 'Sign in there' }).click();
    const endpoints = {
      authorization: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
    };
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { id: 'c1', url: gitHub, options: { ...options, endpoints } },
    });
  });

  test('does not offer them for other servers that name the same service', async ({ openWindow }) => {
    const verdict = aVerdict({ kind: 'couldNotTell', method: 'NoAuth', namedService: 'github.com' });
    const url = 'https://api.githubcopilot.com.evil.example/mcp/';
    const { page } = await openWindow({ answers, snapshots: { connections: [aConnection({ url, verdict })] } });
    await page.locator('.connection-list button').first().click();
    await expect(page.getByLabel('Authorization endpoint')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in there' })).toHaveCount(0);
  });

  test('adds the scheme to a key and leaves a complete value unchanged', async ({ openWindow }) => {
    const verdict = aVerdict({ kind: 'couldNotTell', method: 'NoAuth' });
    const { page, calls } = await openWindow({
      answers: { ...answers, 'connection:start': null },
      snapshots: { connections: [aConnection({ url: 'https://mcp.pagerduty.com/mcp', verdict })] },
    });
    await page.locator('.connection-list button').first().click();
    for (const value of ['abc', 'Other abc']) {
      await page.getByLabel('Key', { exact: true }).fill(value);
      await page.getByRole('button', { name: 'Add with this key' }).click();
    }
    for (const value of ['Token abc', 'Other abc']) {
      const header = { name: 'Authorization', value };
      await expect.poll(calls).toContainEqual({ call: 'connection:start', input: { id: 'c1', header } });
    }
  });
});

test('the setup steps of a service link its page next to the callback URL', async ({ openWindow }) => {
  const asking = windowStates.find(({ name }) => name === 'credentials-recipe')?.snapshots ?? {};
  const { page, calls } = await openWindow({ answers, snapshots: asking });
  await page.locator('.connection-list button').first().click();
  const card = page.locator('.connect-card');
  await card.getByRole('button', { name: /OAuth apps at GitHub/ }).click();
  await expect.poll(calls).toContainEqual({ call: 'desktop:openPage', input: { service: 'GitHub', page: 'oauthApp' } });
  await expect(card.getByLabel('Callback URL', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(calls).toContainEqual({ call: 'desktop:copy', input: { kind: 'callbackUrl', id: 'c1' } });
});
