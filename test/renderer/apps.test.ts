import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { manyIntegrations } from './list-fixtures.ts';
import {
  aCommandFailure,
  aFileFault,
  aPreview,
  anOtherApp,
  aApp,
  lookInside,
  madeOf,
  otherPreviewed,
  previewed,
  previewApp,
  someEntries,
  someApps,
} from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const integrations = [anIntegrationView(), anIntegrationView({ id: 'notes', name: 'Notes' })];

test.describe('an app that needs attention', () => {
  for (const { status, wantedBy, button } of [
    { status: 'signIn', wantedBy: 'Cursor', button: 'Sign in' },
    { status: 'needsAccess', wantedBy: 'Zed', button: 'Grant access' },
  ] as const)
    test(`has one card with one button: ${button}`, async ({ openWindow }) => {
      const view = anIntegrationView({ status: { name: status }, wantedBy });
      const answers = { 'integration:signInAgain': { connectionId: 'c1' } };
      const { page, send, publish, calls } = await openWindow({ snapshots: { integrations: [view] }, answers });
      // Like a click on the system notification.
      await send({ event: 'command', command: 'integration', integrationId: view.id });
      const card = page.getByText(words.integration.couldNotUse(wantedBy, 'Linear'));
      await expect(card).toHaveCount(1);
      const fixButton = page.locator('.integration-state').getByRole('button', { name: button, exact: true });
      await expect(fixButton).toHaveCount(1);
      await fixButton.focus();
      await page.keyboard.press('Enter');
      // The page reads the calls made meanwhile.
      await expect.poll(calls).toContainEqual({ call: 'integration:signInAgain', input: { id: view.id } });
      await publish({ integrations: [anIntegrationView()] });
      await expect(card).toHaveCount(0);
    });
});

