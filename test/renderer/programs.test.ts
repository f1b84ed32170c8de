import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { manyIntegrations } from './list-fixtures.ts';
import {
  aCommandFailure,
  aFileFault,
  aPreview,
  anOtherProgram,
  aProgram,
  lookInside,
  madeOf,
  otherPreviewed,
  previewed,
  previewProgram,
  someEntries,
  somePrograms,
} from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const integrations = [anIntegrationView(), anIntegrationView({ id: 'notes', name: 'Notes' })];

test.describe('a program that needs the person', () => {
  for (const { status, wantedBy, button } of [
    { status: 'signIn', wantedBy: 'Cursor', button: 'Sign in' },
    { status: 'needsAccess', wantedBy: 'Zed', button: 'Grant access' },
  ] as const)
    test(`has one card with one button: ${button}`, async ({ openWindow }) => {
      const view = anIntegrationView({ status: { name: status }, wantedBy });
      const answers = { 'integration:signInAgain': { connectionId: 'c1' } };
      const { page, send, publish, calls } = await openWindow({ snapshots: { integrations: [view] }, answers });
      // As a click on the notice of the system does.
      await send({ event: 'command', command: 'integration', integrationId: view.id });
      const card = page.getByText(words.integration.wanted(wantedBy, 'Linear'));
      await expect(card).toHaveCount(1);
      const mend = page.locator('.integration-state').getByRole('button', { name: button, exact: true });
      await expect(mend).toHaveCount(1);
      await mend.focus();
      await page.keyboard.press('Enter');
      // The page reads what programs called meanwhile.
      await expect.poll(calls).toContainEqual({ call: 'integration:signInAgain', input: { id: view.id } });
      await publish({ integrations: [anIntegrationView()] });
      await expect(card).toHaveCount(0);
    });
});

