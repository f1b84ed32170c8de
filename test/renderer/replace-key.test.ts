import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anError } from './fixtures.ts';
import { aKeyServer } from './list-fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();
const refused = anError({ code: 'API_KEY_REFUSED', message: 'weather.example refuses this API key.' });

const type = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('option', { name: 'Weather' }).click();
  await page.getByRole('button', { name: 'Replace key…' }).first().click();
  await page.getByLabel('New value of the header X-API-Key').fill(key);
  await page.getByRole('button', { name: 'Replace key', exact: true }).click();
};

describe('Replace key…', () => {
  it('hands the new key to main, and keeps nothing of it in the window', async () => {
    await withRenderer({ snapshots: { integrations: [aKeyServer()] } }, async ({ page, calls }) => {
      await type(page, 'a-new-key');
      await page.getByText('The server has taken the new key.').waitFor();
      expect(await calls()).toContainEqual({
        call: 'integration:replaceKey',
        input: { id: 'weather', value: 'a-new-key' },
      });
      await page.getByRole('button', { name: 'Replace key…' }).click();
      expect(await page.getByLabel('New value of the header X-API-Key').inputValue()).toBe('');
    });
  });

  it('says what the server said, and loses nothing that was typed', async () => {
    const answers = { 'integration:replaceKey': { error: refused } };
    await withRenderer({ snapshots: { integrations: [aKeyServer()] }, answers }, async ({ page }) => {
      await type(page, 'a-wrong-key');
      await page.getByText('weather.example refuses this API key.').waitFor();
      const field = page.getByLabel('New value of the header X-API-Key');
      expect(await field.inputValue()).toBe('a-wrong-key');
      expect(await field.getAttribute('type')).toBe('password');
    });
  });

  it('is the button of a server whose key is refused; there is nothing to sign in to', async () => {
    const integrations = [aKeyServer({ status: { name: 'signInAgain', error: refused } })];
    await withRenderer({ snapshots: { integrations } }, async ({ page, calls }) => {
      await type(page, 'a-new-key');
      await expect.poll(calls).toContainEqual({
        call: 'integration:replaceKey',
        input: { id: 'weather', value: 'a-new-key' },
      });
      expect(await page.getByRole('button', { name: /sign in again/iu }).count()).toBe(0);
    });
  });
});
