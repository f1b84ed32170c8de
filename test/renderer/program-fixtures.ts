import type { Page } from 'playwright-core';
import type { ApprovalView } from '../../shared/approval-view.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import type {
  ProgramEntry,
  ProgramOutcomes,
  ProgramPreview,
  ProgramPreviews,
  ProgramView,
} from '../../shared/program-view.ts';
import type { LeadPage } from '../gallery/page-here.ts';
import { aConnection, anError } from './fixtures.ts';

export function aProgram(change: Partial<ProgramView> = {}): ProgramView {
  return {
    id: 'cursor',
    name: 'Cursor',
    path: '/home/ada/.cursor/mcp.json',
    uses: ['linear', 'github'],
    isRevoked: false,
    isPaused: false,
    lastChange: { id: '0123456789ab', at: Date.UTC(2026, 10, 20, 9, 30), names: ['github-work'] },
    ...change,
  };
}

/** One of every state, and what a long path does. */
export function somePrograms(): ProgramView[] {
  const without = { uses: [], lastChange: undefined };
  return [
    aProgram({
      id: 'claude-code',
      name: 'Claude Code',
      path: '/home/ada/.claude.json',
      uses: ['linear'],
      lastUsedAt: Date.now() - 3 * 60_000,
    }),
    aProgram(),
    aProgram({ id: 'windsurf', name: 'Windsurf', ...without, isRevoked: true }),
    aProgram({
      id: 'zed',
      name: 'Zed',
      path: `/home/ada/${'a-folder-with-a-long-name/'.repeat(6)}settings.json`,
      ...without,
    }),
  ];
}

/** Claude Code waits for the lines of a server that Cursor uses. */
export function waitingPrograms(server = 'github'): ProgramView[] {
  return somePrograms().map((each) => (each.id === 'claude-code' ? { ...each, uses: [], waiting: [server] } : each));
}

/** One that the person has added. */
export function anOtherProgram(): ProgramView {
  return aProgram({ id: 'other-my-agent', name: 'My agent', path: '', lastChange: undefined });
}

/** Its lines with an address: those that are copied hold the secret. */
export function otherPreviewed(change: Partial<ProgramPreview> = {}): ProgramPreviews {
  return previewed({
    program: 'other-my-agent',
    name: 'My agent',
    action: 'paste',
    path: '',
    after: [
      '{',
      '  "mcpServers": {',
      '    "linear": {',
      '      "type": "http",',
      '      "url": "http://127.0.0.1:47612/mcp/linear",',
      '      "headers": { "Authorization": "Bearer (not shown)" }',
      '    }',
      '  }',
      '}',
    ],
    secret: 'header',
    ...change,
  });
}

/** As they stand in a file. */
const entryLines = [
  '    "linear": {',
  '      "command": "/usr/lib/postern/postern-pipe",',
  '      "args": ["--profile-folder", "/home/ada/.config/Postern", "linear", "--program", "0123456789abcdef"]',
  '    }',
];

export function aPreview(change: Partial<ProgramPreview> = {}): ProgramPreview {
  return {
    program: 'zed',
    name: 'Zed',
    token: 'a'.repeat(64),
    action: 'updated',
    path: '/home/ada/.config/zed/settings.json',
    before: [],
    after: entryLines,
    commands: [],
    restores: false,
    secret: 'none',
    notice: 'restart',
    ...change,
  };
}

/** What stands in its place is no file that may be read. */
export function aFileFault(): PlainError {
  const detail = { file: '/home/ada/.cursor/mcp.json', reason: 'refused' };
  return anError({ code: 'PROGRAM_FILE_DENIED', stage: 'programs', ...describeError('PROGRAM_FILE_DENIED', detail) });
}

/** The program's own command failed: lines to paste come with it. */
export function aCommandFailure(): PlainError {
  const { path, after, token } = aPreview();
  const advice = 'Try again, or put these lines there yourself.';
  return anError({
    code: 'PROGRAM_COMMAND_FAILED',
    stage: 'programs',
    ...describeError('PROGRAM_COMMAND_FAILED', { program: 'Zed' }),
    remedy: {
      kind: 'paste-lines',
      advice,
      first: 'try-again',
      isInline: false,
      path,
      lines: after.join('\n'),
      secret: false,
      token,
    },
  });
}

