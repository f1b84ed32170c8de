import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import { prompts, resources, tools } from './answer-fixtures.ts';
import { aConnection } from './fixtures.ts';
import {
  aPreview,
  aProgram,
  changeSeveral,
  finishSignIn,
  lookInside,
  madeOf,
  openPrograms,
  openUse,
  previewed,
  previewSeveral,
  severalMade,
  severalPreviewed,
  someEntries,
  somePrograms,
  waitingPrograms,
} from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const look = 'Look at the changes…';

test.describe('programs that use a server', () => {
  test('are changed in the profile that is chosen, each its own', async ({ openWindow }) => {
    const profiles = [{ id: '-3a5b', name: 'Work' }];
    const zed = aPreview({ profiles });
    const previews = [aPreview({ program: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), zed];
    const { page, calls } = await openWindow({ answers: { 'program:preview': { previews, refused: [] } } });
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Claude Code' }).click();
    await page.getByRole('checkbox', { name: 'Zed' }).click();
    await page.getByRole('button', { name: look }).click();
    const choice = page.getByRole('dialog').getByLabel('Profile');
    await choice.selectOption('Work');
    const asked = async () =>
      (await calls()).filter(({ call }) => call === 'program:preview').map(({ input }) => input);
    const claude = { program: 'claude-code', integrations: ['github'], use: true };
    const editor = { program: 'zed', integrations: ['github'], use: true };
    const inProfile = { ...editor, editorProfile: '-3a5b' };
    await expect.poll(asked).toEqual([{ changes: [claude, editor] }, { changes: [claude, inProfile] }]);
  });

  test('are chosen, looked at and changed together, with the keyboard alone', async ({ openWindow }) => {
    const previews = [aPreview({ program: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const answers = { 'program:preview': { previews, refused: [] }, 'program:change': madeOf(...previews) };
    const { page, calls } = await openWindow({ answers });
    await openUse(page);
    await expect(page.getByRole('checkbox', { name: 'Cursor' })).toBeChecked();
    await expect(page.getByRole('button', { name: look })).toBeDisabled();
    await page.getByRole('checkbox', { name: 'Claude Code' }).focus();
    await page.keyboard.press('Space');
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.getByRole('checkbox', { name: 'Zed' })).toBeChecked();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Let Claude Code and Zed use GitHub (work)?' });
    await expect(dialog.getByRole('list', { name: 'Lines that come' })).toHaveCount(2);
    expect((await calls()).map(({ call }) => call)).not.toContain('program:change');
    await dialog.getByRole('button', { name: 'Change 2 programs' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(words.programs.done(['Claude Code', 'Zed']))).toBeVisible();
    const asked = (await calls()).filter(({ call }) => call === 'program:preview' || call === 'program:change');
    expect(asked.map(({ input }) => input)).toEqual([
      {
        changes: [
          { program: 'claude-code', integrations: ['github'], use: true },
          { program: 'zed', integrations: ['github'], use: true },
        ],
      },
      { tokens: ['b'.repeat(64), 'a'.repeat(64)] },
    ]);
  });

  test('are still chosen after another tab', async ({ openWindow }) => {
    const { page } = await openWindow();
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Claude Code' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Use it' }).click();
    await expect(page.getByRole('checkbox', { name: 'Claude Code' })).toBeChecked();
    await expect(page.getByRole('button', { name: look })).toBeEnabled();
  });

  test('are taken back together, and what could not be is still offered', async ({ openWindow }) => {
    const previews = [aPreview({ program: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const [made] = madeOf(...previews).made;
    const answers = {
      'program:preview': { previews, refused: [] },
      'program:previewUndo': { previews, refused: [] },
      'program:change': madeOf(...previews),
    };
    const { page, calls } = await openWindow({ answers });
    await openUse(page);
    for (const name of ['Claude Code', 'Zed']) await page.getByRole('checkbox', { name }).click();
    await page.getByRole('button', { name: look }).click();
    await page.getByRole('button', { name: 'Change 2 programs' }).click();
    await page.getByRole('button', { name: 'Undo all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the changes of Claude Code and Zed?' });
    await dialog.getByRole('button', { name: 'Change 2 programs' }).click();
    await expect(page.getByText(words.programs.undone(['Claude Code', 'Zed']))).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo all…' })).toHaveCount(0);
    const undo = (await calls()).find(({ call }) => call === 'program:previewUndo');
    expect(undo?.input).toEqual({
      changes: [
        { program: 'claude-code', change: made?.change },
        { program: 'zed', change: madeOf(...previews).made[1]?.change },
      ],
    });
  });

  test('are each named where some were changed and one was not', async ({ openWindow }) => {
    const answers = { 'program:preview': severalPreviewed(), 'program:change': severalMade() };
    const { page } = await openWindow({ answers });
    await changeSeveral(page);
    await expect(page.getByText(words.programs.done(['Claude Code']))).toBeVisible();
    await expect(page.getByText(words.programs.notices['new-session']('Claude Code'))).toBeVisible();
    await expect(page.getByText(words.programs.notChanged('Zed'))).toBeVisible();
    await expect(page.getByText(severalMade().refused[0]?.error.message ?? '')).toBeVisible();
    // What the preview said of the third stays with its name.
    await expect(page.getByText(severalPreviewed().refused[0]?.error.message ?? '')).toBeVisible();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('tab', { name: 'Use it' }).click();
    await expect(page.getByRole('button', { name: 'Undo…' })).toBeVisible();
  });

  test('are named with what else a person has to know of them', async ({ openWindow }) => {
    const preview = aPreview({ note: 'trusted-folders' });
    const answers = { 'program:preview': { previews: [preview], refused: [] }, 'program:change': madeOf(preview) };
    const { page } = await openWindow({ answers });
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Zed' }).click();
    await page.getByRole('button', { name: look }).click();
    await page.getByRole('button', { name: 'Change file' }).click();
    await expect(page.getByText(words.programs.notes['trusted-folders']('Zed'))).toBeVisible();
  });

  test('that cannot be changed are said before anything is, and there is nothing to confirm', async ({
    openWindow,
  }) => {
    const { refused } = severalPreviewed();
    const { page } = await openWindow({ answers: { 'program:preview': { previews: [], refused } } });
    await previewSeveral(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: 'Windsurf is left alone' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: /Change/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: look })).toBeFocused();
  });

  test('are taken out again by the same way', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers: { 'program:preview': previewed() } });
    await openUse(page);
    await page.getByRole('checkbox', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: look }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({
        call: 'program:preview',
        input: { changes: [{ program: 'cursor', integrations: ['github'], use: false }] },
      });
  });
});

