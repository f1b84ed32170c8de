import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anError, anIntegrationView } from './fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();

const call = 'storage:deleteEverything';
const deleted = { servers: 2, signIns: 1, ended: 1, endsByItself: 0, registrationsLeft: 0 };
const integrations = [anIntegrationView(), anIntegrationView({ id: 'open', name: 'Open', method: 'NoAuth' })];

/** With the keyboard alone: from the settings to the button that asks main. */
async function ask(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('button', { name: 'Delete all data…' }).focus();
  await page.keyboard.press('Enter');
}

describe('deleting all data', () => {
  it('says what goes and what stays, and leaves the question to main (KC-15)', async () => {
    await withRenderer({ snapshots: { integrations }, answers: { [call]: null } }, async ({ page, calls }) => {
      await ask(page);
      await expect
        .poll(async () => (await calls()).filter((made) => made.call === call))
        .toEqual([{ call, input: {} }]);
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).toContain('2 servers, with name, address and options');
      expect(text).toContain('1 sign-in and API keys');
      expect(text).toContain('your accounts at the services');
      // One question, and it is not of this page.
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.getByRole('button', { name: 'Delete all data…' }).waitFor();
      expect(await page.getByText('removed from the keychain').count()).toBe(0);
    });
  });

  it('counts down once something goes, and takes no second click', async () => {
    await withRenderer(
      { snapshots: { integrations }, answers: { [call]: 'never' } },
      async ({ page, calls, publish }) => {
        await ask(page);
        expect(await page.getByText('servers left').count()).toBe(0);
        await publish({ integrations: integrations.slice(1) });
        await page.getByText('1 server left.').waitFor();
        await publish({ integrations: [] });
        await page.getByText('Telling the services.').waitFor();
        await page.keyboard.press('Enter');
        expect((await calls()).filter((made) => made.call === call)).toEqual([{ call, input: {} }]);
      },
    );
  });

  it('ends where a first start begins, with what was done', async () => {
    await withRenderer({ snapshots: { integrations }, answers: { [call]: deleted } }, async ({ page }) => {
      await ask(page);
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
      retryable: true,
    });
    const answers = { [call]: { ...deleted, ended: 0, endsByItself: 1, failure } };
    await withRenderer({ snapshots: { integrations }, answers }, async ({ page, calls }) => {
      await ask(page);
      await page.getByText('2 servers and 1 sign-in are deleted; something is still here.').waitFor();
      await page.getByText('Your keychain is locked.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(async () => (await calls()).filter((made) => made.call === call).length).toBe(2);
    });
  });
});
