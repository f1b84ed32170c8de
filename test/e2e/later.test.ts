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
import { profileWith } from './kit/open-program.ts';
import { choose, chooseAction, connect, connected, look, openTab, runTool, signIn, start } from './kit/person.ts';
import { shiftClock } from './kit/shift-clock.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenProgram } from './kit/window-test.ts';

const kept = (profile: string) =>
  (JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8')) as { integrations: { name: string }[] })
    .integrations;

/** A window with one server, "Field notes". */
async function openConnected(openProgram: OpenProgram, ...options: Parameters<typeof startPair>) {
  const { as, mcp } = await startPair(...options);
  const program = await openProgram();
  await connect(program, as, mcp.url, 'Field notes');
  return { as, mcp, program, page: program.page };
}

test.describe('what is connected', () => {
  test('asks to sign in again when the access was withdrawn, and works after that (spec 7)', async ({
    openProgram,
  }) => {
    let withdrawn = false;
    const { as, program, page } = await openConnected(
      openProgram,
      {
        answer: (route, answer, request) =>
          route === 'token' && withdrawn && request?.body?.['grant_type'] === 'refresh_token'
            ? { status: 400, body: { error: 'invalid_grant' } }
            : answer,
      },
      { reject: () => withdrawn },
    );
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    withdrawn = true;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const state = page.locator('.integration-state');
    await expect(state.getByText(words.status.signInAgain)).toBeVisible();
    await expect(page.locator('.integration-row').getByText(words.status.signInAgain)).toBeVisible();
    // Nothing opens by itself.
    expect(program.popups()).toEqual([]);
    await state.getByRole('button', { name: 'Sign in again' }).click();
    withdrawn = false;
    await signIn(await program.popup(as.origin));
    await expect(state.getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(kept(program.profile)).toHaveLength(1);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  test('has its last 50 events and three sign-ins after a restart, request by request', async ({ openProgram }) => {
    const { program } = await openConnected(openProgram);
    expect(await program.close()).toBe(0);
    const locks = createLocks(program.profile);
    const list = openIntegrationStore({ folder: program.profile, locks });
    const [{ id } = { id: '' }] = await list.list();
    const history = openHistoryStore({ profileFolder: program.profile, locks, list });
    const { signIns } = await history.read(id);
    expect(signIns).toHaveLength(1);
    const now = Date.now();
    // As others leave them that come after.
    for (const { entries } of signIns) for (const at of [now, now + 1]) await history.keepSignIn(id, { at, entries });
    await history.note(
      id,
      Array.from({ length: historyBounds.events + 10 }, (_, index) => ({ kind: 'renewed' as const, at: now + index })),
    );

    const later = (await openProgram({ profile: program.profile })).page;
    await choose(later, 'Field notes');
    await openTab(later, 'Activity');
    await expect(later.locator('.recent-call').getByText(words.account.happened.renewed)).toHaveCount(50);
    const which = later.getByRole('combobox', { name: words.diagnosis.signIns });
    await expect(which.getByRole('option')).toHaveCount(3);
    await which.selectOption({ index: 2 });
    await expect(later.locator('.sequence-row').first()).toBeVisible();
  });

  test('signs out, keeps the server in the list, and signs in again', async ({ openProgram }) => {
    const { as, program, page } = await openConnected(openProgram);
    await openTab(page, 'Overview');
    await answerQuestions(program, 'yes');
    const pass = await shiftClock(program.window, { long: undoSeconds * 1_000 });
    await chooseAction(page, words.account.signOut);
    await expect(page.getByText(words.deletion.begun.signOut('Field notes', 1))).toBeVisible();
    // It can be undone until then.
    expect(requestsTo(as, '/revoke')).toEqual([]);
    await pass(undoSeconds * 1_000);
    await expect(page.getByText(words.integration.revocation.revoked)).toBeVisible();
    expect(requestsTo(as, '/revoke').length).toBeGreaterThan(0);
    // What it is and what to do are two things, with two names.
    const state = page.locator('.integration-state');
    await expect(state.getByText(words.status.signIn)).toBeVisible();
    await expect(page.locator('.integration-row').getByText(words.status.signIn)).toBeVisible();
    await expect(
      page.locator('.integration-row').getByText(words.integration.action.signIn, { exact: true }),
    ).toHaveCount(0);
    await expect(page.getByText(words.account.signedInAt)).toHaveCount(0);
    await state.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn(await program.popup(as.origin));
    await expect(state.getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('that could not be renewed says so once, and nothing of it after a sign-out', async ({ openProgram }) => {
    let isDown = false;
    const { as, program, page } = await openConnected(openProgram, {
      answer: (route, answer) => (route === 'token' && isDown ? { status: 503, body: {} } : answer),
    });
    await openTab(page, 'Overview');
    isDown = true;
    await page.getByText(words.account.details, { exact: true }).click();
    await page.getByRole('button', { name: 'Refresh now' }).click();
    const stillKept = page.getByText(
      describeError('REFRESH_TRANSIENT', { host: new URL(as.origin).host, status: 503 }).message,
    );
    await expect(stillKept).toHaveCount(1);
    await answerQuestions(program, 'yes');
    await chooseAction(page, words.account.signOut);
    await expect(page.getByText(words.deletion.begun.signOut('Field notes', 1))).toBeVisible();
    await expect(stillKept).toHaveCount(0);
    await expect(page.getByText(words.account.signedInAt)).toHaveCount(0);
  });

  test('is removed: here first, then at the service (RFC 7009, RFC 7592)', async ({ openProgram }) => {
    const { program, page } = await openConnected(openProgram);
    await answerQuestions(program, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect(page.getByText(words.deletion.finished.remove('Field notes', 1))).toBeVisible();
    await expect(page.getByText(words.integration.revocation.revoked)).toBeVisible();
    await expect(page.getByText(words.integration.registration.deleted)).toBeVisible();
    await expect(page.getByText(words.sidebar.empty)).toBeVisible();
    expect(kept(program.profile)).toEqual([]);
    expect(await program.close()).toBe(0);
    const again = await openProgram({ profile: program.profile });
    await expect(again.page.getByText(words.sidebar.empty)).toBeVisible();
  });

  test('is removed and signed out of by mistake, and each is undone without a sign-in', async ({ openProgram }) => {
    const { as, program, page } = await openConnected(openProgram);
    await answerQuestions(program, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(words.deletion.back.remove('Field notes', 1))).toBeVisible();
    await page.getByRole('option', { name: 'Field notes' }).click();
    await openTab(page, 'Overview');
    await chooseAction(page, words.account.signOut);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(words.deletion.back.signOut('Field notes', 1))).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/revoke')).toEqual([]);
  });

  test('comes back in the window when a command takes its removal back', async ({ openProgram }) => {
    const { as, program, page } = await openConnected(openProgram);
    await answerQuestions(program, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await expect(page.getByRole('button', { name: words.deletion.undo })).toBeVisible();
    await expect(page.getByRole('option', { name: 'Field notes' })).toHaveCount(0);
    const { pendingDeletions } = JSON.parse(readFileSync(path.join(program.profile, 'config.json'), 'utf8')) as {
      pendingDeletions: { batch: string }[];
    };
    const undone = await runPostern(['undo', pendingDeletions[0]?.batch ?? '', '--json'], { home: program.profile });
    expect(undone.last).toMatchObject({ result: 'ok', restored: 1 });
    await expect(page.getByRole('option', { name: 'Field notes' })).toBeVisible();
    await expect(page.getByRole('button', { name: words.deletion.undo })).toHaveCount(0);
    await page.getByRole('option', { name: 'Field notes' }).click();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/revoke')).toEqual([]);
  });

  test('says in words what was put up with, and nothing of what only another version knows', async ({
    openProgram,
  }) => {
    const { program, page } = await openConnected(openProgram, {
      answer: (route, answer) => (route === 'registration' ? { ...answer, status: 200 } : answer),
    });
    const details = words.account.details;
    await openTab(page, 'Overview');
    await page.getByText(details, { exact: true }).click();
    await expect(page.getByText(words.notes['registration-status-not-201'])).toBeVisible();
    await program.close();
    const file = path.join(program.profile, 'config.json');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"registration-status-not-201"');
    writeFileSync(
      file,
      text.replace('"registration-status-not-201"', '"registration-status-not-201", "note-of-another-version"'),
    );
    const { page: again } = await openProgram({ profile: program.profile });
    await choose(again, 'Field notes');
    await openTab(again, 'Overview');
    await again.getByText(details, { exact: true }).click();
    await expect(again.getByText(words.notes['registration-status-not-201'])).toBeVisible();
    await expect(again.locator('main')).not.toContainText('note-of-another-version');
  });

  test('goes with all data, and the program is as at its first start (KC-15)', async ({ openProgram }) => {
    const { as, mcp, program, page } = await openConnected(openProgram);
    const { profile } = program;
    const ours = (): string[] =>
      readdirSync(profile).filter((name) => /^(?:config|vault|window)/.test(name) || name === 'logs');
    expect(ours()).toEqual(expect.arrayContaining(['config.json', 'vault']));
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await answerQuestions(program, 'yes');
    await page.getByRole('button', { name: 'Delete all data…' }).click();
    await expect(page.getByText(words.deletion.done(1))).toBeVisible();
    await expect(page.getByText(words.deletion.ended(1))).toBeVisible();
    await expect(page.getByText(words.sidebar.empty)).toBeVisible();
    expect(ours()).toEqual([]);
    // The same window goes on from there, with a key of its own.
    await connect(program, as, mcp.url, 'Field notes again');
    expect(ours()).toEqual(expect.arrayContaining(['config.json', 'vault']));
  });

  test('is removed offline, and says what could not be done', async ({ openProgram }) => {
    const { as, program, page } = await openConnected(openProgram);
    await as.close();
    await answerQuestions(program, 'yes');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect(page.getByText(words.deletion.finished.remove('Field notes', 1))).toBeVisible();
    await expect(page.getByText(words.integration.revocation.failed)).toBeVisible();
    expect(kept(program.profile)).toEqual([]);
  });

  test('signs in to a server that asked nobody for it until today (spec 2.1)', async ({ openProgram }) => {
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
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.noSignIn)).toBeVisible();
    await start(page, 'Add', 'Open so far');
    await connected(page, 'Open so far');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');

    openMethods.length = 0;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.integration-state').getByRole('button', { name: 'Sign in' }).click();
    await signIn(await program.popup(as.origin));
    await expect(page.locator('.integration-state').getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('takes a key for a server that wants to be signed in to and does not say how, and keeps it from the window', async ({
    openProgram,
  }) => {
    const key = 'key-that-the-service-showed';
    const mcp = await startResource(undefined, {
      intercept(request, response) {
        const refused = request.headers['x-api-key'] !== key;
        if (refused) response.writeHead(401).end();
        return refused;
      },
    });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.couldNotTell)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try the usual addresses' })).toBeVisible();
    await page.getByLabel('Header').fill('X-Api-Key');
    await page.getByLabel('Key', { exact: true }).fill('mistyped');
    await page.getByRole('button', { name: 'Add with this key' }).click();
    await expect(page.getByText(words.errors.stages.connection)).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(0);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByLabel('Header').fill('X-Api-Key');
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Add with this key' }).click();
    await expect(page.getByRole('tab', { name: 'Tools', selected: true })).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    expect(program.popups()).toEqual([]);
    const crossed = (await program.traffic()).filter(({ text }) => text.includes(key));
    expect(crossed.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(['ask connection:start']);
  });

  test('stays quick to find among 1,000', async ({ openProgram }) => {
    const program = await openProgram({ profile: profileWith(1_000) });
    const { page } = program;
    await expect(page.getByText(words.sidebar.count(1_000))).toBeVisible();
    await expect(page.getByRole('button', { name: '100 need you' })).toBeVisible();
    await expect(page.getByRole('heading', { name: '100 need you' })).toBeVisible();
    expect(await page.locator('.integration-row').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('server 77');
    await expect(page.getByText(words.sidebar.found(19, 1_000))).toBeVisible();
    // Only rows in sight are drawn.
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('server 777');
    await expect(page.getByText(words.sidebar.found(1, 1_000))).toBeVisible();
    await choose(page, 'Server 777');
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
    const list = page.getByRole('listbox', { name: 'Connected servers' });
    await list.focus();
    await page.keyboard.press('End');
    await expect(page.getByRole('option', { selected: true })).toBeVisible();
    await page.getByRole('button', { name: '100 need you' }).click();
    await expect(page.getByText(words.sidebar.found(100, 1_000))).toBeVisible();
  });
});
