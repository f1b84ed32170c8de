import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openHistoryStore } from '../../main/storage/profile/history-store.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { words } from '../../renderer/words.ts';
import { undoSeconds } from '../../shared/bounds.ts';
import { describeError } from '../../shared/error-codes.ts';
import { historyBounds } from '../../shared/trace.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { runPostern } from '../support/postern-process.ts';
import { answerQuestions } from './kit/answer-questions.ts';
import {
  choose,
  chooseAction,
  connect,
  connected,
  look,
  openDiagnosis,
  openTab,
  runTool,
  signIn,
  start,
} from './kit/user-actions.ts';
import { shiftClock } from './kit/shift-clock.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenPostern } from './kit/window-test.ts';

const integrationsIn = (profile: string) =>
  (JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8')) as { integrations: { name: string }[] })
    .integrations;

/** A window with one server, "Field notes". */
async function openConnected(openPostern: OpenPostern, ...options: Parameters<typeof startPair>) {
  const { as, mcp } = await startPair(...options);
  const postern = await openPostern();
  await connect(postern, as, mcp.url, 'Field notes');
  return { as, mcp, postern, page: postern.page };
}

test.describe('a connected server', () => {
  test('asks to sign in again after its access was revoked, and then works (spec 7)', async ({ openPostern }) => {
    let withdrawn = false;
    const { as, postern, page } = await openConnected(
      openPostern,
      {
        answer: (route, response, request) =>
          route === 'token' && withdrawn && request?.body?.['grant_type'] === 'refresh_token'
            ? { status: 400, body: { error: 'invalid_grant' } }
            : response,
      },
      { reject: () => withdrawn },
    );
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    withdrawn = true;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const state = page.locator('.integration-state');
    await expect(state.getByText(words.status.signInAgain)).toBeVisible();
    await expect(page.locator('.integration-row').getByText(words.status.signInAgain)).toBeVisible();
    // Nothing opens on its own.
    expect(postern.popups()).toEqual([]);
    await state.getByRole('button', { name: 'Sign in again' }).click();
    withdrawn = false;
    await signIn(await postern.popup(as.origin));
    await expect(state.getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(integrationsIn(postern.profile)).toHaveLength(1);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  test('shows its last 50 events and three sign-ins after a restart, request by request', async ({ openPostern }) => {
    const { postern } = await openConnected(openPostern);
    expect(await postern.close()).toBe(0);
    const locks = createLocks(postern.profile);
    const list = openIntegrationStore({ folder: postern.profile, locks });
    const [{ id } = { id: '' }] = await list.list();
    const history = openHistoryStore({ profileFolder: postern.profile, locks, list });
    const { signIns } = await history.read(id);
    expect(signIns).toHaveLength(1);
    const now = Date.now();
    // As others leave them that come after.
    for (const { entries } of signIns) for (const at of [now, now + 1]) await history.saveSignIn(id, { at, entries });
    await history.record(
      id,
      Array.from({ length: historyBounds.events + 10 }, (_, index) => ({ kind: 'renewed' as const, at: now + index })),
    );

    const later = (await openPostern({ profile: postern.profile })).page;
    await choose(later, 'Field notes');
    await openDiagnosis(later);
    await later.locator('summary').filter({ hasText: 'Earlier events' }).click();
    await expect(later.locator('.recent-call').getByText(words.account.happened.renewed)).toHaveCount(50);
    const which = later.getByRole('combobox', { name: words.diagnosis.signIns });
    await expect(which.getByRole('option')).toHaveCount(3);
    await which.selectOption({ index: 2 });
    await expect(later.locator('.sequence-row').first()).toBeVisible();
  });

  test('signs out, keeps the server in the list, and signs in again', async ({ openPostern }) => {
    const { as, postern, page } = await openConnected(openPostern);
    await openTab(page, 'Overview');
    const pass = await shiftClock(postern.window, { long: undoSeconds * 1_000 });
    await chooseAction(page, words.account.signOut);
    await expect(page.getByText(words.deletion.begun.signOut('Field notes', 1))).toBeVisible();
    // Until then it can be undone.
    expect(requestsTo(as, '/revoke')).toEqual([]);
    await pass(undoSeconds * 1_000);
    await expect(page.getByText(words.integration.revocation.revoked)).toBeVisible();
    expect(requestsTo(as, '/revoke').length).toBeGreaterThan(0);
    // The status and the action have two labels.
    const state = page.locator('.integration-state');
    await expect(state.getByText(words.status.signIn)).toBeVisible();
    await expect(page.locator('.integration-row').getByText(words.status.signIn)).toBeVisible();
    await expect(
      page.locator('.integration-row').getByText(words.integration.action.signIn, { exact: true }),
    ).toHaveCount(0);
    await expect(page.getByText(words.account.signedInAt)).toHaveCount(0);
    await state.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn(await postern.popup(as.origin));
    await expect(state.getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('reports a failed refresh once, and not after a sign-out', async ({ openPostern }) => {
    let isDown = false;
    const { as, page } = await openConnected(openPostern, {
      answer: (route, response) => (route === 'token' && isDown ? { status: 503, body: {} } : response),
    });
    await openTab(page, 'Overview');
    isDown = true;
    await page.getByText(words.account.details, { exact: true }).click();
    await page.getByRole('button', { name: 'Renew now' }).click();
    const stillKept = page.getByText(
      describeError('REFRESH_TRANSIENT', { host: new URL(as.origin).host, status: 503 }).message,
    );
    await expect(stillKept).toHaveCount(1);
    await chooseAction(page, words.account.signOut);
    await expect(page.getByText(words.deletion.begun.signOut('Field notes', 1))).toBeVisible();
    await expect(stillKept).toHaveCount(0);
    await expect(page.getByText(words.account.signedInAt)).toHaveCount(0);
  });

  test('is removed locally first, then at the service (RFC 7009, RFC 7592)', async ({ openPostern }) => {
    const { postern, page } = await openConnected(openPostern);
    await answerQuestions(postern, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect(page.getByText(words.deletion.finished.remove('Field notes', 1))).toBeVisible();
    await expect(page.getByText(words.integration.revocation.revoked)).toBeVisible();
    await expect(page.getByText(words.integration.registration.deleted)).toBeVisible();
    await expect(page.getByText(words.sidebar.empty)).toBeVisible();
    expect(integrationsIn(postern.profile)).toEqual([]);
    expect(await postern.close()).toBe(0);
    const again = await openPostern({ profile: postern.profile });
    await expect(again.page.getByText(words.sidebar.empty)).toBeVisible();
  });

  test('can have a removal and a sign-out undone without a new sign-in', async ({ openPostern }) => {
    const { as, postern, page } = await openConnected(openPostern);
    await answerQuestions(postern, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(words.deletion.restored.remove('Field notes', 1))).toBeVisible();
    await page.getByRole('option', { name: 'Field notes' }).click();
    await openTab(page, 'Overview');
    await chooseAction(page, words.account.signOut);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(words.deletion.restored.signOut('Field notes', 1))).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/revoke')).toEqual([]);
  });

  test('reappears in the window when a command undoes its removal', async ({ openPostern }) => {
    const { as, postern, page } = await openConnected(openPostern);
    await answerQuestions(postern, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await expect(page.getByRole('button', { name: words.deletion.undo })).toBeVisible();
    await expect(page.getByRole('option', { name: 'Field notes' })).toHaveCount(0);
    const { pendingDeletions } = JSON.parse(readFileSync(path.join(postern.profile, 'config.json'), 'utf8')) as {
      pendingDeletions: { batch: string }[];
    };
    const undone = await runPostern(['undo', pendingDeletions[0]?.batch ?? '', '--json'], { home: postern.profile });
    expect(undone.last).toMatchObject({ result: 'ok', restored: 1 });
    await expect(page.getByRole('option', { name: 'Field notes' })).toBeVisible();
    await expect(page.getByRole('button', { name: words.deletion.undo })).toHaveCount(0);
    await page.getByRole('option', { name: 'Field notes' }).click();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/revoke')).toEqual([]);
  });

  test('describes tolerated deviations, and omits those that only another version knows', async ({ openPostern }) => {
    const { postern, page } = await openConnected(openPostern, {
      answer: (route, response) => (route === 'registration' ? { ...response, status: 200 } : response),
    });
    const details = words.account.details;
    await openTab(page, 'Overview');
    await page.getByText(details, { exact: true }).click();
    await expect(page.getByText(words.notes['registration-status-not-201'])).toBeVisible();
    await postern.close();
    const file = path.join(postern.profile, 'config.json');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"registration-status-not-201"');
    writeFileSync(
      file,
      text.replace('"registration-status-not-201"', '"registration-status-not-201", "note-of-another-version"'),
    );
    const { page: again } = await openPostern({ profile: postern.profile });
    await choose(again, 'Field notes');
    await openTab(again, 'Overview');
    await again.getByText(details, { exact: true }).click();
    await expect(again.getByText(words.notes['registration-status-not-201'])).toBeVisible();
    await expect(again.locator('main')).not.toContainText('note-of-another-version');
  });

  test('is deleted with all data, and Postern is as at its first start (KC-15)', async ({ openPostern }) => {
    const { as, mcp, postern, page } = await openConnected(openPostern);
    const { profile } = postern;
    const ours = (): string[] =>
      readdirSync(profile).filter((name) => /^(?:config|vault|window)/.test(name) || name === 'logs');
    expect(ours()).toEqual(expect.arrayContaining(['config.json', 'vault']));
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await answerQuestions(postern, 'yes');
    await page.getByRole('button', { name: 'Delete all data…' }).click();
    await expect(page.getByText(words.deletion.done(1))).toBeVisible();
    await expect(page.getByText(words.deletion.revoked(1))).toBeVisible();
    await expect(page.getByText(words.sidebar.empty)).toBeVisible();
    expect(ours()).toEqual([]);
    // The same window continues with a new vault key.
    await connect(postern, as, mcp.url, 'Field notes again');
    expect(ours()).toEqual(expect.arrayContaining(['config.json', 'vault']));
  });

  test('is removed offline, and says what could not be done at the service', async ({ openPostern }) => {
    const { as, postern, page } = await openConnected(openPostern);
    await as.close();
    await answerQuestions(postern, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect(page.getByText(words.deletion.finished.remove('Field notes', 1))).toBeVisible();
    await expect(page.getByText(words.integration.revocation.failed)).toBeVisible();
    expect(integrationsIn(postern.profile)).toEqual([]);
  });

  test('signs in if its server begins to require it (spec 2.1)', async ({ openPostern }) => {
    const openMethods = ['initialize', 'notifications/initialized', 'server/discover', 'tools/list', 'tools/call'];
    const { as, mcp } = await startPair(
      {},
      {
        openMethods,
        intercept(request, response) {
          const hidden = openMethods.length > 0 && request.url?.startsWith('/.well-known/') === true;
          if (hidden) response.writeHead(404).end();
          return hidden;
        },
      },
    );
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.noSignIn)).toBeVisible();
    await start(page, 'add', 'Open so far');
    await connected(page, 'Open so far');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');

    openMethods.length = 0;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.integration-state').getByRole('button', { name: 'Sign in' }).click();
    await signIn(await postern.popup(as.origin));
    await expect(page.locator('.integration-state').getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('accepts a key if its server requires sign-in without saying how, and hides it from the window', async ({
    openPostern,
  }) => {
    const key = 'key-that-the-service-showed';
    const mcp = await startResource(undefined, {
      intercept(request, response) {
        const refused = request.headers['x-api-key'] !== key;
        if (refused) response.writeHead(401).end();
        return refused;
      },
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.couldNotTell)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try the standard addresses' })).toBeVisible();
    await page.getByLabel('Header').fill('X-Api-Key');
    await page.getByLabel('Key', { exact: true }).fill('mistyped');
    await page.getByRole('button', { name: 'Add with this key' }).click();
    await expect(page.getByText(words.errors.stages.connection)).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(0);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByLabel('Header').fill('X-Api-Key');
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Add with this key' }).click();
    await page.getByRole('button', { name: words.apps.connected.open }).click();
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    expect(postern.popups()).toEqual([]);
    const crossed = (await postern.traffic()).filter(({ text }) => text.includes(key));
    expect(crossed.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(['ask connection:start']);
  });
});
