import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import { aCallView } from './activity-fixtures.ts';
import { tools } from './answer-fixtures.ts';
import {
  aPreview,
  changeSeveral,
  lookInside,
  madeOf,
  openApps,
  openUse,
  previewed,
  previewSeveral,
  severalMade,
  severalPreviewed,
  someEntries,
  someApps,
  waitingApps,
} from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const { reviewChanges: look } = words.apps;

test.describe('apps that use a server', () => {
  test('are changed in the chosen profile, each in its own', async ({ openWindow }) => {
    const profiles = [{ id: '-3a5b', name: 'Work' }];
    const zed = aPreview({ profiles });
    const previews = [aPreview({ app: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), zed];
    const { page, calls } = await openWindow({ answers: { 'app:preview': { previews, refused: [] } } });
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Claude Code' }).click();
    await page.getByRole('checkbox', { name: 'Zed' }).click();
    await page.getByRole('button', { name: look }).click();
    const choice = page.getByRole('dialog').getByLabel('Profile');
    await choice.selectOption('Work');
    const previewInputs = async () =>
      (await calls()).filter(({ call }) => call === 'app:preview').map(({ input }) => input);
    const claude = { app: 'claude-code', integrations: ['github'], use: true };
    const editor = { app: 'zed', integrations: ['github'], use: true };
    const inProfile = { ...editor, editorProfile: '-3a5b' };
    await expect.poll(previewInputs).toEqual([{ changes: [claude, editor] }, { changes: [claude, inProfile] }]);
  });

  test('are chosen, previewed and changed together by keyboard', async ({ openWindow }) => {
    const previews = [aPreview({ app: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const answers = { 'app:preview': { previews, refused: [] }, 'app:change': madeOf(...previews) };
    const { page, calls } = await openWindow({ answers });
    await openUse(page);
    await expect(page.getByRole('checkbox', { name: 'Cursor' })).toBeChecked();
    await expect(page.getByRole('button', { name: look })).toBeDisabled();
    await page.getByRole('checkbox', { name: 'Claude Code' }).focus();
    await page.keyboard.press('Space');
    // The rules of Cursor are in between.
    for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.getByRole('checkbox', { name: 'Zed' })).toBeChecked();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', {
      name: words.apps.previewOf(['Claude Code', 'Zed'], true, 'GitHub (work)'),
    });
    await expect(dialog.getByRole('list', { name: 'Added lines' })).toHaveCount(2);
    expect((await calls()).map(({ call }) => call)).not.toContain('app:change');
    await dialog.getByRole('button', { name: 'Change 2 apps' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(words.apps.done(['Claude Code', 'Zed']))).toBeVisible();
    const appCalls = (await calls()).filter(({ call }) => call === 'app:preview' || call === 'app:change');
    expect(appCalls.map(({ input }) => input)).toEqual([
      {
        changes: [
          { app: 'claude-code', integrations: ['github'], use: true },
          { app: 'zed', integrations: ['github'], use: true },
        ],
      },
      { tokens: ['b'.repeat(64), 'a'.repeat(64)] },
    ]);
  });

  test('have their last call to it, and lead to their rules', async ({ openWindow }) => {
    const at = Date.now() - 3 * 3_600_000;
    const older = aCallView({ integration: 'github', app: 'cursor', at: at - 3_600_000 });
    const calls = [older, { ...older, at }, { ...older, integration: 'linear', at: Date.now() }];
    const { page } = await openWindow({
      answers: { 'activity:read': { first: 1, last: 3, calls }, 'integration:tools': tools },
    });
    await openUse(page);
    const apps = page.getByRole('group', { name: words.apps.title });
    await expect(apps.getByText(words.apps.lastUsed('3 hours ago'))).toHaveCount(1);
    await apps.getByRole('button', { name: words.permits.summaryOf('Cursor', '') }).press('Enter');
    await expect(page.getByRole('region', { name: words.integration.permissions })).toBeFocused();
    await expect(page.getByLabel(words.permits.forApps, { exact: true })).toHaveValue('cursor');
  });

  test('stay chosen after another tab', async ({ openWindow }) => {
    const { page } = await openWindow();
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Claude Code' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'AI apps' }).click();
    await expect(page.getByRole('checkbox', { name: 'Claude Code' })).toBeChecked();
    await expect(page.getByRole('button', { name: look })).toBeEnabled();
  });

  test('are undone together, and a failed undo is still offered', async ({ openWindow }) => {
    const previews = [aPreview({ app: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const [made] = madeOf(...previews).made;
    const answers = {
      'app:preview': { previews, refused: [] },
      'app:previewUndo': { previews, refused: [] },
      'app:change': madeOf(...previews),
    };
    const { page, calls } = await openWindow({ answers });
    await openUse(page);
    for (const name of ['Claude Code', 'Zed']) await page.getByRole('checkbox', { name }).click();
    await page.getByRole('button', { name: look }).click();
    await page.getByRole('button', { name: 'Change 2 apps' }).click();
    await page.getByRole('button', { name: 'Undo all…' }).click();
    const dialog = page.getByRole('dialog', { name: words.apps.previewUndoOf(['Claude Code', 'Zed']) });
    await expect(dialog).toContainText('Restart Zed');
    await expect(dialog).not.toContainText(/\buses? it\b/);
    await dialog.getByRole('button', { name: 'Change 2 apps' }).click();
    await expect(page.getByText(words.apps.undone(['Claude Code', 'Zed']))).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo all…' })).toHaveCount(0);
    const undo = (await calls()).find(({ call }) => call === 'app:previewUndo');
    expect(undo?.input).toEqual({
      changes: [
        { app: 'claude-code', change: made?.change },
        { app: 'zed', change: madeOf(...previews).made[1]?.change },
      ],
    });
  });

  test('are each named if some were changed and one was not', async ({ openWindow }) => {
    const answers = { 'app:preview': severalPreviewed(), 'app:change': severalMade() };
    const { page } = await openWindow({ answers });
    await changeSeveral(page);
    await expect(page.getByText(words.apps.done(['Claude Code']))).toBeVisible();
    await expect(page.getByText(words.apps.notices['new-session']('Claude Code'))).toBeVisible();
    await expect(page.getByText(words.apps.notChanged('Zed'))).toBeVisible();
    await expect(page.getByText(severalMade().refused[0]?.error.message ?? '')).toBeVisible();
    // The note on the third from the preview stays.
    await expect(page.getByText(severalPreviewed().refused[0]?.error.message ?? '')).toBeVisible();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('tab', { name: 'AI apps' }).click();
    await expect(page.getByRole('button', { name: 'Undo…' })).toBeVisible();
  });

  test('are named with what else the user has to know', async ({ openWindow }) => {
    const preview = aPreview({ note: 'trusted-folders' });
    const answers = { 'app:preview': { previews: [preview], refused: [] }, 'app:change': madeOf(preview) };
    const { page } = await openWindow({ answers });
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Zed' }).click();
    await page.getByRole('button', { name: look }).click();
    await page.getByRole('button', { name: 'Change file' }).click();
    await expect(page.getByText(words.apps.notes['trusted-folders']('Zed'))).toBeVisible();
  });

  test('that cannot be changed are named first, with nothing to confirm', async ({ openWindow }) => {
    const { refused } = severalPreviewed();
    const { page } = await openWindow({ answers: { 'app:preview': { previews: [], refused } } });
    await previewSeveral(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: 'Windsurf is not changed' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: /Change/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: look })).toBeFocused();
  });

  test('are removed in the same way', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers: { 'app:preview': previewed() } });
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: look }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect.poll(calls).toContainEqual({
      call: 'app:preview',
      input: { changes: [{ app: 'cursor', integrations: ['github'], use: false }] },
    });
  });
});

