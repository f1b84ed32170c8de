import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { RunningPostern } from './kit/open-postern.ts';
import { closePopup, connected, look, runTool, signIn, start } from './kit/user-actions.ts';
import { shiftClock } from './kit/shift-clock.ts';
import { expect, test } from './kit/window-test.ts';

const minute = 60_000;
const typedClient = {
  id: 'typed-client',
  secret: 'right-secret-of-the-typed-client',
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
};

/** Ways to end a sign-in at its page. */
const ends: readonly { readonly how: string; readonly end: (postern: RunningPostern, popup: Page) => Promise<void> }[] =
  [
    { how: 'was denied on its page', end: (_postern, popup) => signIn(popup, 'Deny') },
    { how: 'was ended by closing its window', end: async (_postern, popup) => closePopup(popup) },
    {
      how: 'was cancelled',
      end: ({ page }) => page.getByRole('button', { name: words.common.cancel, exact: true }).click(),
    },
  ];

test.describe('a sign-in that does not succeed', () => {
  test('says that it was denied on the sign-in page, saves nothing, and can start again', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Denied');
    await signIn(await postern.popup(as.origin), 'Deny');
    await expect(page.getByText(describeError('USER_DENIED', { host: new URL(as.origin).host }).message)).toBeVisible();
    await expect.poll(() => postern.popups()).toEqual([]);
    expect(requestsTo(as, '/token')).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Denied');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('ends when its window is closed', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Closed');
    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    const link = new URL(requestsTo(as, '/authorize')[0]?.query.get('redirect_uri') ?? '');
    closePopup(popup);
    await expect(page.getByText(describeError('USER_CANCELLED', {}).message)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(fetch(link)).rejects.toThrow();
    expect(requestsTo(as, '/token')).toEqual([]);
    await expect(page.locator('.integration-row')).toHaveCount(0);
  });

  test('ends in the browser too once cancelled here, and says so (AZ-24)', async ({ openPostern }) => {
    const { mcp } = await startPair();
    const { page } = await openPostern({ env: { BROWSER: `${process.execPath} --eval 0` } });
    await look(page, mcp.url);
    await start(page, 'signIn');
    await page.getByRole('button', { name: 'Use my browser instead' }).click();
    await page.getByText(words.signIn.trouble).click();
    await expect(page.getByText(words.connect.pageLeft)).toHaveCount(0);
    await page.getByRole('button', { name: words.common.cancel, exact: true }).click();
    await expect(page.getByText(words.connect.pageLeft)).toBeVisible();
    // No Postern window stays open.
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Use my browser instead' }).waitFor();
    await page.getByRole('button', { name: words.common.cancel, exact: true }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(page.getByText(words.connect.pageLeft)).toHaveCount(0);
  });

  for (const { how, end } of ends)
    test(`and ${how} keeps the address, name, options and OAuth app, and says what to register`, async ({
      openPostern,
    }) => {
      const { as, mcp } = await startPair({ registration: 'off', typedClients: [typedClient] });
      const postern = await openPostern();
      const { page } = postern;
      const address = mcp.url.replace('http://', '');
      await look(page, address);
      await start(page, 'enterClientId', 'Typed');
      const card = page.locator('.connect-card');
      await card.getByLabel('Client ID').fill(typedClient.id);
      await card.getByLabel('Client secret').fill(typedClient.secret);
      await card.getByText(words.credentials.advanced).click();
      await card.getByLabel('How the secret is sent').selectOption('client_secret_post');
      await card.getByRole('button', { name: /^Sign in to /u }).click();
      const popup = await postern.popup(as.origin);
      await popup.getByLabel('User name').waitFor();
      await end(postern, popup);

      const callback = requestsTo(as, '/authorize')[0]?.query.get('redirect_uri') ?? '';
      await expect(page.getByText(words.connect.callbackRefused)).toBeVisible();
      await expect(page.getByText(callback, { exact: true })).toBeVisible();
      await expect(page.getByLabel('Server address')).toHaveValue(mcp.url);
      await expect(page.locator('.connection-list').getByRole('button', { name: 'Typed' })).toHaveCount(1);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(card.getByLabel('Client ID')).toHaveValue(typedClient.id);
      await expect(card.getByText('saved', { exact: true })).toBeVisible();
      await expect(card.getByLabel('How the secret is sent')).toHaveValue('client_secret_post');
      await expect(card.getByText(callback, { exact: true })).toBeVisible();
      await card.getByRole('button', { name: /^Sign in to /u }).click();
      await signIn(await postern.popup(as.origin));
      await connected(page, 'Typed');
      expect(requestsTo(as, '/token').at(-1)?.body?.['client_secret']).toBe(typedClient.secret);
    });

  test('ends when its page closes itself, and its window is gone', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page, window } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Closes itself');
    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    await popup.evaluate(() => setTimeout(() => close()));
    await expect(page.getByText(describeError('USER_CANCELLED', {}).message)).toBeVisible();
    const left = await window.evaluate(({ BaseWindow, webContents }) => [
      BaseWindow.getAllWindows().length,
      webContents.getAllWebContents().filter((contents) => contents.getURL().includes('sign-in-bar')).length,
    ]);
    expect(left).toEqual([1, 0]);
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  test('expires after ten minutes, whatever the page does later (spec 2.7)', async ({ openPostern }) => {
    const { as, mcp } = await startPair({ registration: 'off', typedClients: [typedClient] });
    const postern = await openPostern();
    const { page } = postern;
    const pass = await shiftClock(postern.window);
    await look(page, mcp.url);
    await start(page, 'enterClientId', 'Slow');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(typedClient.id);
    await card.getByLabel('Client secret').fill(typedClient.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    await pass(9.9 * minute);
    await expect(page.getByRole('heading', { name: words.signIn.inPopup.title })).toBeVisible();
    expect(popup.isClosed()).toBe(false);
    await pass(0.2 * minute);
    await expect(page.getByText(words.errors.stages.authorization)).toBeVisible();
    await expect(page.getByText('STATE_EXPIRED')).toBeVisible();
    await expect.poll(() => postern.popups()).toEqual([]);
    await expect(page.getByText(words.connect.callbackRefused)).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(card.getByLabel('Client ID')).toHaveValue(typedClient.id);
    await expect(card.getByText('saved', { exact: true })).toBeVisible();
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Slow');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });
});
