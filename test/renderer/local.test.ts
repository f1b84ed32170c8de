import { words } from '../../renderer/words.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { importEntries } from './answer-fixtures.ts';
import { aCommand, aLocalServer, aLocalServerThat, listedAnswers, openForm, openListed } from './local-fixtures.ts';
import { expect, test } from './renderer-test.ts';

/** Local servers: nothing starts before the user has seen it, and no input is lost. */

const prepared = { token: 't', shown: [], command: aCommand({ arguments: ['-y', '', 'a\u202eb'] }) };

test.describe('a local command', () => {
  test('is shown word by word and connected only by another click', async ({ openWindow }) => {
    const answers = {
      'local:prepare': prepared,
      'local:connect': { id: aLocalServer.id, tools: 3 },
      'integration:tools': 'never' as const,
    };
    const { page, calls } = await openWindow({ answers, snapshots: { integrations: [aLocalServer] } });
    await openForm(page);
    await page.getByLabel('Command', { exact: true }).fill(`TOKEN=its npx -y "two words" '$HOME'`);
    await page.getByLabel('Name', { exact: true }).fill('Files');
    await page.keyboard.press('Enter');
    const variables = [{ name: 'TOKEN', value: 'its' }];
    await expect.poll(calls).toContainEqual({
      call: 'local:prepare',
      input: { name: 'Files', words: ['npx', '-y', 'two words', '$HOME'], variables },
    });
    // Invisible characters are escaped.
    await expect(page.getByText('"a\\u202eb"')).toBeVisible();
    await expect(page.getByText('""')).toBeVisible();
    expect((await calls()).map(({ call }) => call)).not.toContain('local:connect');
    await page.getByRole('button', { name: words.local.proceed }).click();
    await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
  });

  test('is asked about once: the page says that it waits, and starts only once it is allowed', async ({
    openWindow,
  }) => {
    const { page, calls, send } = await openWindow({
      answers: { 'local:prepare': prepared, 'local:connect': 'never' as const },
    });
    await openForm(page);
    await page.getByLabel('Command', { exact: true }).fill('npx files');
    await page.getByLabel('Name', { exact: true }).fill('Files');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: words.local.proceed }).click();
    await expect(page.getByText(words.local.awaitsAnswer)).toBeVisible();
    await expect(page.getByText(words.local.starting)).toHaveCount(0);
    const connect = (await calls()).find((each) => each.call === 'local:connect');
    await send({ event: 'allowed', call: (connect?.input as { call: string } | undefined)?.call ?? '' });
    await expect(page.getByText(words.local.starting)).toBeVisible();
    await expect(page.getByText(words.local.awaitsAnswer)).toHaveCount(0);
  });

  test('keeps what was typed across pages', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: [aLocalServer] } });
    await openForm(page);
    await page.getByLabel('Command', { exact: true }).fill('npx half');
    await page.getByRole('option', { name: 'Files' }).first().click();
    await page.getByRole('button', { name: 'Connect a server', exact: true }).first().click();
    await expect(page.getByLabel('Command', { exact: true })).toHaveValue('npx half');
  });

  test('that runs an image is named after the image, and asks for the variables that it takes', async ({
    openWindow,
  }) => {
    const { page } = await openWindow({ at: 'connect' });
    await page.getByLabel('Server address').fill('docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server');
    await page.getByLabel('Server address').press('Enter');
    await page.getByRole('button', { name: words.connect.inputNotes.reviewCommand }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('github');
    await expect(page.getByLabel(words.local.variableName)).toHaveValue('GITHUB_TOKEN');
    await expect(page.getByLabel(words.local.variableValue, { exact: true })).toHaveValue('');
  });

  test('that is alone in a list opens at once', async ({ openWindow }) => {
    const [, , , alone] = importEntries.entries;
    const answers = { ...listedAnswers, 'import:read': { entries: alone ? [alone] : [] } };
    const { page } = await openWindow({ at: 'connect', answers });
    await page.getByLabel('Server address').fill('{"mcpServers":{}}');
    await page.getByLabel('Server address').press('Enter');
    await expect(page.getByLabel('Command', { exact: true })).toHaveValue(/docker run/);
    await expect(page.locator('.import-list')).toHaveCount(0);
  });

  test('of a list opens in the form with what is missing, and its values stay in main', async ({ openWindow }) => {
    const connected = { id: aLocalServer.id, tools: 3 };
    const { page, calls } = await openWindow({
      answers: {
        ...listedAnswers,
        'local:prepare': prepared,
        'local:connect': connected,
        'integration:tools': 'never' as const,
      },
      snapshots: { integrations: [aLocalServer] },
    });
    await openListed(page);
    const values = page.getByLabel('Value', { exact: true });
    await expect(values).toHaveCount(2);
    await values.nth(1).fill('typed');
    await page.getByLabel('Command', { exact: true }).press('Enter');
    await expect.poll(calls).toContainEqual({
      call: 'local:prepare',
      input: {
        name: 'github',
        words: listedAnswers['local:draft'].words,
        variables: [{ name: 'GITHUB_HOST' }, { name: 'GITHUB_TOKEN', value: 'typed' }],
        draft: 'd',
      },
    });
    await page.getByRole('button', { name: words.local.proceed }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Connect a server', exact: true }).first().click();
    await expect(page.getByRole('button', { name: 'Open: github' })).toBeVisible();
  });

  test('that has a remote equivalent leads there first', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers: listedAnswers });
    await page.getByLabel('Server address').fill('{"mcpServers":{}}');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://api.githubcopilot.com/mcp/', options: {} },
    });
  });

  test('has its own switch for sharing, also by keyboard', async ({ openWindow }) => {
    const status: IpcOutput<'local:status'> = { state: 'off', processes: [], output: '', total: 0, isAllowed: true };
    const { page, calls } = await openWindow({
      answers: { 'local:status': status, 'local:share': null, 'integration:tools': 'never' as const },
      snapshots: { integrations: [aLocalServer] },
    });
    await page.getByRole('option', { name: 'Files' }).first().click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('switch').press('Space');
    await expect.poll(calls).toContainEqual({ call: 'local:share', input: { id: 'files', isShared: true } });
  });

  test('can be stopped while one of its processes still runs', async ({ openWindow }) => {
    const processes = [{ pid: 4711, startedAt: 1 }];
    const status: IpcOutput<'local:status'> = { state: 'failed', processes, output: '', total: 0, isAllowed: true };
    const { page, calls } = await openWindow({
      answers: { 'local:status': status, 'local:stop': null, 'integration:tools': 'never' as const },
      snapshots: { integrations: [aLocalServerThat('failing')] },
    });
    await page.getByRole('option', { name: 'Files' }).first().click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'local:stop', input: { id: 'files' } });
  });

  for (const [name, button] of [
    ['notAllowed', 'Allow…'],
    ['stopped', 'Start'],
    ['failing', 'Start'],
  ] as const)
    test(`is started by the button at its status ${name}, without another question`, async ({ openWindow }) => {
      const { page, calls } = await openWindow({
        answers: { 'local:start': null, 'integration:tools': 'never' as const },
        snapshots: { integrations: [aLocalServerThat(name)] },
      });
      await page.getByRole('option', { name: 'Files' }).first().click();
      await page.locator('.integration-state').getByRole('button', { name: button, exact: true }).press('Enter');
      await expect.poll(calls).toContainEqual({ call: 'local:start', input: { id: 'files' } });
    });

  test('that is allowed again says that it waits for the answer, until it is allowed', async ({ openWindow }) => {
    const { page, publish } = await openWindow({
      answers: { 'local:start': 'never' as const },
      snapshots: { integrations: [aLocalServerThat('notAllowed')] },
    });
    await page.getByRole('option', { name: 'Files' }).first().click();
    await page.locator('.integration-state').getByRole('button', { name: 'Allow…', exact: true }).click();
    await expect(page.getByText(words.local.awaitsAnswer)).toBeVisible();
    await publish({ integrations: [aLocalServerThat('stopped')] });
    await expect(page.getByText(words.local.awaitsAnswer)).toHaveCount(0);
  });

  test('that was pasted is shown in the form and not started', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect' });
    await page.getByLabel('Server address').fill('npx -y @acme/tickets-mcp');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Review command' }).click();
    await expect(page.getByLabel('Command', { exact: true })).toHaveValue('npx -y @acme/tickets-mcp');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('tickets');
    expect((await calls()).filter(({ call }) => call.startsWith('local:'))).toEqual([]);
  });
});
