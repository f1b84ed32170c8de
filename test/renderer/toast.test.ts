import { words } from '../../renderer/words.ts';
import { aDeletion, aDesktop, anError } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const noOutcome = {
  ended: 1,
  endsByItself: 0,
  registrationsLeft: 0,
  notDeleted: 0,
  revocation: 'revoked',
  registration: 'deleted',
} as const;

const paused = { settings: { ...aDesktop().settings, appsPaused: true } };

test('a toast appears below the content, which stays in place and usable', async ({ openWindow }) => {
  const { page, publish, calls } = await openWindow({ width: 640, height: 720 });
  await page.getByRole('option', { name: 'Linear' }).click();
  const title = page.getByRole('heading', { name: 'Linear', level: 1 });
  const button = page.getByRole('button', { name: words.account.switchAccount });
  await button.scrollIntoViewIfNeeded();
  const before = await title.boundingBox();
  await button.focus();
  await publish({ deletions: [aDeletion({ kind: 'signOut' })] });
  const said = page.getByRole('status').filter({ hasText: words.deletion.begun.signOut('Linear', 1) });
  await expect(said).toBeVisible();
  expect(await title.boundingBox()).toEqual(before);
  // It takes the bottom of the page and covers nothing.
  const pane = await page.locator('main').boundingBox();
  const toast = await page.locator('.toast').boundingBox();
  expect((pane?.y ?? 0) + (pane?.height ?? 0)).toBeLessThanOrEqual(toast?.y ?? 0);
  for (const each of await page.locator('main').getByRole('button').all()) await each.click({ trial: true });
  await page.getByRole('button', { name: 'Settings', exact: true }).click({ trial: true });
  await publish({ deletions: [aDeletion({ kind: 'signOut', state: 'done', outcome: noOutcome })] });
  await expect(page.getByText(words.integration.revocation.revoked)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('deletion:dismiss');
  await publish({ deletions: [] });
  await expect(page.locator('.toast')).toHaveCount(0);
});

test('a removal is undone by keyboard, and the toast names what is back', async ({ openWindow }) => {
  const answers = { 'deletion:undo': { restored: 1, entriesNotRestored: ['Cursor'] } };
  const { page, publish, calls } = await openWindow({ answers });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await publish({ deletions: [aDeletion()] });
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(words.deletion.restored.remove('Linear', 1))).toBeVisible();
  await expect(page.getByText(words.deletion.entriesNotRestored(['Cursor']))).toBeVisible();
  await expect.poll(calls).toContainEqual({ call: 'deletion:undo', input: { id: 'd1' } });
});

test('names apps whose entries were not restored after a failed removal', async ({ openWindow }) => {
  const { page, send } = await openWindow({});
  await send({ event: 'entries-not-restored', apps: ['Cursor', 'Windsurf'] });
  await expect(page.locator('.toast')).toContainText(words.deletion.entriesNotRestored(['Cursor', 'Windsurf']));
});

test('a removed collection is not called final while it can be undone', async ({ openWindow }) => {
  const { page, publish } = await openWindow({ snapshots: { deletions: [aDeletion()] } });
  await expect(page.getByText(words.deletion.final)).toBeVisible();
  await publish({ deletions: [aDeletion({ name: 'My work', servers: ['+my-work'] })] });
  await expect(page.getByText(words.deletion.finalCollection)).toBeVisible();
  await expect(page.getByText(words.deletion.final)).toHaveCount(0);
});

test('a toast dismissed by keyboard restores focus', async ({ openWindow }) => {
  const { page, publish } = await openWindow({ snapshots: { desktop: aDesktop(paused) } });
  const dismiss = page.locator('.toast:visible').getByRole('button', { name: words.common.dismiss });
  const before = page.getByRole('button', { name: 'Activity', exact: true });
  await before.focus();
  await dismiss.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.toast')).toHaveCount(0);
  await expect(before).toBeFocused();
  // Its origin is gone, so the page gets the focus.
  await page.getByRole('option', { name: 'Linear' }).click();
  await page.getByRole('button', { name: words.account.switchAccount }).focus();
  await publish({ deletions: [aDeletion({ kind: 'signOut' })] });
  await page.getByRole('button', { name: 'Undo' }).focus();
  await publish({ integrations: [], deletions: [] });
  await expect(page.locator('main :focus')).toHaveCount(1);
});

