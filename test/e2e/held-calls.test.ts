import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { askingPage } from '../../shared/ipc-channels.ts';
import { startResource } from '../support/demo-pair.ts';
import { openApp as openLine, shakeHands } from '../support/line-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { connected, look, openTab, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const { permits } = words;

test('a held call opens its own small window, and a denied tool never does', async ({ openPostern }) => {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{"mcpServers":{}}');
  const mcp = await startResource(undefined);
  const { page, profile, window } = await openPostern({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
  await look(page, mcp.url);
  await start(page, 'add', 'Notes');
  await connected(page, 'Notes');
  await openTab(page, 'Apps');
  await page.getByRole('checkbox', { name: 'Cursor' }).click();
  await page.getByRole('button', { name: words.apps.reviewChanges }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change file' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await openTab(page, 'Permissions');
  const rule = page.getByLabel(permits.ruleOf('Who am I?'));
  await rule.selectOption('ask');
  await expect(rule).toHaveValue('ask');
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: { notes: { args: string[] } } };
  const socket = path.join(profile, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const line = openLine(socket, { server: 'notes', app: mcpServers.notes.args.at(-1) ?? '' });
  await shakeHands(line);
  const whoami = { name: 'whoami', arguments: {} };
  const called = line.request(1, 'tools/call', whoami);
  const asking = await window.page(askingPage);
  await expect(asking.getByRole('heading', { name: permits.asks('Cursor', 'Notes') })).toBeVisible();
  const once = asking.getByRole('button', { name: permits.answers.once });
  // Not within the first second.
  await expect(once).toHaveAttribute('aria-disabled', 'false');
  await pressAway(asking, () => once.press('Enter'));
  expect(JSON.stringify(await called)).toContain('You are ');
  const again = line.request(2, 'tools/call', whoami);
  const second = await window.page(askingPage);
  await expect(second.getByRole('button', { name: permits.answers.once })).toHaveAttribute('aria-disabled', 'false');
  await pressAway(second, () => second.keyboard.press('Escape'));
  expect(JSON.stringify(await again)).toContain('APPROVAL_REFUSED');
  await rule.selectOption('deny');
  await expect
    .poll(async () => JSON.stringify(await line.request(Math.random(), 'tools/call', whoami)))
    .toContain('TOOL_DENIED');
});

/** A key press that closes its window, perhaps before keyup. */
async function pressAway(window: Page, press: () => Promise<void>): Promise<void> {
  const closed = window.waitForEvent('close');
  await press().catch(() => {});
  await closed;
}
