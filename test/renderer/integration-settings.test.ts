import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { anError, anIntegrationView, options } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const open = async (page: Page): Promise<void> => {
  await page.getByRole('option', { name: 'Linear' }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
};
const openAdvanced = async (page: Page): Promise<void> =>
  page.getByText(words.integration.advanced, { exact: true }).click();
const openOAuthApp = async (page: Page): Promise<void> =>
  page.getByText(words.integration.credentialsTitle, { exact: true }).click();
const openServer = async (page: Page, name: string): Promise<void> =>
  page.getByRole('listbox', { name: 'Connected servers' }).getByRole('option', { name }).click();
const save = async (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
const endpoints = { authorization: 'https://as.example/authorize', token: 'https://as.example/token' };

test.describe('the settings of a server', () => {
  test('take where its sign-in page opens, and endpoints by hand', async ({ openWindow }) => {
    const { page, calls } = await openWindow();
    await open(page);
    await page.getByLabel('Where the sign-in page opens').selectOption('browser');
    await openAdvanced(page);
    await page.getByText(words.integration.endpoints).click();
    await page.getByLabel('Authorization endpoint').fill(endpoints.authorization);
    await page.getByLabel('Token endpoint').fill('as.example/token');
    await save(page);
    await expect(page.getByText(words.endpoints.mistakes.incomplete)).toBeVisible();
    expect((await calls()).map(({ call }) => call)).not.toContain('integration:update');
    await page.getByLabel('Token endpoint').fill(endpoints.token);
    await save(page);
    await expect.poll(calls).toContainEqual({
      call: 'integration:update',
      input: { id: 'linear', options: { signInSurface: 'browser', endpoints } },
    });
  });

  test('take a new client secret and its expiry date', async ({ openWindow }) => {
    const { page, calls } = await openWindow();
    await open(page);
    await openOAuthApp(page);
    await page.getByLabel('Client ID').fill('notes-app');
    await page.getByLabel('Client secret').fill('a-new-secret');
    await page.getByLabel('Secret expires on').fill('2027-05-31');
    await page.getByRole('button', { name: 'Save client ID and secret' }).click();
    await expect.poll(calls).toContainEqual({
      call: 'integration:setCredentials',
      input: {
        id: 'linear',
        clientId: 'notes-app',
        clientSecret: 'a-new-secret',
        secretExpiresAt: Date.UTC(2027, 4, 31),
      },
    });
    // The secret does not stay in the window.
    await expect(page.getByLabel('Secret expires on')).toHaveValue('');
    await page.getByLabel('Client ID').fill('notes-app');
    await page.getByRole('button', { name: 'Save client ID and secret' }).click();
    await expect.poll(calls).toContainEqual({
      call: 'integration:setCredentials',
      input: { id: 'linear', clientId: 'notes-app' },
    });
  });

  for (const [days, title] of [
    [5, 'The client secret expires in 5 days.'],
    [-1, 'The client secret has expired.'],
  ] as const)
    test(`are linked when the client secret expires in ${days} days`, async ({ openWindow }) => {
      const clientSecretExpiresAt = Date.now() + days * 86_400_000;
      const integrations = [anIntegrationView({ method: 'OAuth', clientSecretExpiresAt })];
      const { page } = await openWindow({ snapshots: { integrations } });
      await page.getByRole('option', { name: 'Linear' }).click();
      await expect(page.getByText(title)).toBeVisible();
      await page.getByRole('button', { name: 'Replace secret' }).click();
      await expect(page.getByLabel('Secret expires on')).toBeVisible();
    });

  test('are not mentioned while the client secret is far from expiring', async ({ openWindow }) => {
    const integrations = [anIntegrationView({ method: 'OAuth', clientSecretExpiresAt: Date.now() + 8 * 86_400_000 })];
    const { page } = await openWindow({ snapshots: { integrations } });
    await page.getByRole('option', { name: 'Linear' }).click();
    await page.getByText(words.account.details, { exact: true }).click();
    await expect(page.getByText(words.account.secretExpires)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Replace secret' })).toHaveCount(0);
  });

  test('reset both', async ({ openWindow }) => {
    const integrations = [anIntegrationView({ options: { ...options, signInSurface: 'popup', endpoints } })];
    const { page, calls } = await openWindow({ snapshots: { integrations } });
    await open(page);
    await expect(page.getByLabel('Where the sign-in page opens')).toHaveValue('popup');
    await page
      .getByLabel('Where the sign-in page opens')
      .selectOption({ label: words.integration.sameAsSettings(words.settings.surfaces.popup) });
    await openAdvanced(page);
    await page.getByLabel('Authorization endpoint').fill('');
    await page.getByLabel('Token endpoint').fill('');
    await save(page);
    await expect.poll(calls).toContainEqual({
      call: 'integration:update',
      input: { id: 'linear', options: { signInSurface: null, endpoints: null } },
    });
  });

  test('show the name and where sign-in opens, and the rest on demand', async ({ openWindow }) => {
    const { page } = await openWindow();
    await open(page);
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Where the sign-in page opens')).toBeVisible();
    await expect(page.getByLabel('Permissions to request')).toHaveCount(0);
    await expect(page.getByLabel('Client ID')).toHaveCount(0);
    await openAdvanced(page);
    await expect(page.getByLabel('Permissions to request')).toBeVisible();
  });

  test('that are not saved survive a visit to another tab or server, and their tab says so', async ({ openWindow }) => {
    const { page, calls } = await openWindow();
    const marked = page.getByRole('tab', { name: 'Settings unsaved changes' });
    await open(page);
    await expect(marked).toHaveCount(0);
    await page.getByLabel('Name', { exact: true }).fill('Tickets');
    await openAdvanced(page);
    await page.getByLabel('Permissions to request').fill('read');
    await openOAuthApp(page);
    await page.getByLabel('Client ID').fill('notes-app');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect(marked).toBeVisible();
    await openServer(page, 'Atlassian');
    await expect(page.getByRole('heading', { name: 'Atlassian' })).toBeVisible();
    await expect(marked).toHaveCount(0);
    await openServer(page, 'Linear');
    await marked.click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Tickets');
    // A changed Advanced section opens on its own.
    await expect(page.getByLabel('Permissions to request')).toHaveValue('read');
    await expect(page.getByLabel('Client ID')).toHaveValue('notes-app');
    await page.getByRole('button', { name: 'Save client ID and secret' }).click();
    await save(page);
    await expect(marked).toHaveCount(0);
    await expect.poll(calls).toContainEqual({
      call: 'integration:update',
      input: { id: 'linear', name: 'Tickets', options: { scope: 'read' } },
    });
  });

  test('that are not saved can be discarded', async ({ openWindow }) => {
    const { page } = await openWindow();
    await open(page);
    await page.getByLabel('Name', { exact: true }).fill('Tickets');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Linear');
    await expect(page.getByRole('tab', { name: 'Settings', exact: true })).toBeVisible();
  });

  test('that are not saved stay in the form when main rejects them', async ({ openWindow }) => {
    const error = anError({ stage: 'storage', message: 'Not now.' });
    const { page } = await openWindow({ answers: { 'integration:update': { error } } });
    await open(page);
    await page.getByLabel('Name', { exact: true }).fill('Tickets');
    await save(page);
    await expect(page.getByText('Not now.')).toBeVisible();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('tab', { name: 'Settings unsaved changes' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Tickets');
  });

  test('are not overwritten by a draft when main has changed others meanwhile', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: { integrations: [anIntegrationView()] } });
    await open(page);
    await page.getByLabel('Name', { exact: true }).fill('Tickets');
    const allowed = { ...options, allowedHosts: ['nas.example'], local: true };
    await publish({ integrations: [anIntegrationView({ options: allowed })] });
    await openAdvanced(page);
    await expect(page.getByLabel('Allow addresses on my computer or internal network')).toBeChecked();
    await save(page);
    await expect.poll(calls).toContainEqual({ call: 'integration:update', input: { id: 'linear', name: 'Tickets' } });
  });
});