test('a toast that times out does not move the focus', async ({ openWindow }) => {
  const { page, publish } = await openWindow({ snapshots: { deletions: [aDeletion()] } });
  await page.getByRole('button', { name: 'Undo' }).focus();
  const search = page.getByRole('searchbox').first();
  await search.focus();
  await publish({ deletions: [] });
  await expect(page.locator('.toast')).toHaveCount(0);
  await expect(search).toBeFocused();
});

test('a deletion cannot be undone once it has begun, and stays announced until the user leaves the page', async ({
  openWindow,
}) => {
  const answers = { 'deletion:undo': { restored: 0, entriesNotRestored: [] } };
  const { page, publish, calls } = await openWindow({ answers, snapshots: { deletions: [aDeletion()] } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(words.deletion.tooLate)).toBeVisible();
  await publish({ deletions: [aDeletion({ state: 'deleting' })] });
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await publish({ deletions: [aDeletion({ state: 'done', outcome: noOutcome })] });
  await page.getByRole('button', { name: 'Activity', exact: true }).click();
  await expect.poll(calls).toContainEqual({ call: 'deletion:dismiss', input: { id: 'd1' } });
});

test('a failed deletion is shown on every page until dismissed', async ({ openWindow }) => {
  const outcome = { ...noOutcome, failure: anError({ message: 'The keychain is locked.' }) };
  const { page, calls } = await openWindow({ snapshots: { deletions: [aDeletion({ state: 'done', outcome })] } });
  await page.getByRole('button', { name: 'Activity', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
  await expect(page.getByText('The keychain is locked.')).toBeVisible();
  expect((await calls()).map(({ call }) => call)).not.toContain('deletion:dismiss');
  await page.getByRole('button', { name: words.common.tryAgain }).click();
  await expect.poll(calls).toContainEqual({ call: 'deletion:finish', input: { id: 'd1' } });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(calls).toContainEqual({ call: 'deletion:dismiss', input: { id: 'd1' } });
});

test('a server that signed in again meanwhile is not reported as deleted', async ({ openWindow }) => {
  const outcome = { ended: 0, endsByItself: 0, registrationsLeft: 0, notDeleted: 1 };
  const signOut = aDeletion({ kind: 'signOut', state: 'done', outcome });
  const { page, publish } = await openWindow({ snapshots: { deletions: [signOut] } });
  const toast = page.locator('.toast');
  await expect(toast.getByText(words.deletion.changedMeanwhile.signOut('Linear', 1))).toBeVisible();
  await expect(toast.getByText(words.deletion.finished.signOut('Linear', 1))).toHaveCount(0);
  await publish({ deletions: [{ ...signOut, servers: ['linear', 'notion', 'sentry'] }] });
  await expect(toast.getByText(words.deletion.finished.signOut(undefined, 2))).toBeVisible();
  await expect(toast.getByText(words.deletion.changedMeanwhile.signOut(undefined, 1))).toBeVisible();
});

test('global notices appear one at a time and do not move the page', async ({ openWindow }) => {
  const { page, publish } = await openWindow();
  const title = page.getByRole('heading', { level: 1 });
  const before = await title.boundingBox();
  const { storage } = aDesktop();
  const troubled = { storage: { ...storage, memoryOnly: true } };
  for (const [desktop, said] of [
    [paused, words.background.paused],
    [{ offersStartAtLogin: true }, words.background.offer],
    [{ httpTrouble: anError({ message: 'Port 47612 is in use.' }) }, 'Port 47612 is in use.'],
    [{ sandbox: 'off' as const }, words.sandbox.title],
    [{ update: { state: 'available' as const, automatic: false, version: '9.0.0' } }, words.update.available('9.0.0')],
    [{ ...troubled, ...paused }, words.banner.memoryOnlyTitle],
  ] as const) {
    await publish({ desktop: aDesktop(desktop) });
    await expect(page.locator('.toast:visible')).toHaveText(new RegExp(said.replaceAll('.', String.raw`\.`)));
    expect(await title.boundingBox()).toEqual(before);
  }
  // The last two are queued.
  await page.locator('.toast:visible').getByRole('button', { name: words.common.dismiss }).click();
  await expect(page.locator('.toast:visible')).toContainText(words.background.paused);
  await page.locator('.toast:visible').getByRole('button', { name: words.common.dismiss }).click();
  await expect(page.locator('.toast')).toHaveCount(0);
});
