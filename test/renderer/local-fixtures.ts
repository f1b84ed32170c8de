import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import type { LeadPage } from '../gallery/page-here.ts';
import { importEntries } from './answer-fixtures.ts';
import { anError, anIntegrationView } from './fixtures.ts';
import type { WindowState } from './window-states.ts';

export const aCommand = (change: Partial<LocalCommand> = {}): LocalCommand => ({
  command: 'npx',
  path: '/usr/bin/npx',
  arguments: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/Documents and more'],
  variables: [],
  ...change,
});

export const aLocalServer = anIntegrationView({
  id: 'files',
  name: 'Files',
  url: 'local://files',
  host: 'files',
  method: 'NoAuth',
  command: aCommand({ variables: ['LOG_LEVEL'] }),
});

/** As its page shows it. */
export const aLocalServerThat = (name: 'failing' | 'notAllowed' | 'stopped') => ({
  ...aLocalServer,
  status: { name, ...(name === 'failing' && { error: endedOften }) },
});

const endedOften = anError({
  code: 'LOCAL_EXITED',
  stage: 'local',
  ...describeError('LOCAL_EXITED', { command: 'npx', times: 5 }),
  remedy: { kind: 'start-server' },
});

const status: IpcOutput<'local:status'> = { state: 'running', processes: [], output: '', total: 0, isAllowed: true };

export const openForm = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: 'Connect a server', exact: true }).first().click();
  await page.getByRole('button', { name: 'Local command…' }).click();
};

const fill = async (page: LeadPage): Promise<void> => {
  await openForm(page);
  await page.getByLabel('Command', { exact: true }).fill('npx -y @modelcontextprotocol/server-github');
  await page.getByLabel('Name', { exact: true }).fill('Repositories');
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Variable name').fill('GITHUB_TOKEN');
  await page.getByLabel('Value', { exact: true }).fill('secret');
};

const waitForLead = async (page: LeadPage): Promise<void> => {
  await fill(page);
  await page.getByRole('button', { name: 'Review command' }).click();
};

/** An entry of a pasted list, without the value in the list and the one that it leaves to its app. */
const listed: IpcOutput<'local:draft'> = {
  draft: 'd',
  name: 'github',
  words: ['docker', 'run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
  variables: [
    { name: 'GITHUB_HOST', hasListedValue: true },
    { name: 'GITHUB_TOKEN', hasListedValue: false },
  ],
};

export const listedAnswers = { 'import:read': importEntries, 'local:draft': listed };

export const openListed = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: 'Connect a server', exact: true }).first().click();
  await page.getByLabel('Server address').fill('{"mcpServers":{}}');
  await page.getByLabel('Server address').press('Enter');
  await page.getByRole('button', { name: 'Review command: github' }).click();
};

const process = async (page: LeadPage): Promise<void> => {
  await page.getByRole('option', { name: 'Files' }).first().click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.locator('#process-title').scrollIntoViewIfNeeded();
};

const prepared = {
  token: 't',
  shown: [{ name: 'NODE_OPTIONS', value: '--require /tmp/a b.js', decides: true }],
  command: aCommand({
    arguments: ['-y', '@modelcontextprotocol/server-github', '', 'two\nlines'],
    variables: ['GITHUB_TOKEN'],
    folder: '/home/ada/work',
  }),
  remote: { name: 'GitHub', address: 'https://api.githubcopilot.com/mcp/', isBridged: false },
};

const startedAt = Date.UTC(2026, 10, 23, 14, 5);
const output = ['ready', 'reading /home/ada/Documents', 'warning: 3 files were left out'].join('\n');

export const localStates: readonly WindowState[] = [
  { name: 'local-form', lead: fill },
  { name: 'local-of-a-list', answers: listedAnswers, lead: openListed },
  { name: 'local-consent', answers: { 'local:prepare': prepared }, lead: waitForLead },
  {
    name: 'local-consent-of-a-bridge',
    answers: {
      'local:prepare': {
        token: 't',
        shown: [],
        command: aCommand({ arguments: ['mcp-remote', 'https://notes.example/mcp'], from: 'Cursor' }),
        remote: { name: 'notes.example', address: 'https://notes.example/mcp', isBridged: true },
      },
    },
    lead: waitForLead,
  },
  {
    name: 'local-starting',
    answers: { 'local:prepare': prepared, 'local:connect': 'never' },
    async lead(page) {
      await waitForLead(page);
      await page.getByRole('button', { name: words.local.proceed }).click();
    },
  },
  {
    name: 'local-asks',
    answers: {
      'local:prepare': prepared,
      'local:connect': {
        error: anError({
          code: 'LOCAL_ASKS',
          stage: 'local',
          ...describeError('LOCAL_ASKS', { command: 'npx' }),
          serverWords: { message: 'Ok to proceed? (y)' },
        }),
      },
    },
    async lead(page) {
      await waitForLead(page);
      await page.getByRole('button', { name: words.local.proceed }).click();
    },
  },
  {
    name: 'local-did-not-start',
    answers: {
      'local:prepare': prepared,
      'local:connect': {
        error: anError({
          code: 'LOCAL_EXITED',
          stage: 'local',
          ...describeError('LOCAL_EXITED', { command: 'npx', code: 1 }),
        }),
      },
    },
    async lead(page) {
      await waitForLead(page);
      await page.getByRole('button', { name: words.local.proceed }).click();
    },
  },
  {
    name: 'local-running',
    snapshots: { integrations: [aLocalServer] },
    answers: { 'local:status': { ...status, processes: [{ pid: 4711, startedAt }], output, total: 60 } },
    lead: process,
  },
  {
    name: 'local-stopped',
    snapshots: { integrations: [aLocalServerThat('stopped')] },
    answers: { 'local:status': { ...status, state: 'stopped' } },
    lead: process,
  },
  {
    name: 'local-failed',
    snapshots: { integrations: [aLocalServerThat('failing')] },
    answers: { 'local:status': { ...status, state: 'failed' } },
    lead: process,
  },
  {
    name: 'local-awaits-answer',
    snapshots: { integrations: [aLocalServerThat('notAllowed')] },
    answers: { 'local:status': { ...status, state: 'off', isAllowed: false }, 'local:start': 'never' },
    lead: async (page) => {
      await process(page);
      await page.getByRole('button', { name: words.integration.action.notAllowed }).first().click();
      await page.getByText(words.local.awaitsAnswer).waitFor();
    },
  },
  {
    name: 'local-not-allowed',
    snapshots: { integrations: [aLocalServerThat('notAllowed')] },
    answers: { 'local:status': { ...status, state: 'off', isAllowed: false } },
    lead: process,
  },
];
