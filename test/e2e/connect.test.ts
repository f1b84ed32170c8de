import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { startDemo } from '../demo/start-demo.ts';
import { afterTest } from '../support/after-test.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  choose,
  connect,
  connected,
  look,
  lookForSecondAccount,
  runTool,
  signIn,
  start,
  tabTo,
} from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const scriptedBrowser = path.join(import.meta.dirname, '../demo/scripted-browser.ts');

test.describe('connecting in a window', () => {
  test('adds a server without sign-in and opens nothing (spec 2.1, NoAuth)', async ({ openPostern }) => {
    const mcp = await startResource(undefined);
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.noSignIn)).toBeVisible();
    await start(page, 'add', 'Open notes');
    await connected(page, 'Open notes');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    expect(postern.popups()).toEqual([]);
    expect(mcp.requests.filter(({ token }) => token !== undefined)).toEqual([]);
  });

  test('registers, signs in with a popup, and uses the token (spec 2.2, 2.5)', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.registersItself)).toBeVisible();
    expect(postern.popups()).toEqual([]);
    expect(requestsTo(as, '/register')).toEqual([]);

    await start(page, 'signIn', 'Field notes');
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Field notes');
    await expect.poll(() => postern.popups()).toEqual([]);
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('signs in with the user’s browser if they chose that', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern({ env: { BROWSER: `${process.execPath} ${scriptedBrowser}` } });
    const { page } = postern;
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('radio', { name: 'In my browser' }).click();
    await expect(page.getByRole('radio', { name: 'In my browser' })).toBeChecked();
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.after.browser(new URL(as.issuer).host))).toBeVisible();
    await start(page, 'signIn', 'Field notes');
    await connected(page, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(postern.popups()).toEqual([]);
    expect(requestsTo(as, '/token')).toHaveLength(1);
  });

  test('gives the browser a link short enough for Windows, however long the sign-in URL is', async ({
    openPostern,
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
    const postern = await openPostern({ env: { BROWSER: `${process.execPath} ${browser}` } });
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Field notes');
    await postern.popup(as.origin);
    await page.getByRole('button', { name: 'Use my browser instead' }).click();
    await connected(page, 'Field notes');
    // Electron's shell.openExternal: at most 2,081 characters on Windows.
    const [authorizationRequest] = requestsTo(as, '/authorize');
    expect(authorizationRequest?.query.toString().length).toBeGreaterThan(2_081);
    expect(readFileSync(opened, 'utf8').length).toBeLessThan(2_081);
  });

  test('moves a sign-in from the popup to the browser, with the same link', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern({ env: { BROWSER: `${process.execPath} ${scriptedBrowser}` } });
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Field notes');
    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    await page.getByRole('button', { name: 'Use my browser instead' }).click();
    await connected(page, 'Field notes');
    await expect.poll(() => postern.popups()).toEqual([]);
    const states = requestsTo(as, '/authorize').map(({ query }) => query.get('state'));
    expect(new Set(states).size).toBe(1);
  });

  test('keeps two concurrent sign-ins separate, whichever ends first', async ({ openPostern }) => {
    const [first, second] = [await startPair(), await startPair()];
    const postern = await openPostern();
    const { page } = postern;
    await look(page, first.mcp.url);
    await start(page, 'signIn', 'First');
    const firstPopup = await postern.popup(first.as.origin);
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await look(page, second.mcp.url);
    await start(page, 'signIn', 'Second');
    const secondPopup = await postern.popup(second.as.origin);
    expect(postern.popups()).toHaveLength(2);

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

  test('recognizes a connected address however it is written; a second account is a choice', async ({
    openPostern,
  }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await connect(postern, as, mcp.url, 'Field notes');
    for (const typed of [mcp.url, mcp.url.replace('http://', ''), mcp.url.replace('http://', 'HTTP://')]) {
      await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
      await look(page, typed);
      await expect(page.getByRole('alert').getByText(words.connect.known('Field notes'))).toBeVisible();
    }
    // No request so far, and nothing in the sidebar.
    const checks = (await postern.traffic()).filter(
      ({ kind, channel }) => `${kind} ${channel}` === 'ask connection:discover',
    );
    expect(checks).toHaveLength(1);
    await expect(page.locator('.connection-list')).toHaveCount(0);
    await page.getByRole('alert').getByRole('button', { name: words.connect.openKnown }).click();
    await expect(page.getByRole('heading', { name: 'Field notes', level: 1 })).toBeVisible();
    await lookForSecondAccount(page, mcp.url);
    await expect(page.locator('.connect-card').getByText(words.connect.known('Field notes'))).toBeVisible();
    await start(page, 'signIn', 'Field notes, second');
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Field notes, second');
    await expect(page.locator('.integration-row')).toHaveCount(2);
  });

  test('goes from an empty start to a tool result of the demo in four clicks', async ({ openPostern }) => {
    // As `npm start` does.
    const demo = await startDemo({ folder: temporaryFolder(), signedIn: true });
    afterTest(() => demo.close());
    const postern = await openPostern({ env: { POSTERN_DEMO_URL: demo.url } });
    const { page } = postern;
    // At the default size; a narrow window shows the tools first.
    await page.setViewportSize({ width: 1_100, height: 720 });
    let clicks = 0;
    const click = async (window: Page, name: string | RegExp): Promise<void> => {
      clicks += 1;
      await window.getByRole('button', { name, exact: true }).click({ noWaitAfter: true });
    };
    await click(page, words.connect.quickStart.tryDemo);
    await click(page, /^Sign in to/u);
    const popup = await postern.popup(demo.issuer ?? '');
    // The click closes its window.
    await click(popup, 'Allow').catch((error: unknown) => {
      if (!popup.isClosed()) throw error;
    });
    await click(page, words.tools.run);
    await expect(page.locator('.result')).toContainText('Demo User');
    expect(clicks).toBe(4);
    await expect(page.getByRole('heading', { name: words.connect.demoName, level: 1 })).toBeVisible();
  });

  test('works by keyboard alone, from the address to the result of a tool', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await page.keyboard.press('Control+n');
    await expect(page.getByLabel('Server address')).toBeFocused();
    await page.keyboard.type(mcp.url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: /^Sign in to/u });
    await expect(button).toBeVisible();
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');

    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('Password')).toBeVisible();
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Enter');
    await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Enter').catch(() => {});
    await expect(page.getByRole('heading', { name: words.apps.connected.title('Fieldnotes') })).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Run', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('You are Demo User')).toBeVisible();
  });

  test('survives a restart without another sign-in (spec 2.10)', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const first = await openPostern();
    await connect(first, as, mcp.url, 'Field notes');
    expect(await first.close()).toBe(0);
    const requestCount = requestsTo(as, '/authorize').length;

    const { page } = await openPostern({ profile: first.profile });
    await choose(page, 'Field notes');
    await expect(page.locator('.integration-state-line').getByText(words.status.ready)).toBeVisible();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/authorize')).toHaveLength(requestCount);
  });
});
