import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import { aCallView } from './activity-fixtures.ts';
import { tools } from './answer-fixtures.ts';
import {
  aFileFault,
  aPreview,
  changeSeveral,
  lookInside,
  madeOf,
  openApps,
  openSeveral,
  openUse,
  previewed,
  previewSeveral,
  severalMade,
  severalPreviewed,
  someEntries,
  someApps,
  waitingApps,
} from './app-fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const { reviewChanges: look } = words.apps;

const github = { integrations: ['github'] };
const appCalls = (calls: readonly { readonly call: string; readonly input: unknown }[]) =>
  calls.filter(({ call }) => /^app:(preview|previewUndo|change)$/u.test(call));

test.describe('apps that use a server', () => {
  test('are switched on at once, with the rule to ask first, and undone from the toast', async ({ openWindow }) => {
    const preview = aPreview({ preset: 'ask-changes' });
    const undo = aPreview({ token: 'b'.repeat(64), before: preview.after, after: [], revertsRules: true });
    const { page, calls } = await openWindow({
      answers: {
        'app:preview': { previews: [preview], refused: [] },
        'app:change': madeOf(preview),
        'app:previewUndo': { previews: [undo], refused: [] },
      },
    });
    await openUse(page);
    await page.getByRole('switch', { name: 'Zed' }).focus();
    await page.keyboard.press('Space');
    const toast = page.getByRole('status').filter({ hasText: words.apps.switchedOn('Zed', 'GitHub (work)') });
    await expect(toast).toContainText(words.apps.presets['ask-changes']);
    await expect(toast).toContainText(words.apps.notices.restart('Zed'));
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await toast.getByRole('button', { name: words.apps.connected.seeLines }).click();
    await expect(page.getByRole('dialog').getByRole('list', { name: 'Added lines' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: words.apps.undoNow, exact: true }).click();
    await expect(page.getByText(words.apps.undone(['Zed']))).toBeVisible();
    await expect(page.getByText(words.apps.revertedRules(1))).toBeVisible();
    await expect(page.getByRole('button', { name: words.apps.undoNow, exact: true })).toHaveCount(0);
    expect(appCalls(await calls())).toEqual([
      { call: 'app:preview', input: { changes: [{ app: 'zed', ...github, use: true, preset: 'ask-changes' }] } },
      { call: 'app:change', input: { tokens: [preview.token] } },
      { call: 'app:previewUndo', input: { changes: [{ app: 'zed', change: madeOf(preview).made[0]?.change }] } },
      { call: 'app:change', input: { tokens: [undo.token] } },
    ]);
  });

  test('keep a rule that the user has set for them', async ({ openWindow }) => {
    const permissions = { apps: [{ app: 'zed', preset: 'read-only' as const }] };
    const integrations = someIntegrations().map((each) => (each.id === 'github' ? { ...each, permissions } : each));
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers: { 'app:preview': previewed() } });
    await openUse(page);
    await page.getByRole('switch', { name: 'Zed' }).click();
    await expect
      .poll(async () => appCalls(await calls())[0]?.input)
      .toEqual({ changes: [{ app: 'zed', ...github, use: true }] });
  });

  test('are switched off at once', async ({ openWindow }) => {
    const preview = aPreview({ app: 'cursor', name: 'Cursor', before: aPreview().after, after: [] });
    const answers = { 'app:preview': { previews: [preview], refused: [] }, 'app:change': madeOf(preview) };
    const { page, calls } = await openWindow({ answers });
    await openUse(page);
    await page.getByRole('switch', { name: 'Cursor' }).click();
    await expect(page.getByText(words.apps.switchedOff('Cursor', 'GitHub (work)'))).toBeVisible();
    expect(appCalls(await calls())[0]?.input).toEqual({ changes: [{ app: 'cursor', ...github, use: false }] });
  });

  for (const [what, change] of [
    ['a command that runs', { action: 'command', commands: ['zed mcp add notes'] }],
    ['a secret in a file', { secret: 'header' }],
    ['rules of the entry that it replaces', { rules: [{ entry: 'notes', only: ['search'], denied: [] }] }],
  ] as const)
    test(`are switched only after the user has seen ${what}`, async ({ openWindow }) => {
      const preview = aPreview(structuredClone(change) as Parameters<typeof aPreview>[0]);
      const answers = { 'app:preview': { previews: [preview], refused: [] }, 'app:change': madeOf(preview) };
      const { page, calls } = await openWindow({ answers });
      await openUse(page);
      await page.getByRole('switch', { name: 'Zed' }).click();
      const dialog = page.getByRole('dialog', { name: words.apps.previewOf(['Zed'], true, 'GitHub (work)') });
      await expect(dialog).toBeVisible();
      expect((await calls()).map(({ call }) => call)).not.toContain('app:change');
      await dialog.getByRole('button', { name: words.apps.confirm[preview.action] }).click();
      await expect(page.getByText(words.apps.switchedOn('Zed', 'GitHub (work)'))).toBeVisible();
    });

  test('that are switched quickly are changed one after the other', async ({ openWindow }) => {
    const preview = aPreview();
    const answers = { 'app:preview': { previews: [preview], refused: [] }, 'app:change': madeOf(preview) };
    const { page, calls } = await openWindow({ answers });
    await openUse(page);
    await page.evaluate(() => {
      for (const name of ['Claude Code', 'Zed'])
        [...document.querySelectorAll('label')].find((label) => label.textContent === name)?.click();
    });
    await expect
      .poll(async () => appCalls(await calls()).map(({ call }) => call))
      .toEqual(['app:preview', 'app:change', 'app:preview', 'app:change']);
  });

  test('whose file cannot be changed say why, with the step that helps', async ({ openWindow }) => {
    const error = aFileFault();
    const { page, calls } = await openWindow({ answers: { 'app:preview': { error } } });
    await openUse(page);
    await page.getByRole('switch', { name: 'Zed' }).click();
    const row = page.locator('.app-choice').filter({ hasText: 'Zed' });
    await expect(row).toContainText(words.errors.message(error));
    await expect(row).toContainText(words.errors.nextStep(error.remedy));
    await expect(page.getByRole('switch', { name: 'Zed' })).not.toBeChecked();
    await row.getByRole('button', { name: words.common.tryAgain }).click();
    await expect.poll(async () => appCalls(await calls()).length).toBe(2);
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

  test('are looked for in their files when the page is shown', async ({ openWindow }) => {
    const { page, calls } = await openWindow();
    await openUse(page);
    await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('app:find');
  });
});

test.describe('apps for several servers', () => {
  test('are undone together', async ({ openWindow }) => {
    const previews = [aPreview({ app: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const [made] = madeOf(...previews).made;
    const answers = {
      'app:preview': { previews, refused: [] },
      'app:previewUndo': { previews, refused: [] },
      'app:change': madeOf(...previews),
    };
    const { page, calls } = await openWindow({ answers });
    await openSeveral(page);
    for (const name of ['Claude Code', 'Zed']) await page.getByRole('checkbox', { name }).click();
    await page.getByRole('button', { name: look }).click();
    await page.getByRole('button', { name: 'Change 2 apps' }).click();
    await page.getByRole('button', { name: words.apps.undoAll }).click();
    await expect(page.getByText(words.apps.undone(['Claude Code', 'Zed']))).toBeVisible();
    await expect(page.getByRole('button', { name: words.apps.undoAll })).toHaveCount(0);
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
    await expect(page.getByRole('button', { name: words.apps.undoNow, exact: true })).toBeVisible();
  });

  test('that cannot be changed are named first, with nothing to confirm', async ({ openWindow }) => {
    const { refused } = severalPreviewed();
    const { page } = await openWindow({ answers: { 'app:preview': { previews: [], refused } } });
    await previewSeveral(page);
    const dialog = page.getByRole('dialog').last();
    await expect(dialog.getByRole('heading', { name: 'Windsurf is not changed' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: /Change/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: look })).toBeFocused();
  });
});

test.describe('an app that waits for its lines', () => {
  test('is counted separately until they are there', async ({ openWindow }) => {
    const answers = { 'app:pasted': { missing: ['github'] } };
    const { page, calls, publish } = await openWindow({ snapshots: { apps: waitingApps() }, answers });
    await openUse(page);
    await expect(page.getByRole('switch', { name: 'Claude Code' })).toBeChecked();
    await expect(page.getByText(words.apps.waiting, { exact: true })).toBeVisible();
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
    await expect(page.getByRole('dialog').last()).toContainText(words.apps.severalText(2, 1));
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
      const { page } = await openWindow({ answers, width: 720, height: 480 });
      await lead(page);
      await page.setViewportSize({ width: 640, height: 480 });
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
