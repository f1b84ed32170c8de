import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anIntegrationView, options } from './fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();

const open = async (page: Page): Promise<void> => {
  await page.getByRole('option', { name: 'Linear' }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
};
const save = async (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
const endpoints = { authorization: 'https://as.example/authorize', token: 'https://as.example/token' };

describe('the settings of a server', () => {
  it('take where its sign-in page opens, and endpoints by hand', async () => {
    await withRenderer({}, async ({ page, calls }) => {
      await open(page);
      await page.getByLabel('Where the sign-in page opens').selectOption('browser');
      await page.getByText('Sign-in addresses by hand').click();
      await page.getByLabel('Authorization endpoint').fill(endpoints.authorization);
      await page.getByLabel('Token endpoint').fill('as.example/token');
      await save(page);
      await page.getByText('This is not a whole address.').waitFor();
      expect((await calls()).map(({ call }) => call)).not.toContain('integration:update');
      await page.getByLabel('Token endpoint').fill(endpoints.token);
      await save(page);
      await expect.poll(calls).toContainEqual({
        call: 'integration:update',
        input: { id: 'linear', name: 'Linear', options: { ...options, signInSurface: 'browser', endpoints } },
      });
    });
  });

  it('take both back', async () => {
    const integrations = [anIntegrationView({ options: { ...options, signInSurface: 'popup', endpoints } })];
    await withRenderer({ snapshots: { integrations } }, async ({ page, calls }) => {
      await open(page);
      expect(await page.getByLabel('Where the sign-in page opens').inputValue()).toBe('popup');
      await page
        .getByLabel('Where the sign-in page opens')
        .selectOption({ label: 'As in Settings: in a window of Postern' });
      await page.getByLabel('Authorization endpoint').fill('');
      await page.getByLabel('Token endpoint').fill('');
      await save(page);
      await expect.poll(calls).toContainEqual({
        call: 'integration:update',
        input: { id: 'linear', name: 'Linear', options: { ...options, signInSurface: null, endpoints: null } },
      });
    });
  });
});
