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

  it('take another client secret, and the day on which it ends', async () => {
    await withRenderer({}, async ({ page, calls }) => {
      await open(page);
      await page.getByLabel('Client ID').fill('notes-app');
      await page.getByLabel('Client secret').fill('a-new-secret');
      await page.getByLabel('The secret ends on').fill('2027-05-31');
      await page.getByRole('button', { name: 'Save credentials' }).click();
      await expect.poll(calls).toContainEqual({
        call: 'integration:setCredentials',
        input: {
          id: 'linear',
          clientId: 'notes-app',
          clientSecret: 'a-new-secret',
          secretExpiresAt: Date.UTC(2027, 4, 31),
        },
      });
      // Nothing of it stays in the window.
      expect(await page.getByLabel('The secret ends on').inputValue()).toBe('');
      await page.getByLabel('Client ID').fill('notes-app');
      await page.getByRole('button', { name: 'Save credentials' }).click();
      await expect.poll(calls).toContainEqual({
        call: 'integration:setCredentials',
        input: { id: 'linear', clientId: 'notes-app' },
      });
    });
  });

  it.each([
    [5, 'The client secret ends in 5 days.'],
    [-1, 'The client secret has ended.'],
  ])('are led to when the client secret ends in %i days', async (days, title) => {
    const clientSecretExpiresAt = Date.now() + days * 86_400_000;
    const integrations = [anIntegrationView({ method: 'OAuth', clientSecretExpiresAt })];
    await withRenderer({ snapshots: { integrations } }, async ({ page }) => {
      await page.getByRole('option', { name: 'Linear' }).click();
      await page.getByText(title).waitFor();
      await page.getByRole('button', { name: 'Replace the secret' }).click();
      await page.getByLabel('The secret ends on').waitFor();
    });
  });

  it('are not spoken of while the client secret has time', async () => {
    const integrations = [anIntegrationView({ method: 'OAuth', clientSecretExpiresAt: Date.now() + 8 * 86_400_000 })];
    await withRenderer({ snapshots: { integrations } }, async ({ page }) => {
      await page.getByRole('option', { name: 'Linear' }).click();
      await page.getByText('Client secret ends').waitFor();
      expect(await page.getByRole('button', { name: 'Replace the secret' }).count()).toBe(0);
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