/** What main answers of one change. */
export function previewed(change: Partial<ProgramPreview> = {}): ProgramPreviews {
  return { previews: [aPreview(change)], refused: [] };
}

export function madeOf(...previews: readonly ProgramPreview[]): ProgramOutcomes {
  const made = previews.map(({ program, name, action, notice, note }, index) => ({
    program,
    name,
    action,
    notice,
    ...(note && { note }),
    ...(action !== 'paste' && action !== 'none' && { change: `0123456789a${index}` }),
  }));
  return { made, refused: [] };
}

/** Of three programs: one by a file, one by its command, and one that cannot be changed. */
export function severalPreviewed(): ProgramPreviews {
  return {
    previews: [
      aPreview({
        program: 'claude-code',
        name: 'Claude Code',
        token: 'b'.repeat(64),
        action: 'command',
        path: '/home/ada/.claude.json',
        commands: ['/usr/local/bin/claude mcp add-json github {"command":"/usr/lib/postern/postern-pipe"} -s user'],
        notice: 'new-session',
      }),
      aPreview(),
    ],
    refused: [
      {
        program: 'windsurf',
        name: 'Windsurf',
        error: anError({
          code: 'PROGRAM_FILE_DAMAGED',
          stage: 'programs',
          ...describeError('PROGRAM_FILE_DAMAGED', {
            file: '/home/ada/.codeium/windsurf/mcp_config.json',
            format: 'JSON',
          }),
        }),
      },
    ],
  };
}

/** Entries of two programs that would lead nowhere, one of a project, and one file that cannot be read. */
export function leavingPreviewed(): ProgramPreviews {
  const going = { before: entryLines, after: [] };
  return {
    previews: [
      aPreview({
        ...going,
        program: 'cursor',
        name: 'Cursor',
        token: 'c'.repeat(64),
        path: '/home/ada/.cursor/mcp.json',
      }),
      aPreview({
        ...going,
        program: 'cursor',
        name: 'Cursor',
        token: 'd'.repeat(64),
        action: 'deleted',
        path: '/home/ada/website/.cursor/mcp.json',
      }),
      aPreview({ ...going, token: 'e'.repeat(64), action: 'paste' }),
    ],
    refused: severalPreviewed().refused,
  };
}

/** One switch for two files of a program, its own and that of a project. */
export function filesPreviewed(): ProgramPreviews {
  return { previews: leavingPreviewed().previews.slice(0, 2), refused: [] };
}

/** An entry that holds the port. */
export function portPreviewed(): ProgramPreviews {
  const line = (port: number): string[] => [
    '    "linear": {',
    `      "serverUrl": "http://127.0.0.1:${port}/mcp/linear",`,
    '      "headers": { "Authorization": "…" }',
    '    }',
  ];
  return previewed({
    program: 'windsurf',
    name: 'Windsurf',
    path: '/home/ada/.codeium/windsurf/mcp_config.json',
    before: line(47_612),
    after: line(47_650),
    secret: 'header',
  });
}

/** With the keyboard alone. */
export async function typePort(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  const field = page.getByLabel('Port for programs');
  await field.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('47650');
  await page.keyboard.press('Enter');
}

export async function changePort(page: Page): Promise<void> {
  await typePort(page);
  await page.getByRole('dialog').waitFor();
}

/** Some were changed, one failed on the way. */
export function severalMade(): ProgramOutcomes {
  const [, zed] = severalPreviewed().previews;
  return {
    made: madeOf(...severalPreviewed().previews.slice(0, 1)).made,
    refused: [
      {
        program: 'zed',
        name: 'Zed',
        error: anError({
          code: 'PROGRAM_FILE_CHANGED',
          stage: 'programs',
          ...describeError('PROGRAM_FILE_CHANGED', { file: zed?.path ?? '' }),
        }),
      },
    ],
  };
}