test.describe('an app that waits for its lines', () => {
  test('is counted separately until they are there', async ({ openWindow }) => {
    const answers = { 'app:pasted': { missing: ['github'] } };
    const { page, calls, publish } = await openWindow({ snapshots: { apps: waitingApps() }, answers });
    await openUse(page);
    await expect(page.getByRole('checkbox', { name: 'Claude Code' })).toBeChecked();
    await expect(page.getByText(words.apps.waiting, { exact: true })).toBeVisible();
    await expect(page.getByText(words.apps.usesIt(1), { exact: true })).toHaveCount(1);
    await page.getByRole('button', { name: words.apps.checkAgain }).click();
    await expect(page.getByText(words.apps.notPasted('/home/ada/.claude.json'))).toBeVisible();
    expect(await calls()).toContainEqual({ call: 'app:pasted', input: { app: 'claude-code' } });
    await publish({ apps: someApps().map((each) => ({ ...each, uses: ['github'] })) });
    await expect(page.getByRole('button', { name: words.apps.checkAgain })).toHaveCount(0);
  });

  test('is not counted as changed', async ({ openWindow }) => {
    const claude = { app: 'claude-code', name: 'Claude Code' };
    const previews = [aPreview(), aPreview({ ...claude, token: 'b'.repeat(64), action: 'paste' })];
    const { page } = await openWindow({ answers: { 'app:preview': { previews, refused: [] } } });
    await previewSeveral(page);
    await expect(page.getByRole('button', { name: words.apps.confirmSeveral(1) })).toBeVisible();
    await expect(page.getByRole('dialog')).toContainText(words.apps.severalText(2, 1));
  });
});