test.describe('a program that waits for its lines', () => {
  test('is counted apart until they are there', async ({ openWindow }) => {
    const answers = { 'program:pasted': { missing: ['github'] } };
    const { page, calls, publish } = await openWindow({ snapshots: { programs: waitingPrograms() }, answers });
    await openUse(page);
    await expect(page.getByRole('checkbox', { name: 'Claude Code' })).toBeChecked();
    await expect(page.getByText(words.programs.waiting, { exact: true })).toBeVisible();
    await expect(page.getByText(words.programs.usesIt(1), { exact: true })).toHaveCount(1);
    await page.getByRole('button', { name: words.programs.havePasted }).click();
    await expect(page.getByText(words.programs.notPasted('/home/ada/.claude.json'))).toBeVisible();
    expect((await calls()).at(-1)).toEqual({ call: 'program:pasted', input: { program: 'claude-code' } });
    await publish({ programs: somePrograms().map((each) => ({ ...each, uses: ['github'] })) });
    await expect(page.getByRole('button', { name: words.programs.havePasted })).toHaveCount(0);
  });

  test('is not among those that are changed', async ({ openWindow }) => {
    const claude = { program: 'claude-code', name: 'Claude Code' };
    const previews = [aPreview(), aPreview({ ...claude, token: 'b'.repeat(64), action: 'paste' })];
    const { page } = await openWindow({ answers: { 'program:preview': { previews, refused: [] } } });
    await previewSeveral(page);
    await expect(page.getByRole('button', { name: words.programs.confirmSeveral(1) })).toBeVisible();
    await expect(page.getByRole('dialog')).toContainText(words.programs.severalText(2, 1));
  });
});

