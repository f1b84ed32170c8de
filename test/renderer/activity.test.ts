import { words } from '../../renderer/words.ts';
import { activityBounds } from '../../shared/bounds.ts';
import {
  aCallView,
  activityOf,
  answerActivity,
  openActivity,
  openCall,
  someCalls,
  someHandshakes,
} from './activity-fixtures.ts';
import { tools } from './answer-fixtures.ts';
import { aApp } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const answers = { 'activity:read': activityOf(someCalls()) };

test.describe('activity', () => {
  test('shows a call as soon as main knows it, newest first', async ({ openWindow }) => {
    const { page } = await openWindow({ answers });
    await openActivity(page);
    const rows = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
    await expect(rows).toHaveCount(someCalls().length);
    await answerActivity(page, activityOf([aCallView({ tool: 'just_now' })], someCalls().length + 1));
    await expect(rows).toHaveCount(someCalls().length + 1);
    await expect(rows.first()).toContainText('just_now');
    // It was all deleted meanwhile.
    await answerActivity(page, { first: 100, last: 99, calls: [] });
    await expect(page.getByText(words.activity.none)).toBeVisible();
  });

  test('shows which app called which server at the default window size', async ({ openWindow }) => {
    const { page } = await openWindow({ answers });
    await page.setViewportSize({ width: 1_100, height: 720 });
    await openActivity(page);
    const row = page.getByRole('option', { name: 'list_issues' });
    for (const cell of ['Claude Code', 'Linear', 'list_issues']) {
      await expect(row.getByText(cell, { exact: true })).toBeVisible();
      const isWhole = await row
        .getByText(cell, { exact: true })
        .evaluate((each) => each.scrollWidth <= each.clientWidth);
      expect(isWhole).toBe(true);
    }
  });

  test('shows no handshakes and listings, and who said no without an alarm', async ({ openWindow }) => {
    const all = [...someHandshakes(), ...someCalls(), ...someHandshakes()];
    const { page } = await openWindow({ answers: { 'activity:read': activityOf(all) } });
    await openActivity(page);
    const rows = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
    await expect(rows).toHaveCount(someCalls().length);
    const { declined, unanswered, failed } = words.activity.short;
    await expect(page.locator('.call-row.failed')).toHaveCount(4);
    await expect(rows.filter({ hasText: 'archive_issue' })).toContainText(declined);
    await expect(rows.filter({ hasText: 'move_issue' })).toContainText(unanswered);
    await expect(rows.filter({ hasText: words.activity.methods['initialize'] ?? '' })).toContainText(unanswered);
    await expect(page.locator('.call-row:not(.failed)').filter({ hasText: failed })).toHaveCount(0);
  });

  test('names tools by their titles', async ({ openWindow }) => {
    const calls = [aCallView({ tool: 'create_issue' })];
    const named = { 'activity:read': activityOf(calls), 'integration:knownTools': { tools: tools.tools } };
    const { page } = await openWindow({ answers: named });
    await openActivity(page);
    await page.getByRole('searchbox', { name: 'Tool' }).fill('create issue');
    await page.getByRole('listbox').getByRole('option', { name: 'Create issue' }).click();
    await expect(page.getByRole('dialog', { name: 'Create issue' })).toContainText('create_issue');
  });

  test('exports the calls that match the filters, newest first', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers: { ...answers, 'activity:export': { saved: true } } });
    await openActivity(page);
    await page.getByLabel(words.activity.outcome, { exact: true }).selectOption('failed');
    const rows = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
    await expect(rows).toHaveCount(4);
    await page.getByRole('button', { name: words.activity.export }).click();
    await expect(page.getByText(words.activity.exported)).toBeVisible();
    const [exportCall] = (await calls()).filter(({ call }) => call === 'activity:export');
    const { calls: numbers } = (exportCall?.input ?? { calls: [] }) as { calls: number[] };
    expect(numbers).toHaveLength(4);
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
  });

  test('freezes while paused and catches up afterwards', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers });
    await openActivity(page);
    await page.getByRole('button', { name: 'Pause list' }).click();
    await expect(page.getByText(words.activity.paused)).toBeVisible();
    await answerActivity(page, activityOf([aCallView({ tool: 'just_now' })], someCalls().length + 1));
    const readCount = (await calls()).filter(({ call }) => call === 'activity:read').length;
    await page.getByRole('button', { name: 'Resume list' }).click();
    await expect(page.getByRole('option', { name: 'just_now' })).toBeVisible();
    // No request in between, except one that may have been in flight.
    const reads = (await calls()).filter(({ call }) => call === 'activity:read');
    expect(reads[readCount]?.input).toEqual({ after: someCalls().length });
  });

  test('filters by app, server, outcome and tool, and keeps the filters across pages', async ({ openWindow }) => {
    const { page } = await openWindow({ answers });
    await openActivity(page);
    const rows = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
    await page.getByRole('combobox', { name: 'App' }).selectOption('Claude Code');
    await expect(rows).toHaveCount(1);
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await openActivity(page);
    await expect(rows).toHaveCount(1);
    await page.getByRole('combobox', { name: 'App' }).selectOption('All apps');
    await page.getByRole('combobox', { name: 'Server' }).selectOption('Old notes');
    await expect(rows).toHaveCount(1);
    await page.getByRole('combobox', { name: 'Server' }).selectOption('All servers');
    await page.getByRole('combobox', { name: 'Result' }).selectOption('Failed');
    await expect(rows).toHaveCount(4);
    await page.getByRole('searchbox', { name: 'Tool' }).fill('ISSUE');
    await expect(rows).toHaveCount(2);
    await page.getByRole('searchbox', { name: 'Tool' }).fill('nothing');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rows).toHaveCount(someCalls().length);
  });

  test('opens call details by keyboard and restores focus', async ({ openWindow }) => {
    const { page } = await openWindow({ answers });
    await openActivity(page);
    const list = page.getByRole('listbox', { name: 'Calls, newest first' });
    await list.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: words.activity.methods['resources/read'] ?? '' });
    await expect(dialog).toContainText(words.activity.long.ok);
    await expect(dialog).toContainText('47 KiB');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(list).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('SIGN_IN_REQUIRED');
  });

  test('keeps the scroll position when calls arrive above it', async ({ openWindow }) => {
    const many = Array.from({ length: activityBounds.calls }, (_, index) => aCallView({ tool: `tool-${index}` }));
    const { page } = await openWindow({ answers: { 'activity:read': activityOf(many) } });
    await openActivity(page);
    const list = page.getByRole('listbox', { name: 'Calls, newest first' });
    await list.evaluate((box) => (box.scrollTop = 36 * 1_000));
    const row = page.getByRole('option', { name: 'tool-3995' });
    const before = await row.boundingBox();
    // Only a few rows are rendered, however many there are.
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    const more = Array.from({ length: 50 }, (_, index) => aCallView({ tool: `new-${index}` }));
    await answerActivity(page, { ...activityOf(more, many.length + 1), first: 51 });
    await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBe(36 * 1_050);
    await expect.poll(() => row.boundingBox()).toEqual(before);
  });

  for (const [what, size] of [
    ['a window of 640', { width: 640, height: 480 }],
    ['one of 1100 at 200 %', { width: 550, height: 360 }],
  ] as const)
    test(`fits into ${what}`, async ({ openWindow }) => {
      const { page } = await openWindow({ answers, ...size });
      await openActivity(page);
      await page.getByRole('option').first().waitFor();
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.pane, .call-list, .call-filters')]
          .filter((part) => part.scrollWidth > part.clientWidth + 1)
          .map(({ className }) => className),
      );
      expect(wide).toEqual([]);
      await expect(page.getByRole('option', { name: 'list_issues' })).toBeAttached();
      const cut = await page
        .locator('.call-row .call-name, .call-row .call-time, .call-row .call-outcome')
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > 36)
            .map(({ textContent }) => textContent),
        );
      // Details that do not fit the list are in the dialog.
      expect(cut.filter((text) => text.length < 40)).toEqual([]);
    });

  test('pauses and resumes the app of a call', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ answers });
    await openCall(page);
    await page.getByRole('button', { name: 'Pause Cursor' }).click();
    const pausing = async () => (await calls()).filter(({ call }) => call === 'app:pause').map(({ input }) => input);
    await expect.poll(pausing).toEqual([{ app: 'cursor', paused: true }]);
    await publish({ apps: [aApp({ isPaused: true })] });
    await page.getByRole('button', { name: 'Resume Cursor' }).click();
    await expect.poll(pausing).toContainEqual({ app: 'cursor', paused: false });
  });

  test('is recorded again when the user turns it on', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'Record which app calls what' }).click();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'settings:update', input: { activity: 'off' } });
  });
});
