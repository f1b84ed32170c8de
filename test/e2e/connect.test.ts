import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { openProgram, runtime } from './kit/open-program.ts';
import { choose, connect, connected, look, runTool, signIn, start, tabTo } from './kit/person.ts';

const scriptedBrowser = path.join(import.meta.dirname, '../demo/scripted-browser.ts');

describe(`connecting in a window, ${runtime}`, () => {
  it('adds a server that asks nobody to sign in, and opens nothing (spec 2.1, NoAuth)', async () => {
    const mcp = await startResource(undefined);
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await page.getByText('No sign-in needed.').waitFor();
    await start(page, 'Add', 'Open notes');
    await connected(page, 'Open notes');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    expect(program.popups()).toEqual([]);
    expect(mcp.requests.filter(({ token }) => token !== undefined)).toEqual([]);
  });

  it('registers itself, signs in by a popup, and uses what it was given (spec 2.2, 2.5)', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await page.getByText('You sign in; Postern registers itself.').waitFor();
    expect(program.popups()).toEqual([]);
    expect(requestsTo(as, '/register')).toEqual([]);

    await start(page, 'Add and sign in', 'Field notes');
    await signIn(await program.popup(as.origin));
    await connected(page, 'Field notes');
    await expect.poll(() => program.popups()).toEqual([]);
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  it('signs in with the browser of the person where they want that', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram({ env: { BROWSER: `${process.execPath} ${scriptedBrowser}` } });
    const { page } = program;
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('radio', { name: 'In my browser' }).click();
    await expect.poll(() => page.getByRole('radio', { name: 'In my browser' }).isChecked()).toBe(true);
    await look(page, mcp.url);
    await page.getByText(`Opens ${new URL(as.issuer).host} in your browser.`).waitFor();
    await start(page, 'Add and sign in', 'Field notes');
    await connected(page, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(program.popups()).toEqual([]);
    expect(requestsTo(as, '/token')).toHaveLength(1);
  });

  it('moves a sign-in from the popup to the browser, with the same link', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram({ env: { BROWSER: `${process.execPath} ${scriptedBrowser}` } });
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Field notes');
    const popup = await program.popup(as.origin);
    await popup.getByLabel('User name').waitFor();
    await page.getByRole('button', { name: 'Use my browser instead' }).click();
    await connected(page, 'Field notes');
    await expect.poll(() => program.popups()).toEqual([]);
    const states = requestsTo(as, '/authorize').map(({ query }) => query.get('state'));
    expect(new Set(states).size).toBe(1);
  });

  it('keeps two sign-ins apart that run at once, whichever ends first', async () => {
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

  it('needs nothing but the keyboard, from the address to the answer of a tool', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await page.keyboard.press('Control+n');
    await expect
      .poll(() => page.getByLabel('Server address').evaluate((at) => at === document.activeElement))
      .toBe(true);
    await page.keyboard.type(mcp.url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Add and sign in' });
    await button.waitFor();
    await expect.poll(() => button.evaluate((at) => at === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');

    const popup = await program.popup(as.origin);
    await popup.getByLabel('Password').waitFor();
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Enter');
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Tab');
    await popup.keyboard.press('Enter').catch(() => {});
    await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();

    await tabTo(page, page.getByRole('listbox', { name: 'Tools' }));
    await page.keyboard.press('Home');
    await page.getByRole('heading', { name: 'Who am I?' }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Run' }));
    await page.keyboard.press('Enter');
    await page.getByText('You are Demo User').waitFor();
  });

  it('is there again after a restart, without another sign-in (spec 2.10)', async () => {
    const { as, mcp } = await startPair();
    const first = await openProgram();
    await connect(first, as, mcp.url, 'Field notes');
    expect(await first.close()).toBe(0);
    const asked = requestsTo(as, '/authorize').length;

    const { page } = await openProgram({ profile: first.profile });
    await choose(page, 'Field notes');
    await page.locator('.integration-state-line').getByText('Ready').waitFor();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/authorize')).toHaveLength(asked);
  });
});
