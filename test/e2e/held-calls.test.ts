import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type * as Electron from 'electron';
import { words } from '../../renderer/words.ts';
import { windowWords } from '../../main/window-words.ts';
import { askingPage } from '../../shared/ipc-channels.ts';
import { startResource } from '../support/demo-pair.ts';
import { openApp as openLine, shakeHands } from '../support/line-app.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { connected, look, openTab, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenPostern } from './kit/window-test.ts';

const { permits } = words;

/** Cursor, whose calls of `whoami` are held. */
async function holdCalls(openPostern: OpenPostern) {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{"mcpServers":{}}');
  const mcp = await startResource(undefined);
  const { page, profile, window } = await openPostern({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
  await look(page, mcp.url);
  await start(page, 'add', 'Notes');
  await connected(page, 'Notes');
  await openTab(page, 'AI apps');
  await page.getByRole('switch', { name: 'Cursor' }).click();
  await expect(page.getByText(words.apps.switchedOn('Cursor', 'Notes'))).toBeVisible();
  const rule = page.getByLabel(permits.ruleOf('Who am I?'));
  await rule.selectOption('ask');
  await expect(rule).toHaveValue('ask');
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: { notes: { args: string[] } } };
  const socket = path.join(profile, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const line = openLine(socket, { server: 'notes', app: mcpServers.notes.args.at(-1) ?? '' });
  await shakeHands(line);
  let id = 0;
  const call = async (): Promise<string> =>
    JSON.stringify(await line.request((id += 1), 'tools/call', { name: 'whoami', arguments: {} }));
  return { page, window, rule, call };
}

test('a held call opens its own small window, and a denied tool never does', async ({ openPostern }) => {
  const { window, rule, call } = await holdCalls(openPostern);
  const called = call();
  const asking = await window.page(askingPage);
  await expect(asking.getByRole('heading', { name: permits.asks('Cursor', 'Notes') })).toBeVisible();
  const once = asking.getByRole('button', { name: permits.answers.once });
  // Not within the first second.
  await expect(once).toHaveAttribute('aria-disabled', 'false');
  await pressAway(asking, () => once.press('Enter'));
  expect(await called).toContain('You are ');
  const again = call();
  const second = await window.page(askingPage);
  await expect(second.getByRole('button', { name: permits.answers.once })).toHaveAttribute('aria-disabled', 'false');
  await pressAway(second, () => second.keyboard.press('Escape'));
  expect(await again).toContain('APPROVAL_REFUSED');
  await rule.selectOption('deny');
  await expect.poll(call).toContain('TOOL_DENIED');
});

test('a held call is answered in its notification, on Home or in its window, and then nowhere waits', async ({
  openPostern,
}) => {
  const { page, window, call } = await holdCalls(openPostern);
  await recordNotices(window);
  await page.getByRole('button', { name: words.home.title, exact: true }).click();
  const card = page.getByRole('region', { name: permits.asks('Cursor', 'Notes') });
  const isOpen = async (): Promise<boolean> =>
    (await window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)) > 1;
  const isWaiting = async () => ({
    notice: (await latestNotice(window))?.isWithdrawn === false,
    onHome: await card.isVisible(),
    inWindow: await isOpen(),
  });
  const everywhere = { notice: true, onHome: true, inWindow: true };
  const nowhere = { notice: false, onHome: false, inWindow: false };
  const { callAnswers } = windowWords;

  // In its notification.
  const first = call();
  await expect.poll(isWaiting).toEqual(everywhere);
  const notice = await latestNotice(window);
  expect(notice).toMatchObject({ title: 'Notes', labels: [callAnswers.once, callAnswers.no] });
  expect(notice?.body).toContain('whoami {}');
  // Not within the first second.
  const asking = await window.page(askingPage);
  await expect(asking.getByRole('button', { name: permits.answers.once })).toHaveAttribute('aria-disabled', 'false');
  await pressNotice(window, 0);
  expect(await first).toContain('You are ');
  await expect.poll(isWaiting).toEqual(nowhere);

  // On Home. The notification of a call that has ended answers no other.
  const second = call();
  await expect.poll(isWaiting).toEqual(everywhere);
  await pressNotice(window, 0, 0);
  const deny = card.getByRole('button', { name: permits.answers.no });
  await expect(deny).toHaveAttribute('aria-disabled', 'false');
  await deny.click();
  expect(await second).toContain('APPROVAL_REFUSED');
  await expect.poll(isWaiting).toEqual(nowhere);

  // In its window. A click just when the notification appears does not answer.
  await pressAtOnce(window);
  const third = call();
  await expect.poll(isWaiting).toEqual(everywhere);
  const small = await window.page(askingPage);
  await expect(small.getByRole('button', { name: permits.answers.no })).toHaveAttribute('aria-disabled', 'false');
  await pressAway(small, () => small.keyboard.press('Escape'));
  expect(await third).toContain('APPROVAL_REFUSED');
  await expect.poll(isWaiting).toEqual(nowhere);

  // Home tells what became of them.
  const { use } = words.home;
  const grid = page.getByRole('grid', { name: words.home.matrix });
  await expect(grid.getByRole('button', { name: use.of('Cursor', 'Notes', use.today(3)) })).toBeVisible();
  const today = page.getByRole('region', { name: words.home.today });
  await expect(today.getByText('Cursor used “Who am I?” in Notes')).toBeVisible();
  await expect(today.getByText('You said no: Cursor wanted to use “Who am I?” in Notes')).toBeVisible();
});

interface Recorded {
  readonly shown: Electron.Notification[];
  readonly withdrawn: Set<Electron.Notification>;
  pressesAtOnce: boolean;
}

/** Records notifications instead of showing them: not every system has a place for them, and none can be clicked. */
const recordNotices = (window: RunningWindow): Promise<void> =>
  window.evaluate(({ Notification }) => {
    const recorded: Recorded = { shown: [], withdrawn: new Set(), pressesAtOnce: false };
    Object.assign(globalThis, { recorded });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show(this: Electron.Notification) {
      recorded.shown.push(this);
      if (recorded.pressesAtOnce) this.emit('action', { actionIndex: 0 });
    };
    Notification.prototype.close = function close(this: Electron.Notification) {
      recorded.withdrawn.add(this);
    };
  });

const latestNotice = (window: RunningWindow) =>
  window.evaluate(() => {
    const { shown, withdrawn } = (globalThis as unknown as { recorded: Recorded }).recorded;
    const notice = shown.at(-1);
    if (!notice) return undefined;
    const { title, body, actions } = notice;
    return { title, body, labels: actions.map(({ text }) => text), isWithdrawn: withdrawn.has(notice) };
  });

/** `which`: the latest one by default. */
const pressNotice = (window: RunningWindow, actionIndex: number, which = -1): Promise<void> =>
  window.evaluate(
    (_, { index, at }) => {
      (globalThis as unknown as { recorded: Recorded }).recorded.shown.at(at)?.emit('action', { actionIndex: index });
    },
    { index: actionIndex, at: which },
  );

const pressAtOnce = (window: RunningWindow): Promise<void> =>
  window.evaluate(() => {
    (globalThis as unknown as { recorded: Recorded }).recorded.pressesAtOnce = true;
  });

/** A key press that closes its window, perhaps before keyup. */
async function pressAway(window: Page, press: () => Promise<void>): Promise<void> {
  const closed = window.waitForEvent('close');
  await press().catch(() => {});
  await closed;
}