test.describe('programs that use several servers', () => {
  test('are chosen for all of them at once, with one preview and one undo', async ({ openWindow }) => {
    const previews = [aPreview({ program: 'claude-code', name: 'Claude Code', token: 'b'.repeat(64) }), aPreview()];
    const made = madeOf(...previews);
    const answers = {
      'program:preview': { previews, refused: [] },
      'program:change': made,
      'program:previewUndo': { previews, refused: [] },
    };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('option', { name: 'GitHub' }).click();
    await page.getByRole('option', { name: 'Linear' }).click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: words.arrange.actions }).click();
    await page.getByRole('menuitem', { name: words.arrange.use }).click();
    const dialog = page.getByRole('dialog', { name: words.programs.offer(words.arrange.chosen(2)) });
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
      .poll(() => asked('program:preview'))
      .toEqual([
        {
          changes: [
            { program: 'claude-code', integrations: ['github'], use: true },
            { program: 'cursor', integrations: ['github', 'linear'], use: false },
            { program: 'zed', integrations: ['github', 'linear'], use: true },
          ],
        },
      ]);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Change 2 programs' }).click();
    await dialog.getByRole('button', { name: words.programs.undoAll }).click();
    const changes = made.made.map(({ program, change }) => ({ program, change }));
    await expect.poll(() => asked('program:previewUndo')).toEqual([{ changes }]);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Change 2 programs' }).click();
    await expect(dialog.getByRole('button', { name: words.programs.undoAll })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test.describe('at the end of a sign-in', () => {
  const connections = [aConnection({ state: { name: 'exchanging' } })];
  const everyOffer = {
    'integration:tools': tools,
    'integration:resources': resources,
    'integration:prompts': prompts,
  };

  test('the programs that were never told no are chosen already', async ({ openWindow }) => {
    const { page, calls } = await openWindow({
      snapshots: { connections },
      answers: { ...everyOffer, 'program:preview': severalPreviewed() },
    });
    await finishSignIn(page);
    const offer = page.getByRole('region', { name: 'Use Notes on this computer in your programs' });
    await expect(offer.getByRole('checkbox', { name: 'Cursor' })).toBeChecked();
    await expect(offer.getByRole('checkbox', { name: 'Windsurf' })).not.toBeChecked();
    await offer.getByRole('checkbox', { name: 'Zed' }).click();
    await offer.getByRole('button', { name: look }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1)?.input)
      .toEqual({
        changes: ['claude-code', 'cursor'].map((program) => ({ program, integrations: ['notes'], use: true })),
      });
  });

  test('they are offered until a person says no, and not where there are none', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { connections }, answers: everyOffer });
    await finishSignIn(page);
    const offer = page.getByRole('region', { name: 'Use Notes on this computer in your programs' });
    await publish({ programs: somePrograms().map((each) => ({ ...each, uses: ['notes'] })) });
    await expect(offer).toHaveCount(0);
    await publish({ programs: [aProgram()] });
    await offer.getByRole('button', { name: 'Not now' }).click();
    await expect(offer).toHaveCount(0);
    await expect(page.getByRole('tab', { name: 'Tools', selected: true })).toBeVisible();
  });
});

test.describe('in a window of 640, and letters of twice the size', () => {
  const answers = {
    'program:preview': severalPreviewed(),
    'program:change': severalMade(),
    'program:look': someEntries(),
  };
  for (const [name, lead] of Object.entries({ openPrograms, openUse, previewSeveral, changeSeveral, lookInside }))
    test(`nothing has to be scrolled sideways (${name})`, async ({ openWindow }) => {
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
