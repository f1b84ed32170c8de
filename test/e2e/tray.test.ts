import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { windowWords } from '../../main/window-words.ts';
import { afterTest } from '../support/after-test.ts';
import { startResource } from '../support/demo-pair.ts';
import { launchWindow } from '../support/launch-window.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import { openApp as openLine, shakeHands } from '../support/line-app.ts';
import { runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { standInLauncher } from '../support/window-runtime.ts';
import { answerQuestions, questionsAsked } from './kit/answer-questions.ts';
import { profileWith } from './kit/open-postern.ts';
import { expect, test } from './kit/window-test.ts';

/** Postern without its window. Electron does not expose its tray, so this runs on the stand-in. */
test.skip(({ runtime }) => runtime === 'electron');

const app = '0123456789abcdef';
const trayWords = windowWords.tray;
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Seen {
  readonly image: string;
  readonly toolTip: string;
  readonly items: readonly string[];
}
interface TrayModule {
  readonly Tray: {
    readonly standInShown: readonly { standInVisible(): Seen; standInChoose(label: string): void }[];
  };
}

/** The tray menu, or `undefined` without one. */
const tray = (window: RunningWindow): Promise<Seen | undefined> =>
  window.evaluate((electron) => (electron as unknown as TrayModule).Tray.standInShown[0]?.standInVisible());

const choose = (window: RunningWindow, label: string): Promise<void> =>
  window.evaluate(
    (electron, wanted) => (electron as unknown as TrayModule).Tray.standInShown[0]?.standInChoose(wanted),
    label,
  );

const windows = (window: RunningWindow): Promise<number> =>
  window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

const isShown = (window: RunningWindow): Promise<boolean> =>
  window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((each) => each.isVisible()));

const closeWindow = (window: RunningWindow): Promise<void> =>
  window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

/** A second start by the user or a pipe; returns its exit code. */
async function startAgain(profile: string, ...words: string[]): Promise<unknown> {
  const child = spawn(process.execPath, [standInLauncher, root, `--user-data-dir=${profile}`, ...words], {
    env: { ...process.env, POSTERN_HOME: profile },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'close');
  return code;
}

/** A profile with one server that an app uses. `hold`: the next calls wait. */
async function makeProfile() {
  const profile = path.join(temporaryFolder(), 'profile');
  const arrived = Promise.withResolvers<void>();
  let holding: Promise<void> | undefined;
  const mcp = await startResource(undefined, {
    intercept: async () => {
      if (holding) arrived.resolve();
      await holding;
      return false;
    },
  });
  await runPostern(['connect', mcp.url, '--local', '--name', 'Notes'], { home: profile });
  const store = openIntegrationStore({ folder: profile, locks: createLocks(profile) });
  const [notes] = await store.list();
  const record = { id: app, app: 'cursor', name: 'Cursor', integrations: [notes?.id ?? ''], createdAt: 1 };
  await store.apps.change(() => [record]);
  const socket = path.join(profile, 'run', 'gateway.sock');
  return {
    profile,
    arrived: arrived.promise,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      holding = promise;
      return resolve;
    },
    async openSession() {
      await expect.poll(() => existsSync(socket)).toBe(true);
      const line = openLine(socket, { server: 'notes', app });
      await shakeHands(line);
      await line.request('tools', 'tools/list');
      return line;
    },
    async startInBackground(): Promise<RunningWindow> {
      const window = await launchWindow({ runtime: 'stand-in', profile, args: ['--background'] });
      afterTest(() => window.close());
      await expect.poll(() => existsSync(socket)).toBe(true);
      return window;
    },
  };
}

const whoami = { name: 'whoami', arguments: {} };

