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

  test('filters services by category', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers });
    await page.getByRole('button', { name: 'No sign-in', exact: true }).click();
    await expect(tile(page, 'Microsoft Learn')).toBeVisible();
    await expect(tile(page, 'Linear')).toHaveCount(0);
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
    // The list of servers already asks for it.
    await page.reload();
    await page.getByRole('button', { name: 'Connect a server' }).first().click();
    await requested.promise;
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
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /OAuth apps at GitHub/ }).click();
  await expect.poll(calls).toContainEqual({ call: 'desktop:openPage', input: { service: 'GitHub', page: 'oauthApp' } });
  await expect(dialog.getByLabel('Callback URL', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(calls).toContainEqual({ call: 'desktop:copy', input: { kind: 'callbackUrl', id: 'c1' } });
});