test.describe('apps that use several servers', () => {
  test('are chosen for all servers at once, with one preview and one undo', async ({ openWindow }) => {
    const previews = [aPreview({ app: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const made = madeOf(...previews);
    const answers = {
      'app:preview': { previews, refused: [] },
      'app:change': made,
      'app:previewUndo': { previews, refused: [] },
    };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('option', { name: 'GitHub' }).click();
    await page.getByRole('option', { name: 'Linear' }).click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: words.arrange.actions }).click();
    await page.getByRole('menuitem', { name: words.arrange.use }).click();
    const dialog = page.getByRole('dialog', { name: words.apps.useInApps(words.arrange.chosen(2)) });
    // Claude Code uses one of the two.
    const claude = dialog.getByRole('checkbox', { name: 'Claude Code' });
    await expect(claude).toHaveAttribute('aria-checked', 'mixed');
    await expect(dialog.getByRole('checkbox', { name: 'Cursor' })).toBeChecked();
    await expect(dialog.getByRole('button', { name: look })).toBeDisabled();
    await claude.click();
    await dialog.getByRole('checkbox', { name: 'Zed' }).click();
    await dialog.getByRole('checkbox', { name: 'Cursor' }).click();
    await dialog.getByRole('button', { name: look }).click();
    const asked = async (wanted: string) =>
      (await calls()).filter(({ call }) => call === wanted).map(({ input }) => input);
    await expect
      .poll(() => asked('app:preview'))
      .toEqual([
        {
          changes: [
            { app: 'claude-code', integrations: ['github'], use: true },
            { app: 'cursor', integrations: ['github', 'linear'], use: false },
            { app: 'zed', integrations: ['github', 'linear'], use: true },
          ],
        },
      ]);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Change 2 apps' }).click();
    await dialog.getByRole('button', { name: words.apps.undoAll }).click();
    const changes = made.made.map(({ app, change }) => ({ app, change }));
    await expect.poll(() => asked('app:previewUndo')).toEqual([{ changes }]);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Change 2 apps' }).click();
    await expect(dialog.getByRole('button', { name: words.apps.undoAll })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test.describe('in a 640 px window with text at 200 %', () => {
  const answers = {
    'app:preview': severalPreviewed(),
    'app:change': severalMade(),
    'app:readEntries': someEntries(),
  };
  for (const [name, lead] of Object.entries({ openApps, openUse, previewSeveral, changeSeveral, lookInside }))
    test(`nothing scrolls sideways (${name})`, async ({ openWindow }) => {
      const { page } = await openWindow({ answers, width: 640, height: 480 });
      await lead(page);
      expect(await tooWide(page)).toEqual([]);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
      expect(await tooWide(page)).toEqual([]);
    });
});

async function tooWide(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.pane, .dialog, .dialog-body, .tab-panel')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} > ${part.clientWidth}`),
  );
}
