import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

/** It never had a sign-in, not even an earlier one. */
const { signInHost: _none, ...notes } = anIntegrationView({
  id: 'notes',
  name: 'Notes',
  method: 'NoAuth',
  url: 'https://notes.example/mcp',
});
const mail = anIntegrationView({ id: 'mail', name: 'Mail', state: 'signedOut', status: { name: 'signIn' } });
const integrations = [anIntegrationView(), notes, mail];

const labels = async (page: Page): Promise<string[]> => await page.getByRole('menuitem').allTextContents();

test('a server’s menu opens by its button, a right click and the keyboard', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { integrations } });
  const list = page.getByRole('listbox');
  await page.getByRole('option', { name: 'Linear' }).click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Linear' })).toBeVisible();
  await expect.poll(async () => await labels(page)).toContain('Sign in again');
  await expect.poll(async () => await labels(page)).toContain('Sign out');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);

  await page.getByRole('option', { name: 'Notes' }).hover();
  await page.getByRole('option', { name: 'Notes' }).locator('.integration-more').click();
  await expect(page.getByRole('menu', { name: 'Notes' })).toBeVisible();
  // It has no sign-in.
  expect((await labels(page)).filter((label) => label.startsWith('Sign'))).toEqual([]);
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page.getByRole('menu')).toHaveCount(0);

  await page.getByRole('option', { name: 'Mail' }).click();
  await list.focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu', { name: 'Mail' })).toBeVisible();
  await expect.poll(async () => await labels(page)).toContain('Sign in');
  expect(await labels(page)).not.toContain('Sign out');
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
});

test('every item of the row menu works by keyboard', async ({ openWindow }) => {
  const answers = {
    'integration:tools': { tools: [] },
    'integration:signOut': { deletion: 'd1' },
    'integration:remove': { deletion: 'd2' },
    'integration:signInAgain': { connectionId: 'c1' },
  };
  const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
  await page.getByRole('option', { name: 'Linear' }).click();
  const list = page.getByRole('listbox');
  const choose = async (letter: string): Promise<void> => {
    await list.focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press(letter);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toHaveCount(0);
  };
  await choose('c');
  await expect(page.getByText(words.integration.menu.answers('Linear'))).toBeVisible();
  await choose('u');
  await expect(page.getByRole('tab', { name: 'AI apps' })).toHaveAttribute('aria-selected', 'true');
  await choose('r');
  await expect(page.locator('#server-name')).toBeFocused();
  await choose('End');
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await expect.poll(calls).toContainEqual({ call: 'integration:remove', input: { ids: ['linear'], entries: [] } });
});

test('the server page has the same menu, which copies the address and signs out', async ({ openWindow }) => {
  const answers = { 'integration:signOut': { deletion: 'd1' } };
  const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
  await page.getByRole('option', { name: 'Linear' }).click();
  const more = page.getByRole('button', { name: 'More actions' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Copy address' }).click();
  await expect(page.getByText(words.integration.menu.copied)).toBeVisible();
  await more.click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect.poll(calls).toContainEqual({ call: 'desktop:copy', input: { kind: 'serverAddress', id: 'linear' } });
  await expect.poll(calls).toContainEqual({ call: 'integration:signOut', input: { ids: ['linear'] } });
});
