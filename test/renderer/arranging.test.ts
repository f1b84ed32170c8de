import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { Sidebar } from '../../shared/sidebar.ts';
import { answerNow } from './activity-fixtures.ts';
import { aDesktop, anError } from './fixtures.ts';
import { manyIntegrations } from './list-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const { arrange } = words;
const chosen = async (page: Page): Promise<string[]> =>
  await page.locator('.integration-row[aria-selected=true] > .integration-name').allTextContents();
const rows = async (page: Page): Promise<string[]> =>
  (await page.locator('.integration-row > .integration-name').allTextContents()).map(
    (text) => text.split(',')[0] ?? '',
  );
/** `server-1` is Server 1. */
const six = { integrations: manyIntegrations(6).map((each, index) => ({ ...each, id: `server-${index + 1}` })) };
const names = (...numbers: number[]): string[] => numbers.map((number) => `Server ${number}`);
const arranged: Sidebar = {
  pinned: ['server-6'],
  groups: [
    { name: 'Work', servers: ['server-2', 'server-3'] },
    { name: 'Home', servers: ['server-5'], isFolded: true },
  ],
};

test.describe('several servers', () => {
  test('are selected with Ctrl-click and Shift-click, and share one menu', async ({ openWindow }) => {
    const answers = { 'integration:remove': { deletion: 'd1' }, 'integration:signOut': { deletion: 'd2' } };
    const { page, calls } = await openWindow({ snapshots: six, answers });
    const row = (number: number) => page.getByRole('option', { name: `Server ${number}` });
    await row(2).click();
    await row(4).click({ modifiers: ['Control'] });
    await expect.poll(async () => await chosen(page)).toEqual(names(2, 4));
    // The page does not change.
    await expect(page.getByRole('heading', { name: 'Server 2', level: 1 })).toBeVisible();
    await row(4).click({ modifiers: ['Control'] });
    await expect.poll(async () => await chosen(page)).toEqual(names(2));
    await row(5).click({ modifiers: ['Control'] });
    await row(3).click({ modifiers: ['Shift'] });
    await expect.poll(async () => await chosen(page)).toEqual(names(3, 4, 5));
    await expect(page.getByText(arrange.selected(3))).toBeVisible();
    // Another row has its own menu and keeps the selection.
    await row(1).click({ button: 'right' });
    await expect(page.getByRole('menu', { name: 'Server 1' })).toBeVisible();
    await page.keyboard.press('Escape');
    await row(4).click({ button: 'right' });
    await page
      .getByRole('menu', { name: arrange.chosen(3) })
      .getByRole('menuitem', { name: 'Remove…' })
      .click();
    const ids = ['server-3', 'server-4', 'server-5'];
    await expect.poll(calls).toContainEqual({ call: 'integration:remove', input: { ids, entries: [] } });
    await page.getByRole('button', { name: arrange.actions }).click();
    await page.getByRole('menuitem', { name: words.account.signOut }).click();
    await expect.poll(calls).toContainEqual({ call: 'integration:signOut', input: { ids } });
    await row(1).click();
    await expect.poll(async () => await chosen(page)).toEqual(names(1));
  });

  test('are selected by keyboard, also one by one', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: six });
    await page.getByRole('option', { name: 'Server 2' }).click();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(async () => await chosen(page)).toEqual(names(2, 3, 4));
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(async () => await chosen(page)).toEqual(names(2, 3));
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Space');
    await expect.poll(async () => await chosen(page)).toEqual(names(2, 3, 6));
    await expect(page.getByRole('heading', { name: 'Server 2', level: 1 })).toBeVisible();
    await page.keyboard.press('Delete');
    const input = { ids: ['server-2', 'server-3', 'server-6'], entries: [] };
    await expect.poll(calls).toContainEqual({ call: 'integration:remove', input });
    await page.keyboard.press('Control+a');
    await expect.poll(async () => await chosen(page)).toEqual(names(1, 2, 3, 4, 5, 6));
    await page.keyboard.press('Escape');
    await expect.poll(async () => await chosen(page)).toEqual(names(2));
    // It is not restored on the next visit.
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await page.getByRole('option', { name: 'Server 2' }).click();
    await expect.poll(async () => await chosen(page)).toEqual(names(2));
  });
});

