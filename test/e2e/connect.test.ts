import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { words } from '../../renderer/words.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { choose, connect, connected, look, lookForSecondAccount, runTool, signIn, start, tabTo } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';

const scriptedBrowser = path.join(import.meta.dirname, '../demo/scripted-browser.ts');

test.describe('connecting in a window', () => {
  test('adds a server that asks nobody to sign in, and opens nothing (spec 2.1, NoAuth)', async ({ openProgram }) => {
    const mcp = await startResource(undefined);
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.noSignIn)).toBeVisible();
    await start(page, 'Add', 'Open notes');
    await connected(page, 'Open notes');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    expect(program.popups()).toEqual([]);
    expect(mcp.requests.filter(({ token }) => token !== undefined)).toEqual([]);
  });

  test('registers itself, signs in by a popup, and uses what it was given (spec 2.2, 2.5)', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.registersItself)).toBeVisible();
    expect(program.popups()).toEqual([]);
    expect(requestsTo(as, '/register')).toEqual([]);

    await start(page, 'Add and sign in', 'Field notes');
    await signIn(await program.popup(as.origin));
    await connected(page, 'Field notes');
    await expect.poll(() => program.popups()).toEqual([]);
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('signs in with the browser of the person where they want that', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram({ env: { BROWSER: `${process.execPath} ${scriptedBrowser}` } });
    const { page } = program;
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('radio', { name: 'In my browser' }).click();
    await expect(page.getByRole('radio', { name: 'In my browser' })).toBeChecked();
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.after.browser(new URL(as.issuer).host))).toBeVisible();
    await start(page, 'Add and sign in', 'Field notes');
    await connected(page, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(program.popups()).toEqual([]);
    expect(requestsTo(as, '/token')).toHaveLength(1);
  });

  test('hands the browser a link that Windows takes, however long the address of the sign-in page is', async ({
    openProgram,
  }) => {
    const { as, mcp } = await startPair({
      metadata: (document) => ({
        ...document,
        authorization_endpoint: `${String(document['authorization_endpoint'])}?tenant=${'x'.repeat(1_900)}`,
      }),
    });
    const folder = temporaryFolder();
    const opened = path.join(folder, 'opened');
    const browser = path.join(folder, 'browser.mjs');
    writeFileSync(
      browser,
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(opened)}, process.argv.at(-1));
      await import(${JSON.stringify(pathToFileURL(scriptedBrowser).href)});`,
    );
    const program = await openProgram({ env: { BROWSER: `${process.execPath} ${browser}` } });
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Field notes');
    await program.popup(as.origin);
    await page.getByRole('button', { name: 'Use my browser instead' }).click();
    await connected(page, 'Field notes');
    // Electron's shell.openExternal: at most 2,081 characters on Windows.
    const [asked] = requestsTo(as, '/authorize');
    expect(asked?.query.toString().length).toBeGreaterThan(2_081);
    expect(readFileSync(opened, 'utf8').length).toBeLessThan(2_081);
  });

  test('moves a sign-in from the popup to the browser, with the same link', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram({ env: { BROWSER: `${process.execPath} ${scriptedBrowser}` } });
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Field notes');
    const popup = await program.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    await page.getByRole('button', { name: 'Use my browser instead' }).click();
    await connected(page, 'Field notes');
    await expect.poll(() => program.popups()).toEqual([]);
    const states = requestsTo(as, '/authorize').map(({ query }) => query.get('state'));
    expect(new Set(states).size).toBe(1);
  });

  test('keeps two sign-ins apart that run at once, whichever ends first', async ({ openProgram }) => {
    const [first, second] = [await startPair(), await startPair()];
    const program = await openProgram();
    const { page } = program;
    await look(page, first.mcp.url);
    await start(page, 'Add and sign in', 'First');
    const firstPopup = await program.popup(first.as.origin);
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await look(page, second.mcp.url);
    await start(page, 'Add and sign in', 'Second');
    const secondPopup = await program.popup(second.as.origin);
    expect(program.popups()).toHaveLength(2);

    await signIn(secondPopup);
    await connected(page, 'Second');
    await page.locator('.connection-list').getByRole('button', { name: 'First' }).click();
    await signIn(firstPopup);
    await connected(page, 'First');
    for (const [name, { mcp }] of [['First', first] as const, ['Second', second] as const]) {
      await choose(page, name);
      expect(await runTool(page, 'Who am I?')).toContain('Demo User');
      expect(mcp.requests.some(({ rpcMethod, status }) => rpcMethod === 'tools/call' && status === 200)).toBe(true);
    }
    const tokensOf = ({ mcp }: typeof first) => mcp.requests.flatMap(({ token }) => token ?? []);
    expect(tokensOf(first).filter((token) => tokensOf(second).includes(token))).toEqual([]);
  });

  test('is not repeated without a word, however its address is written; a second account is a choice', async ({
    openProgram,
  }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    for (const typed of [mcp.url, mcp.url.replace('http://', ''), mcp.url.replace('http://', 'HTTP://')]) {
      await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
      await look(page, typed);
      await expect(page.getByRole('alert').getByText(words.connect.known('Field notes'))).toBeVisible();
    }
    // Nothing was asked so far, and nothing is in the side bar.
    const checks = (await program.traffic()).filter(
      ({ kind, channel }) => `${kind} ${channel}` === 'ask connection:discover',
    );
    expect(checks).toHaveLength(1);
    await expect(page.locator('.connection-list')).toHaveCount(0);
    await page.getByRole('alert').getByRole('button', { name: words.connect.openKnown }).click();
    await expect(page.getByRole('heading', { name: 'Field notes', level: 1 })).toBeVisible();
    await lookForSecondAccount(page, mcp.url);
    await expect(page.locator('.verdict-part').getByText(words.connect.known('Field notes'))).toBeVisible();
    await start(page, 'Add and sign in', 'Field notes, second');
    await signIn(await program.popup(as.origin));
    await connected(page, 'Field notes, second');
    await expect(page.locator('.integration-row')).toHaveCount(2);
  });

  test('leads from an empty start to the result of a tool in five clicks', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram({ env: { POSTERN_DEMO_URL: mcp.url } });
    const { page } = program;
    // As the window opens; a narrow one shows the tools first.
    await page.setViewportSize({ width: 1_100, height: 720 });
    await page.getByRole('button', { name: words.connect.here.tryDemo }).click();
    await page.getByRole('button', { name: words.connect.start.registersItself, exact: true }).click();
    await signIn(await program.popup(as.origin)); // Two: who it is, and that Postern may.
    await page.getByRole('button', { name: words.tools.run, exact: true }).click();
    await expect(page.locator('.result')).toContainText('Demo User');
    await expect(page.getByRole('heading', { name: words.connect.demoName, level: 1 })).toBeVisible();
  });

  test('needs nothing but the keyboard, from the address to the answer of a tool', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await page.keyboard.press('Control+n');
    await expect(page.getByLabel('Server address')).toBeFocused();
    await page.keyboard.type(mcp.url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Add and sign in' });
    await expect(button).toBeVisible();
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');

    const popup = await program.popup(as.origin);
    await expect(popup.getByLabel('Password')).toBeVisible();
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Enter');
    await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Enter').catch(() => {});
    await expect(page.getByRole('tab', { name: 'Tools', selected: true })).toBeVisible();

    await tabTo(page, page.getByRole('listbox', { name: 'Tools' }));
    await page.keyboard.press('Home');
    await expect(page.getByRole('heading', { name: 'Who am I?' })).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Run' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('You are Demo User')).toBeVisible();
  });

  test('is there again after a restart, without another sign-in (spec 2.10)', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const first = await openProgram();
    await connect(first, as, mcp.url, 'Field notes');
    expect(await first.close()).toBe(0);
    const asked = requestsTo(as, '/authorize').length;

    const { page } = await openProgram({ profile: first.profile });
    await choose(page, 'Field notes');
    await expect(page.locator('.integration-state-line').getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/authorize')).toHaveLength(asked);
  });
});
