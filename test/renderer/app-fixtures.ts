import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import type { ApprovalView } from '../../shared/approval-view.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import type { AppEntry, AppOutcomes, AppPreview, AppPreviews, AppView } from '../../shared/app-view.ts';
import type { LeadPage } from '../gallery/page-here.ts';
import { aConnection, anError } from './fixtures.ts';

export function aApp(change: Partial<AppView> = {}): AppView {
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

/** One app of every state, one with a long path. */
export function someApps(): AppView[] {
  const without = { uses: [], lastChange: undefined };
  return [
    aApp({
      id: 'claude-code',
      name: 'Claude Code',
      path: '/home/ada/.claude.json',
      uses: ['linear'],
      lastUsedAt: Date.now() - 3 * 60_000,
    }),
    aApp(),
    aApp({ id: 'windsurf', name: 'Windsurf', ...without, isRevoked: true }),
    aApp({
      id: 'zed',
      name: 'Zed',
      path: `/home/ada/${'a-folder-with-a-long-name/'.repeat(6)}settings.json`,
      ...without,
    }),
  ];
}

/** A dozen apps, of which every third uses GitHub and every other Linear. */
export function manyApps(): AppView[] {
  return [
    ...['Claude Code', 'Claude Desktop', 'Codex', 'Cursor', 'Gemini CLI', 'Goose'],
    ...['Kiro', 'LM Studio', 'VS Code', 'Visual Studio Code - Insiders', 'Windsurf', 'Zed'],
  ].map((name, index) => {
    const uses = [...(index % 3 === 0 ? ['github'] : []), ...(index % 2 === 0 ? ['linear'] : [])];
    const lastUsedAt = uses.length > 0 ? Date.now() - (index + 1) * 47 * 60_000 : undefined;
    return aApp({ id: name.toLowerCase().replaceAll(/[^a-z]+/gu, '-'), name, uses, lastUsedAt, lastChange: undefined });
  });
}

/** Claude Code waits for the lines of a server that Cursor uses. */
export function waitingApps(server = 'github'): AppView[] {
  return someApps().map((each) => (each.id === 'claude-code' ? { ...each, uses: [], waiting: [server] } : each));
}

/** An app that the user added by name. */
export function anOtherApp(): AppView {
  return aApp({ id: 'other-my-agent', name: 'My agent', path: '', lastChange: undefined });
}

/** Its lines with an address; the copied lines contain the secret. */
export function otherPreviewed(change: Partial<AppPreview> = {}): AppPreviews {
  return previewed({
    app: 'other-my-agent',
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

/** Lines as they appear in a file. */
const entryLines = [
  '    "linear": {',
  '      "command": "/usr/lib/postern/postern-pipe",',
  '      "args": ["--profile-folder", "/home/ada/.config/Postern", "linear", "--app", "0123456789abcdef"]',
  '    }',
];

export function aPreview(change: Partial<AppPreview> = {}): AppPreview {
  return {
    app: 'zed',
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

/** The file exists but cannot be read. */
export function aFileFault(): PlainError {
  const detail = { file: '/home/ada/.cursor/mcp.json', reason: 'refused' };
  return anError({ code: 'APP_FILE_DENIED', stage: 'apps', ...describeError('APP_FILE_DENIED', detail) });
}

/** The app's own command failed, so there are lines to paste. */
export function aCommandFailure(): PlainError {
  const { path, after, token } = aPreview();
  const advice = 'Try again, or add these lines yourself.';
  return anError({
    code: 'APP_COMMAND_FAILED',
    stage: 'apps',
    ...describeError('APP_COMMAND_FAILED', { app: 'Zed' }),
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

/** What main returns for one change. */
export function previewed(change: Partial<AppPreview> = {}): AppPreviews {
  return { previews: [aPreview(change)], refused: [] };
}

export function madeOf(...previews: readonly AppPreview[]): AppOutcomes {
  const made = previews.map(({ app, name, action, notice, note }, index) => ({
    app,
    name,
    action,
    notice,
    ...(note && { note }),
    ...(action !== 'paste' && action !== 'none' && { change: `0123456789a${index}` }),
  }));
  return { made, refused: [] };
}

/** Three apps: one changed by file, one by its command, and one that cannot be changed. */
export function severalPreviewed(): AppPreviews {
  return {
    previews: [
      aPreview({
        app: 'claude-code',
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
        app: 'windsurf',
        name: 'Windsurf',
        error: anError({
          code: 'APP_FILE_DAMAGED',
          stage: 'apps',
          ...describeError('APP_FILE_DAMAGED', {
            file: '/home/ada/.codeium/windsurf/mcp_config.json',
            format: 'JSON',
          }),
        }),
      },
    ],
  };
}

/** Stale entries of two apps, one of a project, and one unreadable file. */
export function leavingPreviewed(): AppPreviews {
  const going = { before: entryLines, after: [] };
  return {
    previews: [
      aPreview({
        ...going,
        app: 'cursor',
        name: 'Cursor',
        token: 'c'.repeat(64),
        path: '/home/ada/.cursor/mcp.json',
      }),
      aPreview({
        ...going,
        app: 'cursor',
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

/** One switch for two files of an app: its own and a project’s. */
export function filesPreviewed(): AppPreviews {
  return { previews: leavingPreviewed().previews.slice(0, 2), refused: [] };
}

/** An entry that contains the port. */
export function portPreviewed(): AppPreviews {
  const line = (port: number): string[] => [
    '    "linear": {',
    `      "serverUrl": "http://127.0.0.1:${port}/mcp/linear",`,
    '      "headers": { "Authorization": "…" }',
    '    }',
  ];
  return previewed({
    app: 'windsurf',
    name: 'Windsurf',
    path: '/home/ada/.codeium/windsurf/mcp_config.json',
    before: line(47_612),
    after: line(47_650),
    secret: 'header',
  });
}

/** The part of the settings that is closed by default. */
export async function openAdvancedSettings(page: LeadPage): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.locator('.settings > .disclosure > summary').click();
}

/** By keyboard. */
export async function typePort(page: Page): Promise<void> {
  await openAdvancedSettings(page);
  const field = page.getByLabel('Port for apps');
  await field.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('47650');
  await page.keyboard.press('Enter');
}

export async function changePort(page: Page): Promise<void> {
  await typePort(page);
  await page.getByRole('dialog').waitFor();
}

/** Some were changed, one failed. */
export function severalMade(): AppOutcomes {
  const [, zed] = severalPreviewed().previews;
  return {
    made: madeOf(...severalPreviewed().previews.slice(0, 1)).made,
    refused: [
      {
        app: 'zed',
        name: 'Zed',
        error: anError({
          code: 'APP_FILE_CHANGED',
          stage: 'apps',
          ...describeError('APP_FILE_CHANGED', { file: zed?.path ?? '' }),
        }),
      },
    ],
  };
}

/** One of every kind, one with a long address. */
export function someEntries(): { entries: AppEntry[] } {
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

export async function openApps(page: LeadPage): Promise<void> {
  await page.getByRole('button', { name: 'AI apps', exact: true }).click();
  await page.getByRole('heading', { name: 'AI apps', level: 1 }).waitFor();
}

/** Shows the other entries of an app. */
export async function lookInside(page: LeadPage): Promise<void> {
  await openApps(page);
  await page.getByRole('button', { name: 'Cursor' }).click();
  await page.getByRole('button', { name: 'Show servers' }).click();
  await page.getByRole('heading', { name: 'Other servers in its configuration' }).scrollIntoViewIfNeeded();
}

/** Opens the tab of a server that only one app uses. */
export async function openUse(page: LeadPage): Promise<void> {
  await page.getByRole('option', { name: 'GitHub (work)' }).first().click();
  await page.getByRole('tab', { name: 'AI apps' }).click();
}

export async function chooseAllServers(page: LeadPage): Promise<void> {
  await page.getByRole('option', { name: 'Linear' }).first().click();
  await page.getByRole('listbox').evaluate((list) => {
    list.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true }));
  });
}

/** Opens the dialog with the apps for all servers. */
export async function openSeveral(page: LeadPage): Promise<void> {
  await chooseAllServers(page);
  await page.getByRole('button', { name: words.arrange.actions }).click();
  await page.getByRole('menuitem', { name: words.arrange.use }).click();
  await page.getByRole('dialog').waitFor();
}

/** Chooses three apps there and waits for the preview. */
export async function previewSeveral(page: LeadPage): Promise<void> {
  await openSeveral(page);
  for (const name of ['Claude Code', 'Windsurf', 'Zed']) await page.getByRole('checkbox', { name }).click();
  await page.getByRole('button', { name: 'Review changes…' }).click();
  await page.locator('.app-change').first().waitFor();
}

/** Confirms the changes. */
export async function changeSeveral(page: LeadPage): Promise<void> {
  await previewSeveral(page);
  await page.getByRole('button', { name: /^Change \d apps?$/u }).click();
  await page.locator('.app-change').waitFor({ state: 'detached' });
}

/** Switches Zed on for a server, and waits until that is done. */
export async function switchOn(page: LeadPage): Promise<void> {
  await openUse(page);
  await page.getByRole('switch', { name: 'Zed' }).click();
  await page.getByText(words.apps.switchedOn('Zed', 'GitHub (work)')).waitFor();
}

/** A change that runs a command is shown first. */
export async function reviewSwitch(page: LeadPage): Promise<void> {
  await openUse(page);
  await page.getByRole('switch', { name: 'Claude Code' }).click();
  await page.getByRole('dialog').waitFor();
}

/** A sign-in ends while its page is open. */
export async function finishSignIn(page: LeadPage): Promise<void> {
  await page.locator('.connection-list button').first().click();
  const state = { name: 'integrated' as const, integrationId: 'notes' };
  await page.evaluate(
    (connection) => (window as unknown as FakeWindow).fakeMain.publish({ connections: [connection] }),
    aConnection({ state, integrationId: 'notes' }),
  );
  await page.getByRole('heading', { name: words.apps.connected.title('Notes on this computer') }).waitFor();
}

interface FakeWindow {
  readonly fakeMain: { publish(slices: Partial<Snapshots>): void };
}

/** Switches the first server on for an app that uses none, and waits for the preview. */
export async function previewApp(page: LeadPage): Promise<void> {
  await page.getByRole('button', { name: 'AI apps', exact: true }).click();
  await page.getByRole('button', { name: 'Zed' }).click();
  await page.getByRole('switch', { name: 'Linear' }).click();
  await page.getByRole('dialog').waitFor();
}

export function anApproval(change: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id: 'an-approval',
    app: 'Cursor',
    isSelfReported: false,
    integration: 'Linear',
    integrationId: 'linear',
    canLast: true,
    expiresAt: Date.now() + 44_500,
    isMissed: false,
    ...change,
  };
}

/** Unanswered requests: of a known app, and of one with a long description. */
export function missedApprovals(): ApprovalView[] {
  const missed = { isMissed: true, expiresAt: Date.now() - 180_000 };
  return [
    anApproval(missed),
    anApproval({ ...missed, id: 'another', app: 'x'.repeat(60), isSelfReported: true, canLast: false }),
  ];
}
