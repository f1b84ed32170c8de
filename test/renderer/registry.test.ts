import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { openAdvancedSettings } from './app-fixtures.ts';
import { aDesktop } from './fixtures.ts';
import type { Answers } from './open-renderer.ts';
import { aRegistryServer, aRemote, searchButton, someServers } from './registry-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const own = aDesktop().settings;
const on = {
  desktop: aDesktop({ settings: { ...own, searchesRegistry: true, registry: 'https://registry.corp.example' } }),
};
const answers = {
  'registry:search': { servers: [...someServers], leftOut: 0, isPartial: false, askedAt: 0 },
  'registry:stop': null,
  'settings:update': null,
  'connection:discover': { id: 'c1' },
} satisfies Answers;
const address = (page: Page) => page.getByLabel('Server address');
const choice = (page: Page) => page.getByRole('checkbox', { name: 'Search the MCP registry too' });
const searching = (page: Page) => page.getByRole('button', { name: searchButton });
const row = (page: Page, text: string) => page.locator('.registry-row').filter({ hasText: text });

test.describe('the search of the MCP registry', () => {
  test('is off by default, says where the query would go, and sends nothing before a click', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ at: 'connect', answers });
    await expect(choice(page)).toHaveCount(0);
    await address(page).fill('pages');
    await expect(choice(page)).not.toBeChecked();
    await expect(choice(page)).toHaveAccessibleDescription(/registry\.modelcontextprotocol\.io/);
    await choice(page).click();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'settings:update', input: { searchesRegistry: true } });
    await publish(on);
    await expect(searching(page)).toHaveText(/registry\.corp\.example.*pages/);
    expect((await calls()).map(({ call }) => call)).not.toContain('registry:search');
    await searching(page).click();
    const expectedCall = { call: 'registry:search', input: { call: expect.any(String), words: 'pages' } };
    await expect
      .poll(async () => (await calls()).filter(({ call }) => call === 'registry:search'))
      .toEqual([expectedCall]);
  });

  test('sends no address, no command and no pasted text', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', snapshots: on, answers });
    for (const typed of ['mcp.example.com', 'npx secret-server --key abc', 'x'.repeat(100), 'a']) {
      await address(page).fill(typed);
      await expect(choice(page)).toHaveCount(0);
    }
    await address(page).fill('pages');
    await expect(choice(page)).toBeVisible();
  });

  test('ends when the user keeps typing, and on Cancel', async ({ openWindow }) => {
    const never = { ...answers, 'registry:search': 'never' as const };
    const { page, calls } = await openWindow({ at: 'connect', snapshots: on, answers: never });
    const stopped = async () => (await calls()).filter(({ call }) => call === 'registry:stop').length;
    await address(page).fill('pages');
    await searching(page).click();
    await expect(page.getByRole('status').filter({ hasText: 'registry.corp.example' })).toBeVisible();
    await address(page).fill('pages of');
    await expect.poll(stopped).toBe(1);
    await searching(page).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(stopped).toBe(2);
    await expect(searching(page)).toBeVisible();
  });

  test('marks third-party entries as such, and a known service as itself (MR-11)', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', snapshots: on, answers });
    await address(page).fill('pages');
    await searching(page).click();
    const pretender = row(page, 'notion.evil.example');
    await expect(pretender.getByRole('heading')).toHaveText('io.github.someone/n0tion');
    await expect(pretender).toContainText('Not verified');
    await expect(pretender).toContainText('mcp.notion.com');
    await expect(pretender.locator('.service-icon, img')).toHaveCount(0);
    const known = page.locator('.registry-row:has(.service-icon)');
    await expect(known.getByRole('heading')).toHaveText('Notion');
    await expect(known).not.toContainText('Not verified');
    // The older transport is usable too.
    await expect(row(page, 'Old pages').getByRole('button')).toHaveCount(1);
    await known.getByRole('button').click();
    const input = { url: 'https://mcp.notion.com/mcp', options: {} };
    await expect.poll(calls).toContainEqual({ call: 'connection:discover', input });
  });

  test('connects nothing on selection, and checks the completed address', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', snapshots: on, answers });
    await address(page).fill('pages');
    await searching(page).click();
    const tenants = row(page, 'Pages for companies');
    await tenants.getByRole('button', { name: /^Choose/ }).click();
    await expect(tenants).toContainText('X-API-Key');
    const check = tenants.getByRole('button', { name: words.registry.check, exact: true });
    await expect(check).toBeDisabled();
    await tenants.getByLabel('tenant').fill('https://evil.example/?#@');
    await expect(tenants.locator('.known-address')).toHaveText('https://evil.example.example.com/eu/mcp');
    await tenants.getByLabel('tenant').fill('acme');
    await tenants.getByLabel('region').selectOption('us');
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    await check.click();
    const url = 'https://acme.example.com/us/mcp';
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({
        call: 'connection:discover',
        input: { url, options: {} },
      });
  });

  test('is still there after a closed result and another page, with its input', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', snapshots: on, answers });
    await address(page).fill('pages');
    await searching(page).click();
    const tenants = row(page, 'Pages for companies');
    await tenants.getByRole('button', { name: /^Choose/ }).click();
    await tenants.getByLabel('tenant').fill('acme');
    await tenants.getByRole('button', { name: /^Close/ }).click();
    await tenants.getByRole('button', { name: /^Choose/ }).click();
    await expect(tenants.getByLabel('tenant')).toHaveValue('acme');
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await expect(tenants).toHaveCount(0);
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await address(page).fill('pages');
    await expect(tenants.getByLabel('tenant')).toHaveValue('acme');
    await expect.poll(async () => (await calls()).filter(({ call }) => call === 'registry:search')).toHaveLength(1);
  });

  test('shows third-party text as plain text (MR-10)', async ({ openWindow }) => {
    const evil = '<img src=x onerror=alert(1)><a href="https://evil.example">x</a>';
    const remotes = [aRemote({ headers: [{ name: 'X-Key', what: evil }] })];
    const servers = [aRegistryServer('com.example/x', { title: evil, does: evil, remotes })];
    const found = { ...answers, 'registry:search': { ...answers['registry:search'], servers } };
    const { page } = await openWindow({ at: 'connect', snapshots: on, answers: found });
    await address(page).fill('pages');
    await searching(page).click();
    await page.getByRole('button', { name: /^Choose/ }).click();
    await expect(page.locator('.registry-rows').getByText(evil)).not.toHaveCount(0);
    await expect(page.locator('.registry-rows :is(img, a)')).toHaveCount(0);
  });
});

test.describe('the registry in the settings', () => {
  test('can be replaced by its address, and an invalid address is explained', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers });
    await openAdvancedSettings(page);
    const section = page.getByRole('region', { name: 'MCP registry' });
    const field = section.getByLabel('Address');
    const announcements: string[] = [];
    for (const wrong of ['http://registry.example.com', 'https://a:b@registry.example.com', 'https://x.example/?a']) {
      await field.fill(wrong);
      await field.press('Enter');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      announcements.push(await section.locator('.field-error').innerText());
    }
    expect(new Set(announcements).size).toBe(3);
    await field.fill('hub.example.com/org/v0.1/servers');
    await field.press('Enter');
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'settings:update', input: { registry: 'https://hub.example.com/org' } });
  });

  test('resets to the official one', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: on, answers });
    await openAdvancedSettings(page);
    await page.getByRole('button', { name: 'Use the official registry' }).click();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'settings:update', input: { registry: null } });
  });
});