test.describe('the sidebar', () => {
  test('finds a row by typing its name', async ({ openWindow }) => {
    const { page } = await openWindow();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('s');
    await expect(page.getByRole('heading', { name: 'Sentry', level: 1 })).toBeVisible();
    await page.keyboard.press('s');
    await expect(page.getByRole('heading', { name: 'Stripe', level: 1 })).toBeVisible();
    await page.getByRole('option', { name: 'Atlassian' }).click();
    await page.getByRole('listbox').focus();
    await page.keyboard.type('stri');
    await expect(page.getByRole('heading', { name: 'Stripe', level: 1 })).toBeVisible();
  });

  test('shows pinned servers, then groups, then the rest; a search covers all', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { ...six, desktop: aDesktop({ sidebar: arranged }) } });
    await expect.poll(async () => await rows(page)).toEqual([...names(6), 'Home', 'Work', ...names(2, 3, 1, 4)]);
    await page.locator('#search').fill('server 5');
    await expect(page.getByRole('option')).toHaveText([/Server 5/u]);
    await page.locator('#search').fill('');
    await page.locator('#search').press('ArrowDown');
    await expect(page.getByRole('heading', { name: 'Server 6', level: 1 })).toBeVisible();
  });

  test('folds, unfolds, enters, leaves and renames groups by keyboard', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({
      snapshots: { ...six, desktop: aDesktop({ sidebar: arranged }) },
    });
    const tree = page.getByRole('tree');
    const fold = (group: string, isFolded: boolean) => ({
      call: 'settings:arrange',
      input: { do: 'fold', group, isFolded },
    });
    await page.getByRole('treeitem', { name: 'Server 6' }).click();
    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(calls).toContainEqual(fold('Home', false));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('heading', { name: 'Server 2', level: 1 })).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(calls).toContainEqual(fold('Work', true));
    const [work, home] = arranged.groups ?? [];
    if (!work || !home) throw new Error('no groups');
    await publish({ desktop: aDesktop({ sidebar: { groups: [{ ...work, isFolded: true }, home] } }) });
    await expect(page.getByRole('treeitem', { name: 'Server 2' })).toHaveCount(0);
    await expect(page.getByRole('treeitem', { name: 'Work' })).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('F2');
    await page.getByRole('dialog').getByLabel(arrange.groupName).fill('Office');
    await page.keyboard.press('Enter');
    const renamed = { do: 'rename', group: 'Work', name: 'Office' };
    await expect.poll(calls).toContainEqual({ call: 'settings:arrange', input: renamed });
    await expect(tree).toBeFocused();
    const head = page.getByRole('treeitem', { name: 'Work' });
    await head.hover();
    await head.locator('.integration-more').click();
    await page.getByRole('menuitem', { name: arrange.ungroup }).click();
    const apart = { do: 'ungroup', group: 'Work' };
    await expect.poll(calls).toContainEqual({ call: 'settings:arrange', input: apart });
  });

  test('pins a server, moves it into a new or existing group and out again from its menu', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: six });
    const choose = async (label: string): Promise<void> => {
      await page.locator('.integration-list').focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: label, exact: true }).click();
    };
    const last = async () => (await calls()).findLast(({ call }) => call === 'settings:arrange')?.input;
    await page.getByRole('option', { name: 'Server 2' }).click();
    await choose(arrange.pin);
    await expect.poll(last).toEqual({ do: 'pin', ids: ['server-2'], isPinned: true });
    await choose(arrange.move);
    await page.getByRole('dialog').getByLabel(arrange.groupName).fill(' Office ');
    await page.keyboard.press('Enter');
    await expect.poll(last).toEqual({ do: 'move', ids: ['server-2'], group: 'Office' });
    await publish({ desktop: aDesktop({ sidebar: { pinned: ['server-2'], groups: arranged.groups } }) });
    await choose(arrange.unpin);
    await expect.poll(last).toEqual({ do: 'pin', ids: ['server-2'], isPinned: false });
    await choose(arrange.move);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('radio', { name: 'Work' })).toBeChecked();
    await dialog.getByRole('radio', { name: 'Home' }).click();
    await dialog.getByRole('button', { name: arrange.moveButton }).click();
    await expect.poll(last).toEqual({ do: 'move', ids: ['server-2'], group: 'Home' });
    await choose(arrange.move);
    await dialog.getByRole('radio', { name: arrange.noGroup }).click();
    await dialog.getByRole('button', { name: arrange.moveButton }).click();
    await expect.poll(last).toEqual({ do: 'move', ids: ['server-2'], group: null });
  });

  test('keeps the typed group name after Escape, until Cancel', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: six });
    const dialog = page.getByRole('dialog');
    const open = async (server: string): Promise<void> => {
      await page.getByRole('option', { name: server }).click();
      await page.locator('.integration-list').focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: arrange.move, exact: true }).click();
    };
    await open('Server 2');
    await dialog.getByLabel(arrange.groupName).fill('Office');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await open('Server 3');
    await expect(dialog.getByLabel(arrange.groupName)).toHaveValue('Office');
    await dialog.getByRole('button', { name: words.common.cancel }).click();
    await open('Server 3');
    await expect(dialog.getByLabel(arrange.groupName)).toHaveValue('');
  });

  test('keeps the dialog open with its name if the new group cannot be saved', async ({ openWindow }) => {
    const error = anError({ ...describeError('CFG_DISK_FULL', {}), code: 'CFG_DISK_FULL', stage: 'settings' });
    const { page } = await openWindow({ snapshots: six, answers: { 'settings:arrange': { error } } });
    await page.getByRole('option', { name: 'Server 2' }).click();
    await page.locator('.integration-list').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: arrange.move, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(arrange.groupName).fill('Office');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(words.errors.message(error))).toBeVisible();
    await expect(dialog.getByLabel(arrange.groupName)).toHaveValue('Office');
    await answerNow(page, 'settings:arrange', null);
    await dialog.getByRole('button', { name: arrange.moveButton }).click();
    await expect(dialog).toHaveCount(0);
  });

  test('folds to icons that keep their names, and unfolds for a search', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: six });
    await page.keyboard.press('Control+b');
    const fold = (isFolded: boolean) => ({ call: 'settings:arrange', input: { do: 'fold', isFolded } });
    await expect.poll(calls).toContainEqual(fold(true));
    await publish({ desktop: aDesktop({ sidebar: { isFolded: true } }) });
    await expect.poll(async () => (await page.locator('nav').boundingBox())?.width).toBeLessThan(80);
    await page.getByRole('option', { name: 'Server 3' }).click();
    await expect(page.getByRole('heading', { name: 'Server 3', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Enter');
    await expect.poll(calls).toContainEqual(fold(false));
    await publish({ desktop: aDesktop() });
    await expect(page.getByRole('searchbox')).toBeFocused();
  });

  test('starts folded in a narrow window, unfolds over the page and folds again', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: six, width: 640 });
    const bar = page.locator('nav');
    const width = async () => (await bar.boundingBox())?.width ?? 0;
    const pane = async () => await page.locator('.pane').boundingBox();
    await expect.poll(width).toBeLessThan(80);
    const before = await pane();
    await page.getByRole('button', { name: arrange.unfold }).click();
    await expect.poll(width).toBeGreaterThan(200);
    expect(await pane()).toEqual(before);
    await page.getByRole('option', { name: 'Server 3' }).click();
    await expect(page.getByRole('heading', { name: 'Server 3', level: 1 })).toBeVisible();
    await expect.poll(width).toBeLessThan(80);
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect.poll(width).toBeLessThan(80);
    await expect(page.locator('#search')).toBeFocused();
    await page.keyboard.press('Control+b');
    await expect.poll(width).toBeGreaterThan(200);
    await page.locator('.pane').click({ position: { x: 400, y: 5 } });
    await expect.poll(width).toBeLessThan(80);
    // The user’s choice for a wide window stays.
    expect((await calls()).filter(({ call }) => call === 'settings:arrange')).toEqual([]);
    await page.setViewportSize({ width: 900, height: 700 });
    await expect.poll(width).toBeGreaterThan(200);
  });
});
