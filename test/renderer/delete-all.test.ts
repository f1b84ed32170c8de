import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { anError, anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const call = 'storage:deleteEverything';
const deleted = { servers: 2, signIns: 1, ended: 1, endsByItself: 0, registrationsLeft: 0 };
const integrations = [anIntegrationView(), anIntegrationView({ id: 'open', name: 'Open', method: 'NoAuth' })];

/** By keyboard: from Settings to the button that asks main. */
async function ask(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('button', { name: 'Delete all data…' }).focus();
  await page.keyboard.press('Enter');
}

test.describe('deleting all data', () => {
  test('says what is deleted and what stays, and main asks for confirmation (KC-15)', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers: { [call]: null } });
    await ask(page);
    await expect
      .poll(async () => (await calls()).filter((made) => made.call === call))
      .toEqual([{ call, input: { entries: [] } }]);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain(words.deletion.deletedServers(2));
    expect(text).toContain(words.deletion.deletedSignIns(1));
    expect(text).toContain('your accounts at the services');
    // Only main asks, not this page.
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Delete all data…' })).toBeVisible();
    await expect(page.getByText(words.deletion.done(1))).toHaveCount(0);
  });

  test('counts down while deleting and ignores a second click', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: { integrations }, answers: { [call]: 'never' } });
    await ask(page);
    await expect(page.getByText(words.deletion.serversLeft(2))).toHaveCount(0);
    await publish({ integrations: integrations.slice(1) });
    await expect(page.getByText(words.deletion.serversLeft(1))).toBeVisible();
    await publish({ integrations: [] });
    await expect(page.getByText(words.deletion.serversLeft(0))).toBeVisible();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await calls()).filter((made) => made.call === call))
      .toEqual([{ call, input: { entries: [] } }]);
  });

  test('ends at the first-start page with a summary', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations }, answers: { [call]: deleted } });
    await ask(page);
    await expect(page.getByText(words.deletion.done(1))).toBeVisible();
    await expect(page.getByText(words.deletion.revoked(1))).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Connect a server' })).toBeVisible();
  });

  test('says what is left, and continues from there', async ({ openWindow }) => {
    const failure = anError({
      code: 'KC_LOCKED',
      stage: 'storage',
      message: 'Your keychain is locked.',
      retryable: true,
    });
    const answers = { [call]: { ...deleted, ended: 0, endsByItself: 1, failure } };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
    await ask(page);
    await expect(page.getByText(words.deletion.partly(2, 1))).toBeVisible();
    await expect(page.getByText('Your keychain is locked.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await calls()).filter((made) => made.call === call).length).toBe(2);
  });
});