test.describe('apps', () => {
  test('show what they use, and a new app appears at once', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ snapshots: { integrations, apps: [] } });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('app:find');
    await publish({ apps: [aApp({ uses: ['notes'] }), aApp({ id: 'zed', name: 'Zed', uses: [] })] });
    await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Zed not set up' })).toBeVisible();
    await publish({ apps: [aApp({ uses: ['notes'], lastUsedAt: Date.now() - 3 * 60_000 })] });
    await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2 · last used 3 minutes ago' })).toBeVisible();
  });

  test('show that their file cannot be read, and why, before the user opens it', async ({ openWindow }) => {
    const fault = aFileFault();
    const apps = [aApp({ uses: ['notes'], fault }), aApp({ id: 'zed', name: 'Zed', uses: [], fault })];
    const { page, publish, calls } = await openWindow({ snapshots: { integrations, apps } });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await expect(page.getByRole('button', { name: `Cursor uses 1 of 2 · ${words.apps.unreadable}` })).toBeVisible();
    await page.getByRole('button', { name: `Zed ${words.apps.unreadable}` }).click();
    await expect(page.getByText(fault.message)).toBeVisible();
    const finds = async () => (await calls()).filter(({ call }) => call === 'app:find').length;
    const before = await finds();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(finds).toBe(before + 1);
    await publish({ apps: [aApp({ id: 'zed', name: 'Zed', uses: [] })] });
    await expect(page.getByText(fault.message)).toHaveCount(0);
  });

  test('unknown to Postern are added by name and disappear once revoked', async ({ openWindow }) => {
    const lines = otherPreviewed();
    const answers = {
      'app:previewOther': lines,
      'app:change': madeOf(...lines.previews),
      'app:revoke': { revoked: [] },
    };
    const { page, publish, calls } = await openWindow({ snapshots: { integrations, apps: [] }, answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Another app…' }).click();
    await expect(page.getByRole('button', { name: 'Show lines…' })).toBeDisabled();
    await page.keyboard.type(' My agent ');
    await page.getByLabel('Server', { exact: true }).selectOption('Notes');
    await page.getByRole('radio', { name: 'With an address' }).press('Space');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await publish({ apps: [anOtherApp()] });
    await expect(page.getByRole('heading', { name: 'My agent' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Show servers' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Revoke access…' }).click();
    await publish({ apps: [] });
    await expect(page.getByRole('heading', { name: 'AI apps' })).toBeVisible();
    const own = (await calls()).filter(({ call }) => call.startsWith('app:') && !/:(?:find|icon)$/.test(call));
    expect(own).toEqual([
      { call: 'app:previewOther', input: { name: 'My agent', integration: 'notes', isHttp: true } },
      { call: 'app:change', input: { tokens: [aPreview().token] } },
      { call: 'app:revoke', input: { app: 'other-my-agent' } },
    ]);
  });

  test('whose file is not changed have lines that only main copies', async ({ openWindow }) => {
    const fault = { fault: aCommandFailure() };
    const answers = { 'app:preview': previewed({ action: 'paste', ...fault }), 'app:copyLines': null };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
    await previewApp(page);
    await page.getByRole('button', { name: 'Copy lines' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'app:copyLines', input: { token: aPreview().token } });
  });

  test('whose own command failed have lines to copy', async ({ openWindow }) => {
    const answers = {
      'app:preview': previewed({ action: 'command' }),
      'app:change': { error: aCommandFailure() },
      'app:copyLines': null,
    };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
    await previewApp(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Copy lines' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'app:copyLines', input: { token: aPreview().token } });
  });

  test('get a server by keyboard: switch, preview, write', async ({ openWindow }) => {
    const answers = { 'app:preview': previewed(), 'app:change': madeOf(aPreview()) };
    const { page, publish, calls } = await openWindow({ snapshots: { integrations }, answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Zed' }).focus();
    await page.keyboard.press('Enter');
    const linear = page.getByRole('switch', { name: 'Linear' });
    await linear.focus();
    await page.keyboard.press('Space');
    const dialog = page.getByRole('dialog', { name: words.apps.previewOf(['Zed'], true, 'Linear') });
    await expect(dialog.getByRole('list', { name: 'Added lines' })).toContainText('"command": "/usr/lib/postern');
    await expect(dialog.getByText('/home/ada/.config/zed/settings.json')).toBeVisible();
    // A preview writes nothing.
    expect((await calls()).map(({ call }) => call)).not.toContain('app:change');
    await dialog.getByRole('button', { name: 'Change file' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(words.apps.notices.restart('Zed'))).toBeVisible();
    const made = (await calls()).filter(({ call }) => call === 'app:preview' || call === 'app:change');
    expect(made.map(({ input }) => input)).toEqual([
      { changes: [{ app: 'zed', integrations: ['linear'], use: true }] },
      { tokens: [aPreview().token] },
    ]);
    // Only main decides the state.
    await expect(linear).not.toBeChecked();
    await publish({ apps: someApps().map((each) => ({ ...each, uses: ['linear'] })) });
    await expect(linear).toBeChecked();
  });

  test('list the servers in use first among 1,000, and find others by name', async ({ openWindow }) => {
    const apps = someApps().map((each) => ({ ...each, uses: each.id === 'cursor' ? ['server-776'] : [] }));
    const { page } = await openWindow({ snapshots: { integrations: manyIntegrations(1_000), apps } });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: /Cursor/ }).click();
    const switches = page.getByRole('switch');
    await expect(switches).toHaveCount(50);
    await expect(switches.first()).toHaveAccessibleName('Server 777');
    await expect(switches.first()).toBeChecked();
    await page.locator('main').getByRole('searchbox').fill('server 99');
    await expect(switches).toHaveCount(19);
    await expect(switches.first()).toHaveAccessibleName('Server 99');
  });

  test('with profiles are changed in the chosen profile', async ({ openWindow }) => {
    const vscode = { id: 'vscode', name: 'VS Code' };
    const profiles = [{ id: '-3a5b', name: 'Work' }];
    const shown = previewed({ profiles, app: vscode.id, name: vscode.name });
    const answers = { 'app:preview': shown };
    const apps = [aApp({ ...vscode, hasProfiles: true, uses: ['linear'] })];
    const { page, calls } = await openWindow({ snapshots: { integrations, apps }, answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'VS Code' }).click();
    await page.getByRole('button', { name: 'Another profile… Linear' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Profile').selectOption('Work');
    const previewInputs = async () =>
      (await calls()).filter(({ call }) => call === 'app:preview').map(({ input }) => input);
    const change = { app: 'vscode', integrations: ['linear'], use: true };
    await expect
      .poll(previewInputs)
      .toEqual([{ changes: [change] }, { changes: [{ ...change, editorProfile: '-3a5b' }] }]);
    await page.keyboard.press('Escape');
    // Profiles are also offered for a server it does not use yet.
    await page.getByRole('switch', { name: 'Notes' }).click();
    await expect(page.getByRole('dialog').getByLabel('Profile')).toBeVisible();
  });

  test('show the last requested preview, whichever arrives first', async ({ openWindow }) => {
    const answers = { 'app:preview': previewed() };
    const { page } = await openWindow({ snapshots: { integrations }, answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Zed' }).click();
    // The test controls when the first result arrives.
    await page.evaluate(() => {
      const { postern } = window as unknown as { postern: { app: Record<string, (input: unknown) => unknown> } };
      const { preview } = postern.app;
      if (!preview) throw new Error('There is no such call.');
      const { promise, resolve } = Promise.withResolvers<void>();
      let count = 0;
      postern.app['preview'] = (input) => {
        count += 1;
        const previews = preview(input);
        return count === 1 ? promise.then(() => previews) : previews;
      };
      Object.assign(window, { bringFirst: resolve });
    });
    await page.getByRole('switch', { name: 'Linear' }).click();
    await page.getByRole('switch', { name: 'Notes' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveAccessibleName(words.apps.previewOf(['Zed'], true, 'Notes'));
    await page.evaluate(() => (window as unknown as { bringFirst: () => void }).bringFirst());
    // After the effects of the result.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(dialog).toHaveAccessibleName(words.apps.previewOf(['Zed'], true, 'Notes'));
  });

  test('offer another profile if the file of the first is damaged', async ({ openWindow }) => {
    const fault = aCommandFailure();
    const shown = previewed({ profiles: [{ id: '-3a5b', name: 'Work' }], action: 'paste', fault });
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers: { 'app:preview': shown } });
    await previewApp(page);
    await page.getByRole('dialog').getByLabel('Profile').selectOption('Work');
    const previewInputs = async () =>
      (await calls()).filter(({ call }) => call === 'app:preview').map(({ input }) => input);
    const change = { app: 'zed', integrations: ['linear'], use: true };
    await expect
      .poll(previewInputs)
      .toEqual([{ changes: [change] }, { changes: [{ ...change, editorProfile: '-3a5b' }] }]);
  });

  test('stay unchanged on Cancel, with focus restored', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers: { 'app:preview': previewed() } });
    await previewApp(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('switch', { name: 'Linear' })).toBeFocused();
    expect((await calls()).map(({ call }) => call)).not.toContain('app:change');
  });

  test('have their last change undone after a preview', async ({ openWindow }) => {
    const answers = {
      'app:previewUndo': previewed({ restores: true, after: [], before: ['"linear": {}'] }),
      'app:change': madeOf(aPreview()),
    };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: words.apps.previewUndo('Cursor') });
    await expect(dialog.getByRole('list', { name: 'Removed lines' })).toContainText('"linear"');
    await dialog.getByRole('button', { name: 'Change file' }).click();
    await expect(dialog).toHaveCount(0);
    await expect
      .poll(async () => (await calls()).slice(-2).map(({ input }) => input))
      .toEqual([{ changes: [{ app: 'cursor', change: '0123456789ab' }] }, { tokens: [aPreview().token] }]);
  });

  test('lose every server once the user confirms in main', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ answers: { 'app:revoke': { revoked: [] } } });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Revoke access…' }).click();
    await expect(page.getByText(words.apps.revokeDone('Cursor'))).toBeVisible();
    await expect.poll(calls).toContainEqual({ call: 'app:revoke', input: { app: 'cursor' } });
    await publish({ apps: [aApp({ uses: [], isRevoked: true })] });
    await expect(page.getByRole('button', { name: 'Revoke access…' })).toHaveCount(0);
  });

  test('are paused and resumed one by one', async ({ openWindow }) => {
    const snapshots = { integrations, apps: [aApp({ uses: ['notes'] })] };
    const { page, calls, publish } = await openWindow({ snapshots });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'app:pause', input: { app: 'cursor', paused: true } });
    await publish({ apps: [aApp({ uses: ['notes'], isPaused: true })] });
    await expect(page.getByText('paused · uses 1 of 2', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'app:pause', input: { app: 'cursor', paused: false } });
    await page.getByRole('button', { name: 'AI apps', exact: true }).first().click();
    await expect(page.getByRole('button', { name: 'Cursor paused · uses 1 of 2' })).toBeVisible();
    // It may use nothing, but can still be resumed.
    await publish({ apps: [aApp({ uses: [], isPaused: true })] });
    await page.getByRole('button', { name: 'Cursor paused' }).click();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  });

  test('show other servers in their files on request, and import them through the address check', async ({
    openWindow,
  }) => {
    const answers = { 'app:readEntries': someEntries(), 'connection:discover': { id: 'c1' } };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    expect((await calls()).map(({ call }) => call)).not.toContain('app:readEntries');
    await page.getByRole('button', { name: 'Show servers' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(words.apps.withSecrets(['X-Key']))).toBeVisible();
    await expect(page.getByText(words.apps.isCommand)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Import: files' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Import: weather' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Server address')).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({
        call: 'connection:discover',
        input: { url: 'https://weather.example/mcp', options: {}, importEntry: 'e2' },
      });
  });

  test('have an entry taken over after a preview, then are read again', async ({ openWindow }) => {
    const answers = {
      'app:readEntries': someEntries(),
      'app:previewTakeOver': previewed({ app: 'cursor', name: 'Cursor' }),
      'app:change': madeOf(aPreview({ app: 'cursor', name: 'Cursor' })),
    };
    const { page, calls, publish } = await openWindow({ answers });
    await lookInside(page);
    await page.getByRole('button', { name: 'Take over… linear' }).click();
    const dialog = page.getByRole('dialog', { name: words.apps.previewTakeOver('linear', 'Cursor') });
    await dialog.getByRole('button', { name: 'Change file' }).click();
    await expect(page.getByText(words.apps.done(['Cursor']))).toBeVisible();
    const change = { id: 'abcdef012345', at: Date.UTC(2026, 10, 21), names: ['linear'] };
    await publish({ apps: [aApp({ lastChange: change })] });
    const readCount = async () => (await calls()).filter(({ call }) => call === 'app:readEntries').length;
    await expect.poll(readCount).toBe(2);
    await expect
      .poll(async () => (await calls()).find(({ call }) => call === 'app:previewTakeOver')?.input)
      .toEqual({ entry: 'e1' });
  });
});