test.describe('programs', () => {
  test('each say what they use; one that comes is shown at once', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ snapshots: { integrations, programs: [] } });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('program:find');
    await publish({ programs: [aProgram({ uses: ['notes'] }), aProgram({ id: 'zed', name: 'Zed', uses: [] })] });
    await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Zed not set up' })).toBeVisible();
    await publish({ programs: [aProgram({ uses: ['notes'], lastUsedAt: Date.now() - 3 * 60_000 })] });
    await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2 · last used 3 minutes ago' })).toBeVisible();
  });

  test('say that their file cannot be read, and why, before anybody looks inside', async ({ openWindow }) => {
    const fault = aFileFault();
    const programs = [aProgram({ uses: ['notes'], fault }), aProgram({ id: 'zed', name: 'Zed', uses: [], fault })];
    const { page, publish, calls } = await openWindow({ snapshots: { integrations, programs } });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2 · file cannot be read' })).toBeVisible();
    await page.getByRole('button', { name: 'Zed file cannot be read' }).click();
    await expect(page.getByText(fault.message)).toBeVisible();
    const finds = async () => (await calls()).filter(({ call }) => call === 'program:find').length;
    const before = await finds();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(finds).toBe(before + 1);
    await publish({ programs: [aProgram({ id: 'zed', name: 'Zed', uses: [] })] });
    await expect(page.getByText(fault.message)).toHaveCount(0);
  });

  test('that Postern does not know are added by name, and leave the list once they are revoked', async ({
    openWindow,
  }) => {
    const lines = otherPreviewed();
    const answers = {
      'program:previewOther': lines,
      'program:change': madeOf(...lines.previews),
      'program:revoke': { revoked: [] },
    };
    const { page, publish, calls } = await openWindow({ snapshots: { integrations, programs: [] }, answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Another program…' }).click();
    await expect(page.getByRole('button', { name: 'Show the lines…' })).toBeDisabled();
    await page.keyboard.type(' My agent ');
    await page.getByLabel('Server', { exact: true }).selectOption('Notes');
    await page.getByRole('radio', { name: 'By an address' }).press('Space');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await publish({ programs: [anOtherProgram()] });
    await expect(page.getByRole('heading', { name: 'My agent' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Look inside' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Revoke access…' }).click();
    await publish({ programs: [] });
    await expect(page.getByRole('heading', { name: 'Programs' })).toBeVisible();
    const own = (await calls()).filter(({ call }) => call.startsWith('program:') && call !== 'program:find');
    expect(own).toEqual([
      { call: 'program:previewOther', input: { name: 'My agent', integration: 'notes', isHttp: true } },
      { call: 'program:change', input: { tokens: [aPreview().token] } },
      { call: 'program:revoke', input: { program: 'other-my-agent' } },
    ]);
  });

  test('whose file is left alone have lines to copy, by main alone', async ({ openWindow }) => {
    const fault = { fault: aCommandFailure() };
    const answers = { 'program:preview': previewed({ action: 'paste', ...fault }), 'program:copyLines': null };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
    await previewProgram(page);
    await page.getByRole('button', { name: 'Copy the lines' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'program:copyLines', input: { token: aPreview().token } });
  });

  test('whose own command failed have lines to copy', async ({ openWindow }) => {
    const answers = {
      'program:preview': previewed({ action: 'command' }),
      'program:change': { error: aCommandFailure() },
      'program:copyLines': null,
    };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
    await previewProgram(page);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Copy the lines' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'program:copyLines', input: { token: aPreview().token } });
  });

  test('get a server with the keyboard alone: switch, preview, write', async ({ openWindow }) => {
    const answers = { 'program:preview': previewed(), 'program:change': madeOf(aPreview()) };
    const { page, publish, calls } = await openWindow({ snapshots: { integrations }, answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Zed' }).focus();
    await page.keyboard.press('Enter');
    const linear = page.getByRole('switch', { name: 'Linear' });
    await linear.focus();
    await page.keyboard.press('Space');
    const dialog = page.getByRole('dialog', { name: 'Let Zed use Linear?' });
    await expect(dialog.getByRole('list', { name: 'Lines that come' })).toContainText('"command": "/usr/lib/postern');
    await expect(dialog.getByText('/home/ada/.config/zed/settings.json')).toBeVisible();
    // Nothing is written by looking.
    expect((await calls()).map(({ call }) => call)).not.toContain('program:change');
    await dialog.getByRole('button', { name: 'Change file' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(words.programs.notices.restart('Zed'))).toBeVisible();
    const made = (await calls()).filter(({ call }) => call === 'program:preview' || call === 'program:change');
    expect(made.map(({ input }) => input)).toEqual([
      { changes: [{ program: 'zed', integrations: ['linear'], use: true }] },
      { tokens: [aPreview().token] },
    ]);
    // Only main says what is so.
    await expect(linear).not.toBeChecked();
    await publish({ programs: somePrograms().map((each) => ({ ...each, uses: ['linear'] })) });
    await expect(linear).toBeChecked();
  });

  test('have the servers that they use first among a thousand, and any other by its name', async ({ openWindow }) => {
    const programs = somePrograms().map((each) => ({ ...each, uses: each.id === 'cursor' ? ['server-776'] : [] }));
    const { page } = await openWindow({ snapshots: { integrations: manyIntegrations(1_000), programs } });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: /Cursor/ }).click();
    const switches = page.getByRole('switch');
    await expect(switches).toHaveCount(50);
    await expect(switches.first()).toHaveAccessibleName('Server 777');
    await expect(switches.first()).toBeChecked();
    await page.locator('main').getByRole('searchbox').fill('server 99');
    await expect(switches).toHaveCount(19);
    await expect(switches.first()).toHaveAccessibleName('Server 99');
  });

  test('with profiles of their own are changed in the one that is chosen', async ({ openWindow }) => {
    const vscode = { id: 'vscode', name: 'VS Code' };
    const profiles = [{ id: '-3a5b', name: 'Work' }];
    const shown = previewed({ profiles, program: vscode.id, name: vscode.name });
    const answers = { 'program:preview': shown };
    const programs = [aProgram({ ...vscode, hasProfiles: true, uses: ['linear'] })];
    const { page, calls } = await openWindow({ snapshots: { integrations, programs }, answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'VS Code' }).click();
    await page.getByRole('button', { name: 'Another profile… Linear' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Profile').selectOption('Work');
    const asked = async () =>
      (await calls()).filter(({ call }) => call === 'program:preview').map(({ input }) => input);
    const change = { program: 'vscode', integrations: ['linear'], use: true };
    await expect.poll(asked).toEqual([{ changes: [change] }, { changes: [{ ...change, editorProfile: '-3a5b' }] }]);
    await page.keyboard.press('Escape');
    // A server that it does not use yet offers them as well.
    await page.getByRole('switch', { name: 'Notes' }).click();
    await expect(page.getByRole('dialog').getByLabel('Profile')).toBeVisible();
  });

  test('show the preview that was asked for last, whichever comes first', async ({ openWindow }) => {
    const answers = { 'program:preview': previewed() };
    const { page } = await openWindow({ snapshots: { integrations }, answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Zed' }).click();
    // The first answer comes when the test says so.
    await page.evaluate(() => {
      const { postern } = window as unknown as { postern: { program: Record<string, (input: unknown) => unknown> } };
      const { preview } = postern.program;
      if (!preview) throw new Error('There is no such call.');
      const { promise, resolve } = Promise.withResolvers<void>();
      let count = 0;
      postern.program['preview'] = (input) => {
        count += 1;
        const answer = preview(input);
        return count === 1 ? promise.then(() => answer) : answer;
      };
      Object.assign(window, { bringFirst: resolve });
    });
    await page.getByRole('switch', { name: 'Linear' }).click();
    await page.getByRole('switch', { name: 'Notes' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveAccessibleName('Let Zed use Notes?');
    await page.evaluate(() => (window as unknown as { bringFirst: () => void }).bringFirst());
    // After what follows from the answer.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(dialog).toHaveAccessibleName('Let Zed use Notes?');
  });

  test('let a person choose another profile where the first has a file to mend', async ({ openWindow }) => {
    const fault = aCommandFailure();
    const shown = previewed({ profiles: [{ id: '-3a5b', name: 'Work' }], action: 'paste', fault });
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers: { 'program:preview': shown } });
    await previewProgram(page);
    await page.getByRole('dialog').getByLabel('Profile').selectOption('Work');
    const asked = async () =>
      (await calls()).filter(({ call }) => call === 'program:preview').map(({ input }) => input);
    const change = { program: 'zed', integrations: ['linear'], use: true };
    await expect.poll(asked).toEqual([{ changes: [change] }, { changes: [{ ...change, editorProfile: '-3a5b' }] }]);
  });

  test('stay as they are when a person says no, with the focus where it was', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers: { 'program:preview': previewed() } });
    await previewProgram(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('switch', { name: 'Linear' })).toBeFocused();
    expect((await calls()).map(({ call }) => call)).not.toContain('program:change');
  });

  test('have their last change taken back after a look at it', async ({ openWindow }) => {
    const answers = {
      'program:previewUndo': previewed({ restores: true, after: [], before: ['"linear": {}'] }),
      'program:change': madeOf(aPreview()),
    };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the last change of Cursor?' });
    await expect(dialog.getByRole('list', { name: 'Lines that go' })).toContainText('"linear"');
    await dialog.getByRole('button', { name: 'Change file' }).click();
    await expect(dialog).toHaveCount(0);
    await expect
      .poll(async () => (await calls()).slice(-2).map(({ input }) => input))
      .toEqual([{ changes: [{ program: 'cursor', change: '0123456789ab' }] }, { tokens: [aPreview().token] }]);
  });

  test('lose every server once the person has said so to main', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ answers: { 'program:revoke': { revoked: [] } } });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Revoke access…' }).click();
    await expect(page.getByText(words.programs.revokeDone('Cursor'))).toBeVisible();
    await expect.poll(calls).toContainEqual({ call: 'program:revoke', input: { program: 'cursor' } });
    await publish({ programs: [aProgram({ uses: [], isRevoked: true })] });
    await expect(page.getByRole('button', { name: 'Revoke access…' })).toHaveCount(0);
  });

  test('are paused one by one, and go on', async ({ openWindow }) => {
    const snapshots = { integrations, programs: [aProgram({ uses: ['notes'] })] };
    const { page, calls, publish } = await openWindow({ snapshots });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'program:pause', input: { program: 'cursor', paused: true } });
    await publish({ programs: [aProgram({ uses: ['notes'], isPaused: true })] });
    await expect(page.getByText('paused · uses 1 of 2', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await calls()).at(-1))
      .toEqual({ call: 'program:pause', input: { program: 'cursor', paused: false } });
    await page.getByRole('button', { name: 'Programs', exact: true }).first().click();
    await expect(page.getByRole('button', { name: 'Cursor paused · uses 1 of 2' })).toBeVisible();
    // It may use nothing: there is still what lets it go on.
    await publish({ programs: [aProgram({ uses: [], isPaused: true })] });
    await page.getByRole('button', { name: 'Cursor paused' }).click();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  });

  test('show what else stands in their files once a person looks, and import it by the check of an address', async ({
    openWindow,
  }) => {
    const answers = { 'program:look': someEntries(), 'connection:discover': { id: 'c1' } };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    expect((await calls()).map(({ call }) => call)).not.toContain('program:look');
    await page.getByRole('button', { name: 'Look inside' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(words.programs.withSecrets(['X-Key']))).toBeVisible();
    await expect(page.getByText(words.programs.isCommand)).toBeVisible();
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

  test('have an entry taken over after a look at it, and are looked into again then', async ({ openWindow }) => {
    const answers = {
      'program:look': someEntries(),
      'program:previewTakeOver': previewed({ program: 'cursor', name: 'Cursor' }),
      'program:change': madeOf(aPreview({ program: 'cursor', name: 'Cursor' })),
    };
    const { page, calls, publish } = await openWindow({ answers });
    await lookInside(page);
    await page.getByRole('button', { name: 'Take over… linear' }).click();
    const dialog = page.getByRole('dialog', { name: 'Let Postern take over linear in Cursor?' });
    await dialog.getByRole('button', { name: 'Change file' }).click();
    await expect(page.getByText(words.programs.done(['Cursor']))).toBeVisible();
    const change = { id: 'abcdef012345', at: Date.UTC(2026, 10, 21), names: ['linear'] };
    await publish({ programs: [aProgram({ lastChange: change })] });
    const looks = async () => (await calls()).filter(({ call }) => call === 'program:look').length;
    await expect.poll(looks).toBe(2);
    await expect
      .poll(async () => (await calls()).find(({ call }) => call === 'program:previewTakeOver')?.input)
      .toEqual({ entry: 'e1' });
  });
});