test.describe('Postern in the tray', () => {
  test('keeps running when its window is closed and an app uses it, says so once, and reopens on a second start', async ({
    openPostern,
  }) => {
    const { profile, openSession } = await makeProfile();
    const opened = await openPostern({ profile });
    const { window } = opened;
    await answerQuestions(opened, 'no');
    const line = await openSession();
    await closeWindow(window);
    await expect
      .poll(async () => (await tray(window))?.items)
      .toEqual([trayWords.open, trayWords.pause, trayWords.quit]);
    await expect.poll(() => questionsAsked(opened)).toEqual(['Postern keeps running']);
    expect(await windows(window)).toBe(0);
    expect(JSON.stringify(await line.request(1, 'tools/call', whoami))).toContain('You are ');
    expect(await startAgain(profile)).toBe(0);
    const page = await window.page('app://postern/index.html');
    await page.locator('.frame').waitFor();
    await closeWindow(window);
    await expect.poll(() => windows(window)).toBe(0);
    await choose(window, 'Open Postern');
    await expect.poll(() => windows(window)).toBe(1);
    expect(await questionsAsked(opened)).toHaveLength(1);
  });

  test('keeps what was typed while its window is hidden', async ({ openPostern }) => {
    const { profile } = await makeProfile();
    const opened = await openPostern({ profile });
    const { window, page } = opened;
    await answerQuestions(opened, 'no');
    await page.getByRole('option', { name: 'Notes' }).click();
    await page.getByRole('tab', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Field notes');
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await page.getByLabel('Server address').fill('mcp.example.com/half');
    await closeWindow(window);
    await expect.poll(() => isShown(window)).toBe(false);
    await expect.poll(async () => (await tray(window))?.items).toContain('Open Postern');
    await choose(window, 'Open Postern');
    await expect.poll(() => isShown(window)).toBe(true);
    expect(await windows(window)).toBe(1);
    await expect(page.getByLabel('Server address')).toHaveValue('mcp.example.com/half');
    await page.getByRole('option', { name: 'Notes' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Field notes');
    // Nothing else is reported.
    await closeWindow(window);
    await expect.poll(() => isShown(window)).toBe(false);
    await choose(window, 'Quit Postern');
    expect(await window.ended).toBe(0);
  });

  test('quits with its window if no app uses it or the user chose that', async ({ openPostern }) => {
    const lonely = await openPostern({ profile: profileWith(1) });
    expect(await tray(lonely.window)).toBeUndefined();
    await lonely.page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await lonely.page.getByLabel('Server address').fill('mcp.example.com/half');
    await closeWindow(lonely.window);
    expect(await lonely.window.ended).toBe(0);
    const { profile } = await makeProfile();
    expect((await runPostern(['settings', 'keepRunning', 'false'], { home: profile })).code).toBe(0);
    const used = await openPostern({ profile });
    await closeWindow(used.window);
    expect(await used.window.ended).toBe(0);
  });

  test('starts without a window, serves, and opens one only for the user', async () => {
    const { profile, openSession, startInBackground } = await makeProfile();
    const window = await startInBackground();
    const line = await openSession();
    expect(JSON.stringify(await line.request(1, 'tools/call', whoami))).toContain('You are ');
    expect(await tray(window)).toMatchObject({ toolTip: expect.stringContaining(trayWords.fine) });
    expect(await startAgain(profile, '--background')).toBe(0);
    expect(await startAgain(profile)).toBe(0);
    await window.page('app://postern/index.html');
    expect(await windows(window)).toBe(1);
  });

  test('lists the servers that need attention, and opens the window there', async () => {
    const { profile, startInBackground } = await makeProfile();
    const store = openIntegrationStore({ folder: profile, locks: createLocks(profile) });
    const window = await startInBackground();
    const fine = await tray(window);
    const [notes] = await store.list();
    await store.update(notes?.id ?? '', (stored) => ({
      ...stored,
      name: 'Notes & more',
      method: 'OAuthWithDCR',
      state: 'signedOut',
    }));
    await expect.poll(async () => (await tray(window))?.items[0]).toBe(trayWords.needs('Notes & more'));
    const needs = await tray(window);
    expect(needs?.toolTip).toContain(trayWords.needAttention(1));
    expect(needs?.image).not.toBe(fine?.image);
    await choose(window, trayWords.needs('Notes & more'));
    const page = await window.page('app://postern/index.html');
    await page.getByRole('heading', { name: 'Notes & more', level: 1 }).waitFor();
  });

  test('pauses apps until they are resumed', async () => {
    const { profile, openSession, startInBackground } = await makeProfile();
    const window = await startInBackground();
    const line = await openSession();
    await choose(window, trayWords.pause);
    await expect.poll(async () => (await tray(window))?.items).toContain(trayWords.resume);
    expect((await tray(window))?.toolTip).toContain(trayWords.paused);
    let requestCount = 0;
    const call = async (): Promise<string> =>
      JSON.stringify(await line.request((requestCount += 1), 'tools/call', whoami));
    await expect.poll(call).toContain('GATEWAY_PAUSED');
    await choose(window, trayWords.resume);
    await expect.poll(call).toContain('You are ');
    expect(JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8'))).toHaveProperty(
      'settings.appsPaused',
      false,
    );
  });

  test('completes requests in flight when it quits', async () => {
    const { arrived, hold, openSession, startInBackground } = await makeProfile();
    const window = await startInBackground();
    const line = await openSession();
    const letGo = hold();
    const called = line.request(1, 'tools/call', whoami);
    await arrived;
    await choose(window, 'Quit Postern');
    letGo();
    expect(JSON.stringify(await called)).toContain('You are ');
    expect(await window.ended).toBe(0);
  });
});
