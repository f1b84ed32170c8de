import { json } from 'node:stream/consumers';
import { words } from '../../renderer/words.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { startNotesServer } from '../support/notes-server.ts';
import { choose, connect, connected, look, lookForSecondAccount, runTool, signIn, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

test.describe('a tool', () => {
  test('that deletes runs only after confirmation, keeps asking for its permission, and asks to be run again once granted', async ({
    openPostern,
  }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await connect(postern, as, mcp.url, 'Field notes');
    const calls = () => mcp.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
    await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'Delete all notes' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const question = page.getByRole('dialog');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(calls()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await question.getByRole('button', { name: 'Run it' }).click();

    const error = page.getByRole('alert');
    await expect(error.getByRole('button', { name: 'Grant access' })).toBeVisible();
    expect(calls()).toHaveLength(1);
    // The response to another request does not affect the permission.
    await page.getByRole('button', { name: 'Reload list' }).click();
    await expect(page.getByRole('button', { name: 'Reload list' })).toBeEnabled();
    await expect(page.locator('.integration-state').getByRole('button', { name: 'Grant access' })).toBeVisible();
    await error.getByRole('button', { name: 'Grant access' }).click();
    await signIn(await postern.popup(as.origin));
    expect(requestsTo(as, '/authorize').at(-1)?.query.get('scope')).toContain('notes:admin');
    await expect(page.locator('.integration-state').getByText(words.status.ready)).toBeVisible();
    await expect(error).toHaveCount(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await question.getByRole('button', { name: 'Run it' }).click();
    await expect(page.locator('.result')).toBeVisible();
  });

  test('with missing input says so at its button and leads to the field', async ({ openPostern }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await connect(postern, as, mcp.url, 'Field notes');
    await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'Add a note' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const field = page.getByRole('textbox', { name: /^Text/iu });
    await expect(field).toBeFocused();
    await expect(page.getByText(words.tools.attention(1))).toBeVisible();
    await page.keyboard.type('Milk');
    await expect(field).not.toHaveAttribute('aria-invalid');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.locator('.result')).toBeVisible();
  });

  test('and a resource are reloaded when the server changes them', async ({ openPostern }) => {
    const notes = await startNotesServer('session');
    const postern = await openPostern();
    const { page } = postern;
    await look(page, notes.url);
    await start(page, 'add', 'Today');
    await connected(page, 'Today');
    await page.getByRole('tab', { name: 'Tools' }).click();
    await expect(page.getByRole('option', { name: 'look' })).toBeVisible();
    await notes.addTool('write');
    await expect(page.getByRole('option', { name: 'write' })).toBeVisible();
    await page.getByRole('radio', { name: 'Resources' }).click();
    await page.getByRole('listbox', { name: 'Resources' }).getByRole('option').click();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(page.locator('.result').getByText('first')).toBeVisible();
    await expect.poll(() => notes.subscriptions).toHaveLength(1);
    await notes.change('second');
    await expect(page.locator('.result').getByText('second')).toBeVisible();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect.poll(() => notes.unsubscribed).toHaveLength(1);
  });

  test('of a server that always responds 500 shows one status, and Try now asks the server again', async ({
    openPostern,
  }) => {
    let isDown = false;
    const held = Promise.withResolvers<void>();
    const mcp = await startResource(undefined, {
      async intercept(_request, response) {
        if (!isDown) return false;
        await held.promise;
        response.writeHead(500).end();
        return true;
      },
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'add', 'Open notes');
    await connected(page, 'Open notes');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    isDown = true;
    const state = page.locator('.integration-state');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(state.getByText(words.busy.calling)).toBeVisible();
    held.resolve();
    await expect(state.getByText(words.status.offline)).toBeVisible();
    // The failed call says so where it was made.
    await expect(page.getByRole('alert')).toHaveCount(1);
    await state.getByRole('button', { name: 'Try again' }).click();
    await expect(state.getByText(words.status.offline)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(1);
    isDown = false;
    const requestsBefore = mcp.requests.length;
    await state.getByRole('button', { name: 'Try again' }).click();
    await expect(state.getByText(words.status.ready)).toBeVisible();
    expect(mcp.requests.length).toBeGreaterThan(requestsBefore);
  });

  test('with a list as result shows every table cell whole, in a wide and a narrow window', async ({ openPostern }) => {
    const rows = [1, 2].map((number) => ({
      number,
      title: 'Sign-in again every few days, although the refresh token is renewed in time',
      url: `https://notes.example/${'unbroken-'.repeat(20)}${number}`,
      labels: 'needs-reproduction',
    }));
    let hasList = false;
    const mcp = await startResource(undefined, {
      protocols: 'session',
      async intercept(request, response) {
        if (!hasList || request.method !== 'POST') return false;
        const { id } = (await json(request)) as { id: number };
        const result = { content: [{ type: 'text', text: JSON.stringify(rows) }] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        return true;
      },
    });
    const { page } = await openPostern();
    await look(page, mcp.url);
    await start(page, 'add', 'Issues');
    await connected(page, 'Issues');
    // The list of tools is read before every answer is that of the tool.
    await page.getByRole('option', { name: 'Who am I?' }).waitFor();
    hasList = true;
    await runTool(page, 'Who am I?');
    for (const width of [1_100, 640]) {
      await page.setViewportSize({ width, height: 720 });
      const cells = await page.locator('.result td').evaluateAll((all) =>
        all.map((cell) => {
          cell.scrollIntoView({ inline: 'nearest' });
          const text = document.createRange();
          text.selectNodeContents(cell);
          const [drawn, box] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
          const isWithin = drawn.left >= box.left && drawn.right <= box.right && drawn.bottom <= box.bottom;
          const clips = [...cell.querySelectorAll('*')].some((part) => part.scrollWidth > part.clientWidth + 1);
          const shown = document.elementFromPoint(box.right - 20, box.top + 4);
          return { text: cell.textContent, isWhole: isWithin && !clips && cell.contains(shown) };
        }),
      );
      expect(cells).toEqual(
        rows.flatMap((row) => Object.values(row).map((value) => ({ text: String(value), isWhole: true }))),
      );
    }
  });

  test('of an unreachable address is reported at each of its servers, and so is its recovery', async ({
    openPostern,
  }) => {
    let isDead = false;
    const mcp = await startResource(undefined, {
      intercept(_request, response) {
        if (isDead) response.socket?.destroy();
        return isDead;
      },
    });
    const { page } = await openPostern();
    for (const [name, lookAt] of [
      ['First', look],
      ['Second', lookForSecondAccount],
    ] as const) {
      await lookAt(page, mcp.url);
      await start(page, 'add', name);
      await connected(page, name);
      await runTool(page, 'Who am I?');
      await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    }
    const row = (name: string) => page.getByRole('option', { name });
    await choose(page, 'First');
    await runTool(page, 'Who am I?');
    isDead = true;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(row('First').getByText(words.status.offline)).toBeVisible();
    await expect(row('Second').getByText(words.status.offline)).toBeVisible();
    isDead = false;
    await page.locator('.integration-state').getByRole('button', { name: 'Try again' }).click();
    await expect(row('Second').getByText(words.status.offline)).toHaveCount(0);
    await expect(row('First').getByText(words.status.offline)).toHaveCount(0);
  });
});
