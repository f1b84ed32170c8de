import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { anError } from './fixtures.ts';
import { aKeyServer } from './list-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const refused = anError({ code: 'API_KEY_REFUSED', message: 'weather.example refuses this API key.' });

const type = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('option', { name: 'Weather' }).click();
  await page.getByRole('button', { name: 'Replace key…' }).first().click();
  await page.getByLabel('New value for the header X-API-Key').fill(key);
  await page.getByRole('button', { name: 'Replace key', exact: true }).click();
};

test.describe('Replace key…', () => {
  test('hands the new key to main and does not store it in the window', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { integrations: [aKeyServer()] } });
    await type(page, 'a-new-key');
    await expect(page.getByText(words.account.keyReplaced)).toBeVisible();
    await expect.poll(calls).toContainEqual({
      call: 'integration:replaceKey',
      input: { id: 'weather', value: 'a-new-key' },
    });
    await page.getByRole('button', { name: 'Replace key…' }).click();
    await expect(page.getByLabel('New value for the header X-API-Key')).toHaveValue('');
  });

  test('shows the server’s error and keeps what was typed', async ({ openWindow }) => {
    const answers = { 'integration:replaceKey': { error: refused } };
    const { page } = await openWindow({ snapshots: { integrations: [aKeyServer()] }, answers });
    await type(page, 'a-wrong-key');
    await expect(page.getByText(refused.message)).toBeVisible();
    const field = page.getByLabel('New value for the header X-API-Key');
    await expect(field).toHaveValue('a-wrong-key');
    await expect(field).toHaveAttribute('type', 'password');
  });

  test('is the button of a server whose key is rejected, instead of a sign-in', async ({ openWindow }) => {
    const integrations = [aKeyServer({ status: { name: 'signInAgain', error: refused } })];
    const { page, calls } = await openWindow({ snapshots: { integrations } });
    await type(page, 'a-new-key');
    await expect.poll(calls).toContainEqual({
      call: 'integration:replaceKey',
      input: { id: 'weather', value: 'a-new-key' },
    });
    await expect(page.getByRole('button', { name: /sign in again/iu })).toHaveCount(0);
  });
});
