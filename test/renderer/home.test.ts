import { words } from '../../renderer/words.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { needsUser } from '../../shared/status-words.ts';
import { activityOf, answerNow, anUnanswered, someCalls, someGroups, todayOf } from './activity-fixtures.ts';
import { aConnection, aDeletion, anError, anIntegrationView } from './fixtures.ts';
import { matrixOf, someUses, withAskingServer } from './home-fixtures.ts';
import { manyIntegrations, someIntegrations } from './list-fixtures.ts';
import { aApp, missedApprovals } from './app-fixtures.ts';
import { aHeldCall } from './permission-fixtures.ts';
import { aForm } from './question-fixtures.ts';
import { untilAnswerable } from './until-answerable.ts';
import { expect, test } from './renderer-test.ts';

const manyNeeding = manyIntegrations(50).map((each) => ({ ...each, status: { name: 'signIn' as const } }));

test.describe('home', () => {
  test('opens at start, lists each server that needs attention, and does what its page does', async ({
    openWindow,
  }) => {
    const { page, calls } = await openWindow({ answers: { 'integration:signInAgain': { connectionId: 'c1' } } });
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
    const needing = page.locator('.home-server');
    await expect(needing).toHaveCount(someIntegrations().filter(needsUser).length);
    await needing.filter({ hasText: 'Sentry' }).getByRole('button', { name: 'Sign in again' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'integration:signInAgain', input: { id: 'sentry' } });
    // The server page shows the sign-in.
    await expect(page.getByRole('heading', { name: 'Sentry', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await needing.filter({ hasText: 'Design files' }).getByRole('button', { name: 'Show storage details' }).click();
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  });

  test('shows the outcome of a step at the server, and stays', async ({ openWindow }) => {
    const error = anError({ message: 'Postern could not open the browser.' });
    const { page } = await openWindow({ answers: { 'integration:signInAgain': { error } } });
    const sentry = page.locator('.home-server').filter({ hasText: 'Sentry' });
    await sentry.getByRole('button', { name: 'Sign in again' }).click();
    await expect(sentry.getByRole('alert')).toContainText('Postern could not open the browser.');
  });

  test('polls rarely while no calls arrive, and not at all while hidden', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ ownPage: true });
    const reads = async (): Promise<number> => (await calls()).filter(({ call }) => call === 'activity:today').length;
    // Nothing new.
    await answerNow(page, 'activity:today', { revision: 1 });
    const passMinute = async (): Promise<number> => {
      const before = await reads();
      await page.clock.runFor(60_000);
      return (await reads()) - before;
    };
    const setHidden = (hidden: boolean): Promise<void> =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.clock.install();
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await expect(page.getByRole('heading', { name: words.home.title, level: 1 })).toBeVisible();
    const minute = await passMinute();
    expect(minute).toBeGreaterThan(5);
    expect(minute).toBeLessThan(20);
    await setHidden(true);
    expect(await passMinute()).toBeLessThanOrEqual(1);
    expect(await passMinute()).toBe(0);
    await setHidden(false);
    expect(await passMinute()).toBeGreaterThan(5);
  });

  test('shows who uses what, and each cell opens its place', async ({ openWindow }) => {
    const linear = anIntegrationView({ permissions: { apps: [{ app: 'zed', preset: 'read-only' }] } });
    const sentry = anIntegrationView({ id: 'sentry', name: 'Sentry', status: { name: 'signIn' } });
    const { page } = await openWindow({
      snapshots: {
        integrations: [linear, sentry],
        apps: [
          aApp({ uses: ['linear', 'sentry'] }),
          aApp({ id: 'zed', name: 'Zed', uses: ['linear'], waiting: ['sentry'] }),
          aApp({ id: 'windsurf', name: 'Windsurf', uses: [] }),
        ],
      },
      answers: {
        'activity:today': todayOf({ uses: someUses().slice(0, 1) }),
        'activity:read': activityOf(someCalls()),
      },
    });
    const home = page.getByRole('button', { name: words.home.title, exact: true });
    const grid = page.getByRole('grid', { name: words.home.matrix });
    await expect(grid.getByRole('columnheader')).toHaveText([words.home.app, /Linear$/, /Sentry$/]);
    await expect(grid.getByRole('rowheader')).toHaveText([/Cursor$/, /Zed$/, /Windsurf$/]);
    const { use } = words.home;
    const cell = (app: string, server: string, text: string) =>
      grid.getByRole('button', { name: use.of(app, server, text) });
    await expect(cell('Cursor', 'Sentry', use.signIn)).toBeVisible();
    await cell('Cursor', 'Linear', use.today(12)).click();
    await expect(page.getByRole('heading', { name: words.activity.title, level: 1 })).toBeVisible();
    await expect(page.getByLabel(words.activity.app, { exact: true })).toHaveValue('cursor');
    await expect(page.getByLabel(words.activity.server, { exact: true })).toHaveValue('linear');
    await home.click();
    await cell('Zed', 'Linear', use.rules.read).click();
    await expect(page.getByRole('heading', { name: 'Linear', level: 1 })).toBeVisible();
    await home.click();
    await cell('Zed', 'Sentry', use.waiting).click();
    await expect(page.getByRole('heading', { name: 'Zed', level: 1 })).toBeVisible();
    await home.click();
    await grid.getByRole('button', { name: use.add('Linear', 'Windsurf') }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('checkbox', { name: 'Windsurf' })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'Cursor' })).toBeChecked();
    await expect(dialog.getByText(words.apps.chosen(1))).toBeVisible();
  });

  test('walks the matrix with the arrow keys from a single Tab stop', async ({ openWindow }) => {
    const { page } = await openWindow(matrixOf(12, 40));
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('row')).toHaveCount(13);
    await expect(grid.locator('[tabindex="0"]')).toHaveCount(1);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['place']);
    await grid.locator('[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('1 1');
    await page.keyboard.press('Home');
    expect(await focused()).toBe('1 -1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    // The corner holds nothing.
    expect(await focused()).toBe('0 -1');
    await page.keyboard.press('Control+Home');
    expect(await focused()).toBe('-1 0');
    await page
      .locator('.home')
      .getByRole('button', { name: words.home.showAll(12, 40) })
      .click();
    await grid.locator('[tabindex="0"]').focus();
    await page.keyboard.press('Control+End');
    expect(await focused()).toBe('11 39');
    await expect(page.locator(':focus')).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('11 0');
    // Not below the names of the apps.
    const [name, first] = await Promise.all([
      grid.getByRole('rowheader').last().boundingBox(),
      page.locator(':focus').boundingBox(),
    ]);
    expect(first?.x).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 0) - 1);
  });

  test('draws only the visible columns of a thousand servers', async ({ openWindow }) => {
    const { page } = await openWindow(matrixOf(20, 1_000));
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('columnheader')).toHaveCount(13);
    await page
      .locator('.home')
      .getByRole('button', { name: words.home.showAll(20, 1_000) })
      .click();
    await expect(grid).toHaveAttribute('aria-colcount', '1001');
    await page.locator('.usage-box').evaluate((box) => (box.scrollLeft = box.scrollWidth));
    await expect(grid.locator('thead [data-place="-1 999"]')).toBeInViewport();
    expect(await grid.getByRole('columnheader').count()).toBeLessThan(60);
  });

  test('tells what happened today in sentences with tool titles, and leads to all calls', async ({ openWindow }) => {
    const { page } = await openWindow({
      snapshots: { integrations: [anIntegrationView()], apps: [aApp({ uses: ['linear'] })] },
      answers: {
        'activity:today': todayOf({ groups: someGroups() }),
        'activity:read': activityOf(someCalls()),
        'integration:knownTools': { tools: [{ name: 'list_issues', title: 'List issues', inputSchema: {} }] },
      },
    });
    const today = page.getByRole('region', { name: words.home.today });
    const lines = today.getByRole('listitem');
    await expect(lines).toHaveCount(8);
    await expect(lines.first()).toContainText('Cursor used “List issues” in Linear');
    await expect(lines.first()).toContainText(/12 times · last .* ago/);
    await expect(lines.filter({ hasText: 'delete_issue' })).toContainText('Failed: Cursor');
    await expect(lines.filter({ hasText: 'archive_issue' })).toContainText('You said no: Cursor');
    // Nothing can be answered here any more.
    await expect(lines.getByRole('button')).toHaveCount(0);
    await today.getByRole('button', { name: words.home.allCalls }).click();
    await expect(page.getByRole('heading', { name: words.activity.title, level: 1 })).toBeVisible();
  });

  test('tells of a call that the user did not answer until they dismiss it or change the rule', async ({
    openWindow,
  }) => {
    const unanswered = anUnanswered();
    const { page, calls, publish } = await openWindow({
      snapshots: withAskingServer(),
      answers: { 'activity:today': todayOf({ unanswered: [unanswered] }), 'activity:dismiss': null },
    });
    const line = page.getByRole('listitem').filter({ hasText: 'You did not answer' });
    await expect(line).toContainText('Cursor wanted to use “create_comment” in Linear');
    await expect(page.getByText(words.home.nothing)).toHaveCount(0);
    await line.getByRole('button', { name: words.home.allowNextTime }).click();
    await expect(page.getByRole('heading', { name: words.integration.permissions })).toBeVisible();
    await page.getByRole('button', { name: words.home.title, exact: true }).click();
    await publish({
      integrations: [
        anIntegrationView({
          permissions: {
            preset: 'ask-changes',
            apps: [{ app: 'cursor', rules: [{ tool: 'create_comment', rule: 'allow' }] }],
          },
        }),
      ],
    });
    await expect(line).toHaveCount(0);
    await expect(page.getByText(words.home.nothing)).toBeVisible();
    await publish(withAskingServer());
    await expect(line).toBeVisible();
    await answerNow(page, 'activity:today', todayOf({}, 2));
    await page.getByRole('button', { name: words.home.dismiss(1) }).click();
    await expect(line).toHaveCount(0);
    expect(await calls()).toContainEqual({ call: 'activity:dismiss', input: { until: unanswered.lastAt } });
  });

  test('shows the first few, and all on request', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: manyNeeding } });
    await expect(page.locator('.home-server')).toHaveCount(5);
    await page.locator('.page').getByRole('button', { name: 'Show all' }).click();
    await expect(page.locator('.home-server')).toHaveCount(manyNeeding.length);
  });

  test('lists no server that needs no attention', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: [anIntegrationView()] } });
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
    await expect(page.locator('.home-server')).toHaveCount(0);
  });

  test('says that nothing needs attention only if nothing waits, wherever it is asked', async ({ openWindow }) => {
    const { page, publish } = await openWindow({
      snapshots: {
        integrations: [anIntegrationView()],
        apps: [aApp({ uses: ['linear'] })],
        connections: [],
        approvals: missedApprovals(),
      },
    });
    const unanswered = page.getByRole('region', { name: words.approval.unanswered });
    await expect(unanswered.getByRole('button')).toHaveCount(missedApprovals().length);
    await expect(page.getByText(words.home.nothing)).toHaveCount(0);
    await publish({ approvals: [] });
    await expect(page.getByText(words.home.nothing)).toBeVisible();
    const each: readonly (readonly [Partial<Snapshots>, Partial<Snapshots>])[] = [
      [{ connections: [aConnection({ turn: 'user' })] }, { connections: [] }],
      [{ heldCalls: [aHeldCall()] }, { heldCalls: [] }],
      [{ questions: [aForm()] }, { questions: [] }],
      [{ apps: [aApp({ waiting: ['linear'] })] }, { apps: [aApp({ uses: ['linear'] })] }],
      [
        { integrations: [anIntegrationView({ toolReview: { changedAt: 1 } })] },
        { integrations: [anIntegrationView()] },
      ],
    ];
    for (const [waiting, nothing] of each) {
      await publish(waiting);
      await expect(page.getByText(words.home.nothing)).toHaveCount(0);
      await publish(nothing);
      await expect(page.getByText(words.home.nothing)).toBeVisible();
    }
  });

  test('answers a call that waits, but not in its first second, and one at a time', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers: { 'permission:answer': null } });
    await page.clock.install();
    const now = Date.now() + 3_600_000;
    await page.clock.pauseAt(now);
    const second = aHeldCall({ id: 'second', tool: 'create_issue' });
    await publish({ heldCalls: [aHeldCall({ expiresAt: now + 45_000 }), second] });
    const held = page.getByRole('region', { name: words.permits.asks('Cursor', 'Linear') });
    await expect(held.getByText('delete_issue', { exact: true })).toBeVisible();
    await expect(held).toContainText(words.permits.remaining('0:45'));
    const once = held.getByRole('button', { name: words.permits.answers.once });
    const answered = async () =>
      (await calls()).filter(({ call }) => call === 'permission:answer').map(({ input }) => input);
    await page.clock.runFor(950);
    await once.press('Enter');
    expect(await answered()).toEqual([]);
    await untilAnswerable(page, once);
    await once.press('Enter');
    await expect.poll(answered).toEqual([{ id: 'a-call', answer: 'once' }]);
    // A second press in the same place must not allow the next call.
    await publish({ heldCalls: [second] });
    await expect(held.getByText('create_issue', { exact: true })).toBeVisible();
    await once.press('Enter');
    expect(await answered()).toHaveLength(1);
    await untilAnswerable(page, once);
    await held.getByRole('button', { name: words.permits.answers.no }).press('Enter');
    await expect.poll(answered).toContainEqual({ id: 'second', answer: 'no' });
    // Answered elsewhere.
    await publish({ heldCalls: [] });
    await expect(held).toHaveCount(0);
  });

  test('leaves out what is empty, and leads to the apps while none uses a server', async ({ openWindow }) => {
    const { page } = await openWindow({
      snapshots: { integrations: [anIntegrationView()], connections: [], apps: [] },
    });
    const home = page.locator('.home');
    await expect(home.getByText(words.home.noApps)).toBeVisible();
    await expect(home.locator('p')).toHaveCount(1);
    await expect(home.locator('section')).toHaveCount(0);
    await home.getByRole('button', { name: words.activity.toApps }).click();
    await expect(page.getByRole('heading', { name: words.apps.title, level: 1 })).toBeVisible();
  });

  test('leads to the changed tools of a server', async ({ openWindow }) => {
    const { page } = await openWindow({
      snapshots: { integrations: [anIntegrationView({ toolReview: { reviewedAt: 1, changedAt: 2 } })] },
    });
    await page.locator('.home-server').getByRole('button', { name: words.permits.review }).click();
    await expect(page.getByRole('tab', { name: words.integration.apps })).toHaveAttribute('aria-selected', 'true');
    const rules = page.getByRole('region', { name: words.integration.permissions });
    await expect(rules).toBeFocused();
    await expect(rules.getByRole('heading', { name: words.integration.permissions })).toBeInViewport();
    // Again from above, although the tab is open.
    await page.getByRole('tab', { selected: true }).focus();
    await page.getByRole('button', { name: words.permits.review, exact: true }).click();
    await expect(rules).toBeFocused();
  });

  test('is the page that connects the first server, and keeps what is typed there', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { integrations: [] } });
    await page.getByLabel('Server address').fill('https://mcp.exam');
    await expect(page.getByRole('button', { name: 'Home', exact: true })).toHaveAttribute('aria-current', 'page');
    await publish({ integrations: someIntegrations() });
    await expect(page.getByRole('option', { name: 'Sentry' })).toBeVisible();
    await expect(page.getByLabel('Server address')).toHaveValue('https://mcp.exam');
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await expect(page.locator('.home-server').first()).toBeVisible();
  });

  test('keeps the message about the last removed server', async ({ openWindow }) => {
    const { page, publish } = await openWindow({
      snapshots: { integrations: [anIntegrationView()] },
      answers: { 'integration:remove': { deletion: 'd1' } },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    await page.getByRole('button', { name: words.integration.more }).click();
    await page.getByRole('menuitem', { name: words.integration.menu.remove }).click();
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
    await publish({ integrations: [], deletions: [aDeletion()] });
    await expect(page.getByLabel('Server address')).toBeVisible();
    await expect(page.getByText(words.deletion.begun.remove('Linear', 1))).toBeVisible();
  });

  test('yields at start to a check that needs a fix', async ({ openWindow }) => {
    const failed = aConnection({ state: { name: 'failed', error: anError() }, verdict: undefined });
    const { page } = await openWindow({ snapshots: { connections: [failed] } });
    await expect(page.getByLabel('Server address')).toHaveValue(failed.url);
  });
});