/** One of every kind, and what a long address does. */
export function someEntries(): { entries: ProgramEntry[] } {
  const remote = { kind: 'remote' as const, secrets: [], notes: [] };
  return {
    entries: [
      {
        ...remote,
        id: 'e1',
        name: 'linear',
        url: 'https://mcp.linear.example/mcp',
        connectedAs: 'linear',
        headerNames: ['X-Key'],
        lacksCredential: false,
      },
      {
        ...remote,
        id: 'e2',
        name: 'weather',
        url: 'https://weather.example/mcp',
        secrets: ['X-Key'],
        headerNames: ['X-Key'],
        notes: ['unwrapped-mcp-remote'],
      },
      { ...remote, id: 'e3', name: 'reports', url: `https://reports.example/${'a-long-way/'.repeat(12)}mcp` },
      {
        id: 'e4',
        name: 'files',
        kind: 'local',
        command: '/usr/bin/files',
        secrets: ['TOKEN'],
        notes: ['local-command'],
      },
    ],
  };
}

export async function openPrograms(page: LeadPage): Promise<void> {
  await page.getByRole('button', { name: 'Programs', exact: true }).click();
  await page.getByRole('heading', { name: 'Programs', level: 1 }).waitFor();
}

/** The other entries of a program. */
export async function lookInside(page: LeadPage): Promise<void> {
  await openPrograms(page);
  await page.getByRole('button', { name: 'Cursor' }).click();
  await page.getByRole('button', { name: 'Look inside' }).click();
  await page.getByRole('heading', { name: 'Also in its configuration' }).scrollIntoViewIfNeeded();
}

/** The tab of a server that only one of the programs uses. */
export async function openUse(page: LeadPage): Promise<void> {
  await page.getByRole('option', { name: 'GitHub (work)' }).first().click();
  await page.getByRole('tab', { name: 'Use it' }).click();
}

/** Chooses three programs there, and waits for the preview. */
export async function previewSeveral(page: LeadPage): Promise<void> {
  await openUse(page);
  for (const name of ['Claude Code', 'Windsurf', 'Zed']) await page.getByRole('checkbox', { name }).click();
  await page.getByRole('button', { name: 'Look at the changes…' }).click();
  await page.getByRole('dialog').waitFor();
}

/** Says yes to them. */
export async function changeSeveral(page: LeadPage): Promise<void> {
  await previewSeveral(page);
  await page.getByRole('button', { name: /^Change \d programs?$/u }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** A sign-in comes to its end while it is looked at. */
export async function finishSignIn(page: LeadPage): Promise<void> {
  await page.locator('.connection-list button').first().click();
  const state = { name: 'integrated' as const, integrationId: 'notes' };
  await page.evaluate(
    (connection) => (window as unknown as FakeWindow).fakeMain.publish({ connections: [connection] }),
    aConnection({ state, integrationId: 'notes' }),
  );
  await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
}

interface FakeWindow {
  readonly fakeMain: { publish(slices: Partial<Snapshots>): void };
}

/** Switches the first server on for a program that uses none, and waits for the preview. */
export async function previewProgram(page: LeadPage): Promise<void> {
  await page.getByRole('button', { name: 'Programs', exact: true }).click();
  await page.getByRole('button', { name: 'Zed' }).click();
  await page.getByRole('switch', { name: 'Linear' }).click();
  await page.getByRole('dialog').waitFor();
}

export function anApproval(change: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id: 'an-approval',
    program: 'Cursor',
    isOwnWord: false,
    integration: 'Linear',
    integrationId: 'linear',
    canLast: true,
    expiresAt: Date.now() + 44_500,
    isMissed: false,
    ...change,
  };
}

/** Questions that nobody answered: of a program that is known, and of one that says much. */
export function missedApprovals(): ApprovalView[] {
  const missed = { isMissed: true, expiresAt: Date.now() - 180_000 };
  return [
    anApproval(missed),
    anApproval({ ...missed, id: 'another', program: 'x'.repeat(60), isOwnWord: true, canLast: false }),
  ];
}
