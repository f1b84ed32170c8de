import { describe, expect, it } from 'vitest';
import { tools } from './answer-fixtures.ts';
import { anApp } from './fixtures.ts';
import { manyIntegrations } from './list-fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();

describe('shortcuts', () => {
  it.each([
    { platform: 'linux', key: 'Control' },
    { platform: 'darwin', key: 'Meta' },
  ])('lead everywhere on $platform', async ({ platform, key }) => {
    await withRenderer({ snapshots: { app: anApp({ platform }) } }, async ({ page }) => {
      await page.keyboard.press(`${key}+,`);
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await page.keyboard.press(`${key}+n`);
      await page.getByRole('heading', { name: 'Connect a server' }).waitFor();
      expect(await page.getByLabel('Server address').evaluate((field) => field === document.activeElement)).toBe(true);
      await page.keyboard.press(`${key}+f`);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    });
  });

  it('of a menu lead to the same places', async () => {
    await withRenderer({}, async ({ page, send }) => {
      await send({ event: 'command', command: 'integration', integrationId: 'sentry' });
      await page.getByRole('heading', { name: 'Sentry' }).waitFor();
      await send({ event: 'command', command: 'about' });
      await page.getByRole('heading', { name: 'About' }).waitFor();
    });
  });
});

describe('the list of 1,000 servers', () => {
  it('is one stop for Tab; arrows, Home and End move; only rows in sight are drawn', async () => {
    await withRenderer({ snapshots: { integrations: manyIntegrations(1_000) } }, async ({ page }) => {
      await page.getByRole('listbox').focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('heading', { name: 'Server 1', exact: true }).waitFor();
      await page.keyboard.press('End');
      await page.getByRole('heading', { name: 'Server 1000' }).waitFor();
      await page.locator('.integration-row.selected').waitFor();
      expect(await page.getByRole('listbox').evaluate((list) => list === document.activeElement)).toBe(true);
      await page.keyboard.press('ArrowUp');
      await page.getByRole('heading', { name: 'Server 999' }).waitFor();
      const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Server 999');
      expect(await page.getByRole('option').count()).toBeLessThan(60);
    });
  });

  it('finds by search, and says how many', async () => {
    await withRenderer({ snapshots: { integrations: manyIntegrations(1_000) } }, async ({ page }) => {
      await page.locator('#search').fill('server 77');
      await page.getByText('19 of 1,000').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('1,000 servers').waitFor();
    });
  });
});

describe('the keyboard alone', () => {
  it('tries a tool', async () => {
    const answers = {
      'integration:tools': tools,
      'integration:callTool': { isError: false, content: [{ type: 'text' as const, text: 'It is you.', cut: false }] },
    };
    await withRenderer({ answers }, async ({ page, calls }) => {
      await page.getByRole('listbox').focus();
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
      await page.getByRole('heading', { name: 'Linear' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
      await page.getByRole('listbox', { name: 'Tools' }).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.getByRole('heading', { name: 'whoami' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('It is you.').waitFor();
      expect(await calls()).toContainEqual({
        call: 'integration:callTool',
        input: { id: 'linear', name: 'whoami', arguments: {} },
      });
    });
  });
});

describe('the theme', () => {
  it('follows the choice of the person above the system', async () => {
    const app = anApp({ theme: 'dark' });
    await withRenderer({ snapshots: { app }, colorScheme: 'light' }, async ({ page, publish }) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await ground();
      await publish({ app: anApp({ theme: 'system' }) });
      await expect.poll(ground).not.toBe(dark);
    });
  });
});
