import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anError, anIntegrationView } from './fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();

const call = 'storage:deleteEverything';
const deleted = { servers: 2, signIns: 1, ended: 1, endsByItself: 0, registrationsLeft: 0 };
const integrations = [anIntegrationView(), anIntegrationView({ id: 'open', name: 'Open', method: 'NoAuth' })];
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete all data of Postern?' });

/** With the keyboard alone: from the settings to the button that deletes. */
async function ask(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('button', { name: 'Delete all data…' }).focus();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
}

async function confirm(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete all data');
  await page.keyboard.press('Enter');
}

describe('deleting all data', () => {
  it('says what goes and what stays, with the way back first, and asks main for nothing before the yes (KC-15)', async () => {
    await withRenderer({ snapshots: { integrations } }, async ({ page, calls }) => {
      await ask(page);
      const text = (await dialog(page).textContent()) ?? '';
      expect(text).toContain('2 servers, with name, address and options');
      expect(text).toContain('1 sign-in and API keys');
      expect(text).toContain('your accounts at the services');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Delete all data…');
      expect((await calls()).map((made) => made.call)).not.toContain(call);
    });
  });

  it('counts down, closes for nobody while it runs, and takes no second click', async () => {
    await withRenderer(
      { snapshots: { integrations }, answers: { [call]: 'never' } },
      async ({ page, calls, publish }) => {
        await ask(page);
        await confirm(page);
        await page.getByText('2 servers left. This cannot be stopped half-way.').waitFor();
        await publish({ integrations: [] });
        await page.getByText('Telling the services.').waitFor();
        await page.keyboard.press('Escape');
        await page.keyboard.press('Enter');
        await dialog(page).getByRole('button', { name: 'Close' }).click();
        expect(await dialog(page).isVisible()).toBe(true);
        expect((await calls()).filter((made) => made.call === call)).toEqual([{ call, input: {} }]);
      },
    );
  });

  it('ends where a first start begins, with what was done', async () => {
    await withRenderer({ snapshots: { integrations }, answers: { [call]: deleted } }, async ({ page }) => {
      await ask(page);
      await confirm(page);
      await page.getByText('1 sign-in removed from the keychain.').waitFor();
      await page.getByText('The services have ended the access of 1 sign-in.').waitFor();
      await page.getByRole('heading', { name: 'Connect a server' }).waitFor();
    });
  });

  it('says what stayed, and goes on from there', async () => {
    const failure = anError({
      code: 'KC_LOCKED',
      stage: 'storage',
      message: 'Your keychain is locked.',
      nextStep: 'Unlock it, then try again.',
      retryable: true,
    });
    const answers = { [call]: { ...deleted, ended: 0, endsByItself: 1, failure } };
    await withRenderer({ snapshots: { integrations }, answers }, async ({ page }) => {
      await ask(page);
      await confirm(page);
      await page.getByText('2 servers and 1 sign-in are deleted; something is still here.').waitFor();
      await page.getByText('Your keychain is locked.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await dialog(page).waitFor();
    });
  });
});
