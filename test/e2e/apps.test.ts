import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { startResource } from '../support/demo-pair.ts';
import { openApp as openLine, shakeHands } from '../support/line-app.ts';
import { startPipe } from '../support/pipe-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { connected, look, openTab, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const old = '{\n  "mcpServers": {}\n}\n';

/** In both themes. The renderer's tests check every state, but with fixtures and outside of the program. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page), colorScheme).toEqual([]);
  }
}

test.describe('an app', () => {
  test('has the icon that the system has for it', async ({ openPostern }) => {
    const home = temporaryFolder();
    const share = path.join(home, '.local', 'share');
    const icons = path.join(share, 'icons', 'hicolor', '128x128', 'apps');
    for (const folder of [path.join(home, '.cursor'), path.join(share, 'applications'), icons])
      mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(share, 'applications', 'cursor.desktop'), '[Desktop Entry]\nIcon=its-icon\n');
    const picture = path.join(import.meta.dirname, '../../assets/icons/128x128.png');
    copyFileSync(picture, path.join(icons, 'its-icon.png'));
    const { page } = await openPostern({ env: { HOME: home, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined } });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    const icon = page.getByRole('button', { name: 'Cursor' }).locator('.service-icon canvas');
    const painted = () =>
      icon.evaluate((canvas: HTMLCanvasElement) =>
        canvas
          .getContext('2d')
          ?.getImageData(0, 0, canvas.width, canvas.height)
          .data.some((value) => value > 0),
      );
    await expect.poll(painted).toBe(true);
  });

  test('gets a server by a switch, reaches it while the window is open, and loses it on undo', async ({
    openPostern,
  }) => {
    const home = temporaryFolder();
    const file = path.join(home, '.cursor', 'mcp.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, old);
    const mcp = await startResource(undefined);
    const postern = await openPostern({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
    const { page, profile } = postern;
    await look(page, mcp.url);
    await start(page, 'add', 'Notes');
    await connected(page, 'Notes');
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cursor' }).click();
    const notes = page.getByRole('switch', { name: 'Notes' });
    await notes.click();
    const preview = page.getByRole('dialog', { name: words.apps.previewOf(['Cursor'], true, 'Notes') });
    await expect(preview.getByText(file)).toBeVisible();
    await expectAccessible(page);
    expect(readFileSync(file, 'utf8')).toBe(old);
    await preview.getByRole('button', { name: 'Change file' }).click();
    await expect(notes).toBeChecked();
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const args = mcpServers['notes']?.args ?? [];
    expect(args).toContain(profile);
    // As this entry's pipe would, at the gateway in the window's process.
    const socket = path.join(profile, 'run', 'gateway.sock');
    await expect.poll(() => existsSync(socket)).toBe(true);
    const line = openLine(socket, { server: 'notes', app: args.at(-1) ?? '' });
    await shakeHands(line);
    expect(JSON.stringify(await line.request(1, 'tools/call', { name: 'whoami', arguments: {} }))).toContain(
      'You are ',
    );
    // The open page shows a call at once.
    await page.getByRole('button', { name: 'Activity', exact: true }).click();
    const calls = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
    await expect(calls.first()).toContainText('Who am I?');
    await line.request(2, 'tools/call', { name: 'no-such-tool', arguments: { text: 'canary-of-a-call' } });
    await expect(calls.first()).toContainText('no-such-tool');
    expect(readFileSync(path.join(profile, 'activity', '00000001.jsonl'), 'utf8')).not.toContain('canary');
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change file' }).click();
    await expect(notes).not.toBeChecked();
    expect(readFileSync(file, 'utf8')).toBe(old);
    // Revoked access ends at once.
    await line.closed;
  });

  test('uses a collection created in the window, and loses it until its removal is undone', async ({ openPostern }) => {
    const home = temporaryFolder();
    const file = path.join(home, '.cursor', 'mcp.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, old);
    const mcp = await startResource(undefined);
    const { page, profile } = await openPostern({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
    await look(page, mcp.url);
    await start(page, 'add', 'Notes');
    await connected(page, 'Notes');
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'New collection…' }).click();
    const made = page.getByRole('dialog', { name: 'New collection' });
    await made.getByRole('textbox').fill('My work');
    await made.getByRole('checkbox', { name: 'Notes' }).click();
    await made.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Use in apps… My work' }).click();
    const using = page.getByRole('dialog', { name: 'Use My work in your AI apps' });
    await using.getByRole('checkbox', { name: 'Cursor' }).click();
    await using.getByRole('button', { name: 'Review changes…' }).click();
    await page.getByRole('button', { name: 'Change file' }).click();
    await expect(using.getByRole('checkbox', { name: 'Cursor' })).toHaveAccessibleDescription('uses it');
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const entry = mcpServers['my-work'];
    expect(entry?.args).toContain('+my-work');
    await expect.poll(() => existsSync(path.join(profile, 'run', 'gateway.sock'))).toBe(true);
    // The real pipe, as the app would start it.
    const own = { name: 'of the entry', isNative: false, isByPort: false, command: [entry?.command ?? ''] };
    const pipe = startPipe(own, entry?.args ?? [], { env: { HOME: home } });
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(await pipe.next()).toMatchObject({ id: 1, result: {} });
    pipe.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = { name: 'notes_whoami', arguments: {} };
    pipe.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    const text = expect.stringContaining('You are ');
    expect(await pipe.next()).toMatchObject({ id: 2, result: { content: [{ text }] } });
    await using.getByRole('button', { name: 'Close', exact: true }).first().click();
    await expect(page.getByText('1 server · used by Cursor')).toBeVisible();
    await page.getByRole('button', { name: 'Remove… My work' }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.apps.removeEntriesFirst }).click();
    await expect(page.getByText('My work removed.')).toBeVisible();
    expect(readFileSync(file, 'utf8')).toBe(old);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(page.getByText('1 server · used by Cursor')).toBeVisible();
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('+my-work');
  });

  test('gets a server with another app after its sign-in, and one undo restores both files', async ({
    openPostern,
  }) => {
    const home = temporaryFolder();
    const files = [
      { file: path.join(home, '.cursor', 'mcp.json'), text: old },
      { file: path.join(home, '.codeium', 'windsurf', 'mcp_config.json'), text: '{ "theme": "dark" }' },
    ];
    for (const { file, text } of files) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const mcp = await startResource(undefined);
    const { page } = await openPostern({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
    await look(page, mcp.url);
    await start(page, 'add', 'Notes');
    await page.getByRole('heading', { name: words.apps.connected.title('Notes') }).waitFor();
    for (const name of ['Cursor', 'Windsurf']) await expect(page.getByRole('switch', { name })).toBeChecked();
    await page.getByRole('button', { name: words.apps.connected.seeLines }).click();
    const preview = page.getByRole('dialog', { name: words.apps.previewOf(['Cursor', 'Windsurf'], true, 'Notes') });
    for (const { file, text } of files) {
      await expect(preview.getByText(file)).toBeVisible();
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    await preview.getByRole('button', { name: 'Change 2 apps' }).click();
    await expect(page.getByText(words.apps.done(['Cursor', 'Windsurf']))).toBeVisible();
    for (const { file } of files) expect(readFileSync(file, 'utf8')).toContain('"notes"');
    await page.getByRole('button', { name: words.apps.connected.open }).click();
    await openTab(page, 'AI apps');
    const windsurf = page.getByRole('switch', { name: 'Windsurf' });
    await expect(windsurf).toBeChecked();
    await expect(page.getByRole('button', { name: words.permits.summary.preset['ask-changes'] })).toHaveCount(2);
    await page.getByRole('button', { name: words.apps.undoAll }).click();
    await expect(page.getByText(words.apps.undone(['Cursor', 'Windsurf']))).toBeVisible();
    await expect(windsurf).not.toBeChecked();
    for (const { file, text } of files) expect(readFileSync(file, 'utf8')).toBe(text);
    // A switch changes the file at once, and its undo takes back the rule too.
    await windsurf.click();
    await expect(windsurf).toBeChecked();
    await expectAccessible(page);
    const { file, text } = files[1] ?? { file: '', text: '' };
    expect(readFileSync(file, 'utf8')).toContain('"notes"');
    await page.getByRole('button', { name: words.apps.undoNow, exact: true }).click();
    await expect(page.getByText(words.apps.revertedRules(1))).toBeVisible();
    await expect(windsurf).not.toBeChecked();
    expect(readFileSync(file, 'utf8')).toBe(text);
    // An entry deleted by hand no longer counts once the page is shown again.
    await windsurf.click();
    await expect(windsurf).toBeChecked();
    writeFileSync(file, text);
    await openTab(page, 'Overview');
    await openTab(page, 'AI apps');
    await expect(page.getByText(words.apps.waiting)).toBeVisible();
  });
});
