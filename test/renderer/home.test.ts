import { words } from '../../renderer/words.ts';
import { needsUser } from '../../shared/status-words.ts';
import { activityOf, someCalls } from './activity-fixtures.ts';
import { aConnection, aDeletion, anError, anIntegrationView } from './fixtures.ts';
import { manyIntegrations, someIntegrations } from './list-fixtures.ts';
import { missedApprovals } from './app-fixtures.ts';
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
    const { page, calls } = await openWindow({ ownPage: true, answers: { 'activity:read': activityOf(someCalls()) } });
    const reads = async (): Promise<number> => (await calls()).filter(({ call }) => call === 'activity:read').length;
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
    await expect(page.getByRole('region', { name: words.home.calls })).toBeVisible();
    const minute = await passMinute();
    expect(minute).toBeGreaterThan(5);
    expect(minute).toBeLessThan(20);
    await setHidden(true);
    expect(await passMinute()).toBeLessThanOrEqual(1);
    expect(await passMinute()).toBe(0);
    await setHidden(false);
    expect(await passMinute()).toBeGreaterThan(5);
  });

  test('leads to the apps that use a server, and to the activity', async ({ openWindow }) => {
    const { page } = await openWindow({ answers: { 'activity:read': activityOf(someCalls()) } });
    const used = page.getByRole('region', { name: 'AI apps in use' });
    await expect(used.getByRole('button', { name: /Claude Code/ })).toContainText('1 of');
    await expect(used.getByRole('button', { name: /Zed/ })).toHaveCount(0);
    const last = page.getByRole('region', { name: 'Recent activity' });
    await expect(last.getByRole('listitem')).toHaveCount(5);
    await expect(last.getByRole('listitem').first()).toContainText('get_document');
    await last.getByRole('button', { name: 'Show all activity' }).click();
    await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible();
  });

  test('shows the first few, and all on request', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: manyNeeding } });
    await expect(page.locator('.home-server')).toHaveCount(20);
    await page.locator('.page').getByRole('button', { name: 'Show all' }).click();
    await expect(page.locator('.home-server')).toHaveCount(manyNeeding.length);
  });

  test('lists no server that needs no attention', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: [anIntegrationView()] } });
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
    await expect(page.locator('.home-server')).toHaveCount(0);
  });

  test('says that nothing needs attention only if no app is waiting for an answer', async ({ openWindow }) => {
    const { page, publish } = await openWindow({
      snapshots: { integrations: [anIntegrationView()], connections: [], approvals: missedApprovals() },
    });
    const unanswered = page.getByRole('region', { name: words.approval.unanswered });
    await expect(unanswered.getByRole('button')).toHaveCount(missedApprovals().length);
    await expect(page.getByText(words.home.nothing)).toHaveCount(0);
    await publish({ approvals: [] });
    await expect(page.getByText(words.home.nothing)).toBeVisible();
    await publish({ connections: [aConnection({ turn: 'user' })] });
    await expect(page.getByText(words.home.nothing)).toHaveCount(0);
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
