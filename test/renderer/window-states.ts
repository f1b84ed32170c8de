import { words } from '../../renderer/words.ts';
import type { UpdateView } from '../../shared/desktop-view.ts';
import type { ConnectionView, PendingView } from '../../shared/connection-view.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { PosternLink, Snapshots } from '../../shared/ipc-event.ts';
import type { Sidebar } from '../../shared/sidebar.ts';
import type { LeadPage } from '../gallery/page-here.ts';
import {
  activityOf,
  anUnanswered,
  findNoCall,
  openActivity,
  openCall,
  someCalls,
  someGroups,
  todayOf,
} from './activity-fixtures.ts';
import {
  callResult,
  checks,
  events,
  importEntries,
  importLocals,
  importRemotes,
  lastKnownTools,
  manyTools,
  prompts,
  resources,
  richResult,
  signIns,
  tools,
} from './answer-fixtures.ts';
import { aConnection, aDeletion, aDesktop, anError, anIntegrationView, aVerdict, options, steps } from './fixtures.ts';
import { pictured, withPictures } from './icon-fixtures.ts';
import { aFailingServer, aKeyServer, manyIntegrations, someIntegrations } from './list-fixtures.ts';
import { localStates } from './local-fixtures.ts';
import type { Answers } from './open-renderer.ts';
import { aHeldCall, someChanges, someGone, somePermissions } from './permission-fixtures.ts';
import {
  aCommandFailure,
  aFileFault,
  anApproval,
  anOtherApp,
  aPreview,
  aApp,
  changeSeveral,
  chooseAllServers,
  filesPreviewed,
  finishSignIn,
  leavingPreviewed,
  lookInside,
  madeOf,
  missedApprovals,
  openAdvancedSettings,
  openApps,
  openSeveral,
  openUse,
  otherPreviewed,
  portPreviewed,
  previewed,
  previewApp,
  previewSeveral,
  reviewSwitch,
  severalMade,
  severalPreviewed,
  someEntries,
  manyApps,
  someApps,
  switchOn,
  waitingApps,
} from './app-fixtures.ts';
import { aForm, aPage, sendQuestion } from './question-fixtures.ts';
import { matrixOf, someUses, withAskingServer } from './home-fixtures.ts';
import { registryStates } from './registry-fixtures.ts';

/** A state of the window. */
export interface WindowState {
  readonly name: string;
  readonly snapshots?: Partial<Snapshots>;
  readonly answers?: Answers;
  /** In the small window for held calls. */
  readonly isAsking?: boolean;
  /** Steps from the first screen. */
  readonly lead?: (page: LeadPage) => Promise<void>;
}

const demo = { url: 'http://127.0.0.1:8931/mcp' };
const noCallsYet = { first: 1, last: 0, calls: [] };

const open = (name: string) => async (page: LeadPage) => {
  await page.getByRole('option', { name }).or(page.getByRole('treeitem', { name })).first().click();
};
const tab = (name: string, label: string) => async (page: LeadPage) => {
  await open(name)(page);
  await page.getByRole('tab', { name: label }).click();
};
/** The tool rules, below the AI apps. */
const openRules = async (page: LeadPage) => {
  await tab('Linear', words.integration.apps)(page);
  await page.getByRole('heading', { name: words.integration.permissions }).scrollIntoViewIfNeeded();
};
const openDiagnosis = async (page: LeadPage) => {
  await open('Linear')(page);
  await page.getByText(words.diagnosis.lastSignIn, { exact: true }).click();
};
const keyRefused = anError({
  code: 'API_KEY_REFUSED',
  stage: 'connection',
  ...describeError('API_KEY_REFUSED', { host: 'weather.example' }),
});
const replaceKey = async (page: LeadPage): Promise<void> => {
  await open('Weather')(page);
  await page.getByRole('button', { name: 'Replace key…' }).click();
};
const arranged: Sidebar = {
  pinned: ['sentry'],
  groups: [
    { name: 'Work', servers: ['github', 'linear', 'stripe'] },
    { name: 'At home', servers: ['notes'], isFolded: true },
  ],
};
/** From the menu of the current server. */
const chooseAction = (label: string) => async (page: LeadPage) => {
  await page.getByRole('button', { name: words.integration.more }).click();
  await page.getByRole('menuitem', { name: label }).click();
};
const moveToGroup = async (page: LeadPage): Promise<void> => {
  await open('Linear')(page);
  await chooseAction(words.arrange.move)(page);
  await page.getByRole('dialog').waitFor();
};
/** Opens a connection from the list of those in progress. */
const connecting = async (page: LeadPage): Promise<void> => {
  await page.locator('.connection-list button').first().click();
};
const connectPage = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: 'Connect a server', exact: true }).first().click();
};
/** Main reports where a link led. */
const openLink = (link: PosternLink) => async (page: LeadPage) => {
  await connectPage(page);
  await page.getByLabel('Server address').fill('notion.so/m');
  await page.evaluate(
    (event) => {
      const { fakeMain } = window as unknown as { fakeMain: { send(event: unknown): void } };
      fakeMain.send(event);
    },
    { event: 'link', link },
  );
};
const pasteList = async (page: LeadPage): Promise<void> => {
  await connectPage(page);
  await page.getByLabel('Server address').evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '{"mcpServers":{}}');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
};
const connectList = async (page: LeadPage): Promise<void> => {
  await pasteList(page);
  await page.getByRole('button', { name: words.connect.importAll(4) }).click();
};
const type = (text: string) => async (page: LeadPage) => {
  await connectPage(page);
  await page.getByLabel('Server address').fill(text);
};
const give = (text: string) => async (page: LeadPage) => {
  await connectPage(page);
  await page.getByLabel('Server address').fill(text);
  await page.getByLabel('Server address').press('Enter');
};
const settings = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
};
const allowedPage = async (page: LeadPage): Promise<void> => {
  await openAdvancedSettings(page);
  await page.getByLabel('Allowed web page').scrollIntoViewIfNeeded();
};
const deleteAll = async (page: LeadPage): Promise<void> => {
  await settings(page);
  await page.getByRole('button', { name: 'Delete all data…' }).click();
};
const updates = async (page: LeadPage): Promise<void> => {
  await settings(page);
  await page.getByText(words.update.title).first().scrollIntoViewIfNeeded();
};
const apps = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: 'AI apps', exact: true }).click();
};
const somePaused = () => someApps().map((each) => ({ ...each, isPaused: each.id === 'cursor' }));
const someUnreadable = () =>
  someApps().map((each) => (['cursor', 'zed'].includes(each.id) ? { ...each, fault: aFileFault() } : each));
const app = (name: string) => async (page: LeadPage) => {
  await apps(page);
  await page.getByRole('button', { name }).first().click();
};
const addOther = async (page: LeadPage): Promise<void> => {
  await apps(page);
  await page.getByRole('button', { name: 'Another app…' }).click();
  await page.getByRole('dialog').waitFor();
};
const appError = (code: 'APP_FILE_DAMAGED' | 'APP_FILE_CHANGED', detail: object) =>
  anError({
    code,
    stage: 'apps',
    ...describeError(code, { file: '/home/ada/.config/zed/settings.json', ...detail }),
  });
const anUpdate = (change: Partial<UpdateView>): UpdateView => ({
  state: 'idle',
  automatic: true,
  checkedAt: Date.now() - 3 * 60_000,
  ...change,
});
const connection = (change: Partial<ConnectionView>): Partial<Snapshots> => ({ connections: [aConnection(change)] });
const inTenMinutes = (): number => Date.now() + 9.4 * 60_000;

const credentialsRequest = {
  serverUrl: 'https://api.githubcopilot.example/mcp/',
  callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
  issuerHost: 'github.example',
  scopes: ['repo', 'read:org'],
  otherScopes: ['gist', 'user:email', 'write:packages'],
};
const rejected = anError({
  code: 'TOKEN_ERROR',
  oauthError: 'invalid_client',
  stage: 'token',
  message: describeError('TOKEN_ERROR', { error: 'invalid_client' }).message,
  retryable: false,
});
const unregistered = anError({
  code: 'DCR_UNSUPPORTED',
  cause: 'DEADLINE',
  stage: 'registration',
  message: describeError('DCR_UNSUPPORTED', {}).message,
  retryable: false,
});
const pending = (change: Partial<PendingView>, expiresAt = inTenMinutes()): Partial<ConnectionView> => ({
  state: { name: 'authorizationPending', expiresAt },
  pending: {
    callbackUrl: credentialsRequest.callbackUrl,
    surface: 'popup' as const,
    host: 'auth.linear.example',
    opened: true,
    ...change,
  },
});
/** A check without a result is shown only on the connect page. */
const failed = (error = anError()): Partial<ConnectionView> => ({
  state: { name: 'failed', error },
  verdict: undefined,
});

const everyTool: Answers = {
  'integration:tools': tools,
  'integration:resources': resources,
  'integration:prompts': prompts,
  'integration:callTool': callResult,
  'integration:signIns': { signIns },
  'integration:events': { events },
};

export const windowStates: readonly WindowState[] = [
  {
    name: 'empty',
    snapshots: { integrations: [], desktop: aDesktop({ demo }) },
    answers: { 'app:countServers': { servers: 6, apps: ['claude-code', 'cursor', 'zed'] } },
  },
  { name: 'empty-no-demo', snapshots: { integrations: [] } },
  { name: 'home', answers: { 'activity:today': todayOf({ uses: someUses(), groups: someGroups() }) } },
  { name: 'home-nothing', snapshots: { integrations: [anIntegrationView()], apps: [] } },
  {
    name: 'home-unanswered',
    snapshots: withAskingServer(),
    answers: {
      'activity:today': todayOf({ groups: someGroups(), unanswered: [anUnanswered(), anUnanswered({ tool: 'x' })] }),
    },
  },
  { name: 'home-matrix-3', ...matrixOf(3, 3) },
  { name: 'home-matrix-12', ...matrixOf(12, 40) },
  {
    name: 'home-matrix-all',
    ...matrixOf(12, 40),
    lead: async (page) => {
      await page
        .locator('.home')
        .getByRole('button', { name: /^Show all \(/ })
        .click();
      await page.locator('.usage-box').evaluate((box) => box.scrollTo(box.scrollWidth / 2, box.scrollHeight));
    },
  },
  {
    name: 'home-held-call',
    snapshots: {
      heldCalls: [aHeldCall({ input: JSON.stringify({ text: 'x'.repeat(2_000) }, null, 2) }), aHeldCall({ id: 'b' })],
      integrations: [anIntegrationView({ toolReview: { changedAt: 1 } }), ...someIntegrations().slice(1)],
    },
    answers: { 'activity:today': todayOf({ uses: someUses(), groups: someGroups() }) },
  },
  {
    name: 'home-key-needed',
    snapshots: { integrations: [aKeyServer({ status: { name: 'signInAgain', error: keyRefused } })] },
  },
  {
    name: 'home-error',
    snapshots: {
      integrations: [
        anIntegrationView({ busy: 'signingIn', status: { name: 'signIn' } }),
        ...someIntegrations().slice(1),
      ],
    },
    answers: { 'integration:signInAgain': { error: anError() } },
    lead: async (page) => {
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'integration-user',
    answers: { 'activity:read': activityOf(someCalls().map((call) => ({ ...call, integration: 'linear' }))) },
    snapshots: {
      integrations: [
        anIntegrationView({
          url: 'https://api.githubcopilot.com/mcp/',
          scope: 'repo read:org user:email custom:scope',
          missingScopes: ['gist', 'custom:missing'],
          user: { name: 'Ada Example', email: 'ada@acme.example' },
        }),
        anIntegrationView({ id: 'second', name: 'Linear 2', user: { email: `${'eve.'.repeat(30)}@acme.example` } }),
      ],
    },
    lead: open('Linear'),
  },
  {
    name: 'integration-asked-in-vain',
    answers: { 'integration:identifyAccount': { isKnown: false } },
    lead: async (page) => {
      await open('Linear')(page);
      await page.getByRole('button', { name: words.account.askService }).click();
    },
  },
  { name: 'integration-pictured', snapshots: pictured(), answers: withPictures, lead: open('Linear') },
  { name: 'home-pictured', snapshots: pictured(), answers: withPictures },
  { name: 'connect', lead: connectPage },
  { name: 'integration-key', snapshots: { integrations: [aKeyServer()] }, lead: open('Weather') },
  {
    name: 'integration-key-needed',
    snapshots: { integrations: [aKeyServer({ status: { name: 'signInAgain', error: keyRefused } })] },
    lead: open('Weather'),
  },
  {
    name: 'integration-key-gone',
    snapshots: { integrations: [aKeyServer({ state: 'signedOut', status: { name: 'signIn' } })] },
    lead: open('Weather'),
  },
  ...(['signInAgain', 'needsAccess'] as const).map((name): WindowState => ({
    name: `integration-wanted-${name}`,
    snapshots: { integrations: [anIntegrationView({ status: { name }, wantedBy: 'Claude Code' })] },
    lead: open('Linear'),
  })),
  {
    name: 'integration-wanted-key',
    snapshots: {
      integrations: [aKeyServer({ status: { name: 'signInAgain', error: keyRefused }, wantedBy: 'x'.repeat(80) })],
    },
    lead: open('Weather'),
  },
  {
    name: 'integration-signed-out-now',
    snapshots: { deletions: [aDeletion({ kind: 'signOut' })] },
    lead: open('Linear'),
  },
  { name: 'integration-replace-key', snapshots: { integrations: [aKeyServer()] }, lead: replaceKey },
  {
    name: 'integration-replace-key-refused',
    snapshots: { integrations: [aKeyServer()] },
    answers: { 'integration:replaceKey': { error: keyRefused } },
    lead: async (page) => {
      await replaceKey(page);
      await page.getByLabel('New value for the header').fill('a-key');
      await page.getByRole('button', { name: 'Replace key', exact: true }).click();
      await page.getByText(keyRefused.message).waitFor();
    },
  },
  {
    name: 'connect-discovering',
    snapshots: connection({
      state: { name: 'discovering' },
      verdict: undefined,
      steps: [
        ...steps.slice(0, 3),
        { step: 'authorization-server-metadata', outcome: 'started', host: 'auth.linear.example' },
      ],
    }),
  },
  {
    name: 'connect-waiting',
    snapshots: connection({
      state: { name: 'discovering' },
      verdict: undefined,
      steps: [...steps.slice(0, 2), { step: 'resource-metadata', outcome: 'waiting', host: 'mcp.linear.example' }],
    }),
  },
  { name: 'connect-registers-itself', snapshots: connection({}), lead: connecting },
  {
    name: 'connect-why',
    snapshots: connection({}),
    answers: everyTool,
    lead: async (page) => {
      await connecting(page);
      await page.getByText(words.connect.card.details, { exact: true }).click();
      await page.getByText(words.common.why).click();
      await page.getByText(words.connect.options).click();
    },
  },
  ...(['Use an API key instead', 'Enter the addresses myself'] as const).map((way): WindowState => ({
    name: `connect-way-${way === 'Use an API key instead' ? 'key' : 'addresses'}`,
    snapshots: connection({}),
    lead: async (page) => {
      await connecting(page);
      await page.getByText(words.connect.otherOptions, { exact: true }).click();
      await page.getByRole('button', { name: way }).click();
    },
  })),
  {
    name: 'connect-other-permissions',
    snapshots: connection({
      state: {
        name: 'failed',
        error: anError({ code: 'AS_ERROR', oauthError: 'invalid_scope', stage: 'callback' }),
      },
    }),
    lead: async (page) => {
      await connecting(page);
      await page.getByRole('button', { name: 'Request other permissions' }).click();
    },
  },
  {
    name: 'connect-no-sign-in',
    snapshots: connection({
      state: { name: 'discovered', method: 'NoAuth' },
      url: 'http://127.0.0.1:8931/mcp',
      host: '127.0.0.1:8931',
      name: 'Notes',
      options: { ...options, local: true },
      verdict: aVerdict({
        kind: 'noSignIn',
        method: 'NoAuth',
        serverHost: '127.0.0.1:8931',
        authorizationServerHost: undefined,
        issuer: undefined,
        scopes: [],
        otherScopes: [],
        pkce: false,
        pkceListed: false,
        encrypted: false,
        toolCount: 6,
      }),
    }),
    lead: connecting,
  },
  {
    name: 'connect-needs-app',
    snapshots: connection({
      state: { name: 'discovered', method: 'OAuth' },
      name: 'GitHub',
      url: 'https://api.githubcopilot.example/mcp/',
      verdict: aVerdict({
        kind: 'needsOAuthApp',
        method: 'OAuth',
        serverHost: 'api.githubcopilot.example',
        authorizationServerHost: 'github.example',
        differentOwner: true,
        pkce: false,
        pkceListed: false,
        notes: ['no-resource-metadata', 'issuer-trailing-slash'],
        alternatives: ['https://sso.company.example'],
      }),
    }),
    lead: connecting,
  },
  {
    name: 'connect-several-owners',
    snapshots: connection({
      verdict: aVerdict({
        differentOwner: true,
        hosts: {
          service: 'login.evil.example',
          page: 'accounts.honest.example',
          token: 'login.evil.example',
          hosts: ['accounts.honest.example'],
        },
        exception: { named: 'mcp.linear.example', issuer: 'auth.linear.example' },
      }),
    }),
    lead: connecting,
  },
  {
    name: 'connect-hosts-question',
    snapshots: connection({
      hostsRequest: {
        service: 'login.evil.example',
        page: 'accounts.honest.example',
        token: 'login.evil.example',
        hosts: ['accounts.honest.example'],
      },
    }),
    lead: connecting,
  },
  {
    name: 'connect-could-not-tell',
    snapshots: connection({
      verdict: aVerdict({ kind: 'couldNotTell', method: 'NoAuth', scopes: [], otherScopes: [] }),
    }),
    lead: connecting,
  },
  {
    name: 'connect-without-user',
    snapshots: {
      ...connection({}),
      integrations: someIntegrations().map((one, index) =>
        index === 0 ? { ...one, options: { ...one.options, isIdentityProvider: true } } : one,
      ),
    },
    async lead(page) {
      await connecting(page);
      await page.getByText(words.connect.otherOptions, { exact: true }).click();
      await page.getByRole('button', { name: 'Without a sign-in page' }).click();
    },
  },
  {
    name: 'connect-without-user-or-provider',
    snapshots: connection({}),
    async lead(page) {
      await connecting(page);
      await page.getByText(words.connect.otherOptions, { exact: true }).click();
      await page.getByRole('button', { name: 'Without a sign-in page' }).click();
    },
  },
  {
    name: 'connect-by-file',
    snapshots: connection({ assertionFile: '/var/run/secrets/tokens/postern/a-token-for-the-night-job.jwt' }),
    async lead(page) {
      await connecting(page);
      await page.getByText(words.connect.otherOptions, { exact: true }).click();
      await page.getByRole('button', { name: 'Without a sign-in page' }).click();
      await page.getByRole('radio', { name: /JWT/u }).click();
    },
  },
  {
    name: 'connect-endpoints',
    snapshots: connection({
      url: 'http://127.0.0.1:8931/mcp',
      verdict: aVerdict({ kind: 'couldNotTell', method: 'NoAuth', scopes: [], otherScopes: [] }),
    }),
    answers: {
      'connection:discover': {
        error: anError({
          code: 'HOST_BLOCKED',
          stage: 'address',
          message: describeError('HOST_BLOCKED', { host: 'sso.internal', reason: 'inside' }).message,
          remedy: { kind: 'allow-host', host: 'sso.internal' },
        }),
      },
    },
    lead: async (page) => {
      await connecting(page);
      await page.getByLabel('Authorization endpoint').fill('https://sso.internal/authorize');
      await page.getByLabel('Token endpoint').fill('sso.internal/token');
      await page.getByRole('button', { name: 'Use these addresses' }).click();
      await page.getByText(words.endpoints.mistakes.incomplete).waitFor();
      await page.getByLabel('Token endpoint').fill('https://sso.internal/token');
      await page.getByRole('button', { name: 'Use these addresses' }).click();
      await page.getByRole('button', { name: 'Allow sso.internal' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'connect-typed-endpoints',
    snapshots: connection({
      state: { name: 'discovered', method: 'OAuth' },
      options: { ...options, signInSurface: 'browser' },
      verdict: aVerdict({
        kind: 'needsOAuthApp',
        method: 'OAuth',
        authorizationServerHost: 'auth.linear.example:8443',
        scopes: [],
        otherScopes: [],
        pkceListed: false,
        notes: ['typed-endpoints'],
      }),
    }),
    lead: connecting,
  },
  {
    name: 'connect-drop',
    lead: async (page) => {
      await open('Linear')(page);
      await page.locator('.pane').evaluate((target) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/uri-list', 'https://dropped.example/mcp');
        target.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
      });
      await page.locator('.drop-veil').waitFor();
    },
  },
  { name: 'connect-registering', snapshots: connection({ state: { name: 'registering' } }), lead: connecting },
  { name: 'connect-failed', snapshots: connection(failed()) },
  {
    name: 'connect-blocked',
    snapshots: connection(
      failed(
        anError({
          code: 'HOST_BLOCKED',
          stage: 'address',
          message: describeError('HOST_BLOCKED', { host: '192.168.1.20', reason: 'inside' }).message,
          remedy: { kind: 'allow-local', because: 'blocked' },
        }),
      ),
    ),
  },
  {
    name: 'connect-denied',
    snapshots: connection({
      state: {
        name: 'failed',
        error: anError({
          code: 'USER_DENIED',
          stage: 'callback',
          message: describeError('USER_DENIED', {}).message,
        }),
      },
    }),
    lead: connecting,
  },
  {
    name: 'connect-cancelled',
    snapshots: connection({
      state: {
        name: 'urlEntered',
        cancelled: anError({
          code: 'USER_CANCELLED',
          stage: 'authorization',
          ...describeError('USER_CANCELLED', {}),
        }),
      },
    }),
    lead: connecting,
  },
  {
    name: 'connect-cancelled-own-app',
    snapshots: connection({
      usedBrowser: true,
      callbackUrl: 'http://127.0.0.1:33418/callback',
      state: {
        name: 'urlEntered',
        cancelled: anError({
          code: 'USER_CANCELLED',
          stage: 'authorization',
          ...describeError('USER_CANCELLED', { work: 'oauthApp' }),
        }),
      },
    }),
    lead: connecting,
  },
  {
    name: 'connect-import',
    answers: { 'import:read': importEntries },
    lead: pasteList,
  },
  {
    name: 'connect-import-one',
    answers: {
      'import:read': { entries: importEntries.entries.slice(2, 3).map((one) => ({ ...one, notes: ['switched-off'] })) },
    },
    lead: pasteList,
  },
  {
    name: 'connect-import-local',
    answers: { 'import:read': importLocals },
    lead: pasteList,
  },
  {
    name: 'connect-import-stopped',
    answers: { 'import:read': importEntries },
    snapshots: connection({ ...failed(), importEntry: 'e2' }),
    lead: pasteList,
  },
  {
    name: 'connect-import-all',
    answers: { 'import:read': importRemotes, 'import:connectAll': 'never' },
    lead: connectList,
  },
  {
    name: 'connect-import-all-over',
    answers: {
      'import:read': importRemotes,
      'import:connectAll': {
        entries: importRemotes.entries.map(({ id }) => ({
          id,
          error: anError({ code: 'DNS_FAIL', stage: 'probe', ...describeError('DNS_FAIL', {}) }),
        })),
      },
    },
    lead: connectList,
  },
  {
    name: 'connect-import-all-ended',
    answers: {
      'import:read': importRemotes,
      'import:connectAll': {
        error: anError({ code: 'CFG_CORRUPT', stage: 'settings', ...describeError('CFG_CORRUPT', {}) }),
      },
    },
    lead: connectList,
  },
  { name: 'connect-search', lead: type('goo') },
  {
    name: 'connect-several-services',
    snapshots: connection({ url: 'https://mcp.tasks.example/mcp' }),
    lead: async (page) => {
      await connecting(page);
      await page.getByLabel('Server address').fill('Google');
      await page.getByLabel('Server address').press('Enter');
    },
  },
  { name: 'connect-service', lead: give('GitHub') },
  { name: 'connect-service-listed', lead: give('Figma') },
  { name: 'connect-service-parts', lead: give('Snowflake') },
  { name: 'connect-service-moved', lead: give('https://mcp.asana.com/sse') },
  {
    name: 'connect-known-endpoints',
    snapshots: connection({
      url: 'https://api.githubcopilot.com/mcp/',
      verdict: aVerdict({
        kind: 'couldNotTell',
        method: 'NoAuth',

        namedService: 'github.com',
        scopes: [],
        otherScopes: [],
      }),
    }),
    lead: connecting,
  },
  ...localStates,
  ...registryStates,
  { name: 'connect-completed', lead: type('tasks.example/mcp') },
  { name: 'connect-app', lead: give('npx -y @example/server-files --root /home') },
  { name: 'connect-unknown-name', lead: give('Acme Cloud') },
  { name: 'connect-near', lead: type('git hub') },
  { name: 'link-held', lead: openLink({ kind: 'connect', url: 'https://mcp.notes.example/mcp' }) },
  { name: 'link-unusable', lead: openLink({ kind: 'unusable' }) },
  { name: 'connect-known', lead: give('https://mcp.linear.example/mcp') },
  {
    name: 'credentials',
    snapshots: connection({ state: { name: 'awaitingCredentials' }, credentialsRequest }),
    lead: connecting,
  },
  {
    name: 'credentials-recipe',
    snapshots: connection({
      url: 'https://api.githubcopilot.com/mcp/',
      state: { name: 'awaitingCredentials' },
      credentialsRequest: {
        ...credentialsRequest,
        serverUrl: 'https://api.githubcopilot.com/mcp/',
        issuerHost: 'github.com',
      },
    }),
    lead: connecting,
  },
  {
    name: 'credentials-caught-secret',
    snapshots: connection({ state: { name: 'awaitingCredentials' }, credentialsRequest }),
    lead: async (page) => {
      await connecting(page);
      await page.getByLabel('Client ID').fill('GOCSPX-8fJ2kLmN0pQrStUvWxYz');
      await page.getByText(words.credentials.useAsSecret).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'credentials-again',
    snapshots: connection({
      state: { name: 'awaitingCredentials', error: rejected },
      credentialsRequest: {
        ...credentialsRequest,
        earlier: { clientId: 'Iv23liABCDEF', secretStored: true },
      },
    }),
    lead: async (page) => {
      await connecting(page);
      await page.getByLabel('Client ID').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'credentials-other-id',
    snapshots: connection({
      state: { name: 'awaitingCredentials', error: rejected },
      credentialsRequest: {
        ...credentialsRequest,
        issuerHost: '127.0.0.1:8932',
        earlier: { clientId: 'Iv23liABCDEF', secretStored: true },
      },
    }),
    lead: async (page) => {
      await connecting(page);
      await page.getByLabel('Client ID').fill('Iv23liABCDEG');
      await page.getByLabel('Client secret').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'credentials-scope',
    snapshots: connection({
      state: {
        name: 'awaitingCredentials',
        error: anError({
          code: 'AS_ERROR',
          stage: 'callback',
          oauthError: 'invalid_scope',
          message: describeError('AS_ERROR', { error: 'invalid_scope' }).message,
        }),
      },
      credentialsRequest: { ...credentialsRequest, earlier: { clientId: 'Iv23liABCDEF', secretStored: false } },
    }),
    lead: connecting,
  },
  {
    name: 'credentials-endpoints',
    snapshots: connection({
      state: { name: 'awaitingCredentials' },
      credentialsRequest: {
        ...credentialsRequest,
        endpoints: {
          authorization: 'https://github.example/login/oauth/authorize',
          token: 'https://github.example/login/oauth/access_token',
        },
      },
    }),
    lead: async (page) => {
      await connecting(page);
      await page.getByText(words.credentials.advanced).click();
      await page.getByLabel('Client ID').fill('Iv23liABCDEF');
      await page.getByLabel('Authorization endpoint').fill('https://github.example/authorize');
      await page.getByRole('button', { name: /^Sign in to /u }).click();
      await page.getByText(words.endpoints.mistakes.missing).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'credentials-after-registration',
    snapshots: connection({
      state: { name: 'awaitingCredentials', error: unregistered },
      credentialsRequest: { ...credentialsRequest, tryAgain: { kind: 'passing' } },
    }),
    lead: async (page) => {
      await connecting(page);
      await page.getByText(words.credentials.advanced).click();
    },
  },
  {
    name: 'sign-in-offers-code',
    snapshots: connection(pending({ surface: 'browser', offersDevice: true })),
    lead: async (page) => {
      await connecting(page);
      await page.getByText(words.signIn.trouble).click();
    },
  },
  {
    name: 'sign-in-again',
    snapshots: {
      integrations: [anIntegrationView({ connectionId: 'c1' })],
      ...connection({ kind: 'signInAgain', integrationId: 'linear', ...pending({ surface: 'browser' }) }),
    },
    lead: open('Linear'),
  },
  {
    name: 'sign-in-device',
    snapshots: connection({
      state: { name: 'authorizationPending', expiresAt: inTenMinutes() },
      device: {
        host: 'auth.linear.example',
        page: 'https://auth.linear.example/activate',
        userCode: 'WDJB-MJHT',
        hasLink: true,
      },
    }),
    lead: connecting,
  },
  { name: 'sign-in-popup', snapshots: connection(pending({ host: 'auth.linear.example:8443' })), lead: connecting },
  {
    name: 'sign-in-browser-paste',
    snapshots: connection(pending({ surface: 'browser' }, Date.now() + 48_000)),
    answers: { 'connection:submitCallback': { verdict: 'not-valid' } },
    lead: async (page) => {
      await connecting(page);
      await page.getByText(words.signIn.trouble).click();
      await page.getByLabel(words.signIn.pasteLabel).fill('http://127.0.0.1:49210/');
      await page.getByRole('button', { name: 'Use this address' }).click();
    },
  },
  {
    name: 'sign-in-link-copied',
    snapshots: connection(pending({ surface: 'browser', openBefore: inTenMinutes() })),
    lead: async (page) => {
      await connecting(page);
      await page.getByRole('button', { name: words.signIn.copyLink }).click();
      await page.getByText('copied address').waitFor();
    },
  },
  {
    name: 'sign-in-page-stopped',
    snapshots: connection(
      pending({ error: anError({ code: 'NAV_BLOCKED', stage: 'authorization', ...describeError('NAV_BLOCKED', {}) }) }),
    ),
    lead: connecting,
  },
  {
    name: 'sign-in-not-opened',
    snapshots: connection(pending({ surface: 'browser', opened: false })),
    lead: connecting,
  },
  { name: 'exchanging', snapshots: connection({ state: { name: 'exchanging' } }), lead: connecting },
  { name: 'list-search', lead: (page) => page.getByRole('searchbox').first().fill('nothing like it') },
  { name: 'list-groups', snapshots: { desktop: aDesktop({ sidebar: arranged }) }, lead: open('GitHub') },
  {
    name: 'list-group-menu',
    snapshots: { desktop: aDesktop({ sidebar: arranged }) },
    async lead(page) {
      await page.getByRole('treeitem', { name: /^Work/ }).evaluate((row) => {
        const { left, top } = row.getBoundingClientRect();
        const at = { clientX: left + 40, clientY: top + 20 };
        row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...at }));
      });
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'list-several', lead: chooseAllServers },
  {
    name: 'list-several-menu',
    async lead(page) {
      await chooseAllServers(page);
      await page.getByRole('button', { name: words.arrange.actions }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'list-new-group', lead: moveToGroup },
  {
    name: 'list-group-not-saved',
    answers: {
      'settings:arrange': {
        error: anError({ ...describeError('CFG_DISK_FULL', {}), code: 'CFG_DISK_FULL', stage: 'settings' }),
      },
    },
    async lead(page) {
      await moveToGroup(page);
      await page.getByLabel(words.arrange.groupName).fill('Office');
      await page.getByRole('dialog').getByRole('button', { name: words.arrange.moveButton }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  },
  { name: 'list-move', snapshots: { desktop: aDesktop({ sidebar: arranged }) }, lead: moveToGroup },
  { name: 'sidebar-folded', snapshots: { desktop: aDesktop({ sidebar: { ...arranged, isFolded: true } }) } },
  { name: 'list-1000', snapshots: { integrations: manyIntegrations(1_000) }, lead: open('Server 4') },
  { name: 'account', lead: open('Linear') },
  { name: 'account-needs-access', lead: open('GitHub') },
  {
    name: 'account-details',
    lead: async (page) => {
      await open('GitHub')(page);
      await page.getByText(words.account.details, { exact: true }).click();
      await page.getByText(words.account.boundToKey).waitFor();
    },
  },
  { name: 'account-sign-in-again', lead: open('Sentry') },
  { name: 'account-offline', lead: open('Warehouse') },
  { name: 'account-storage-problem', lead: open('Design files') },
  { name: 'account-signed-out', lead: open('Atlassian') },
  { name: 'account-no-auth', lead: open('Notes') },
  {
    name: 'account-sign-out',
    lead: async (page) => {
      await open('Linear')(page);
      await chooseAction(words.account.signOut)(page);
    },
  },
  {
    name: 'account-signing-in',
    snapshots: {
      ...connection({ kind: 'signInAgain', integrationId: 'sentry', name: 'Sentry', ...pending({}) }),
      integrations: someIntegrations().map((integration) =>
        integration.id === 'sentry' ? { ...integration, busy: 'signingIn', connectionId: 'c1' } : integration,
      ),
    },
    lead: open('Sentry'),
  },
  {
    // Signed in, but its tools could not be listed.
    name: 'account-failing',
    snapshots: { integrations: [aFailingServer()] },
    answers: { 'integration:events': { events: [{ kind: 'problem', at: Date.now() - 60_000, code: 'MCP_FAILED' }] } },
    lead: open('Linear'),
  },
  {
    name: 'account-missing-permissions',
    snapshots: {
      integrations: [
        anIntegrationView({
          url: 'https://api.githubcopilot.com/mcp/',
          scope: 'read:org other',
          scopeRequested: 'read:org other repo some.quite.long:permission/of.a-service gist',
          missingScopes: ['repo', 'some.quite.long:permission/of.a-service', 'gist'],
        }),
      ],
    },
    lead: open('Linear'),
  },
  { name: 'tools', answers: everyTool, lead: tab('Linear', 'Tools') },
  {
    name: 'tools-many',
    answers: { ...everyTool, 'integration:tools': manyTools() },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByLabel(`${words.tools.search}: ${words.tools.kinds.tools}`).fill('thing 4');
    },
  },
  {
    name: 'tools-form',
    answers: everyTool,
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'Create issue' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
    },
  },
  {
    name: 'tools-nested',
    answers: everyTool,
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'Create issue' }).click();
      await page.getByRole('button', { name: 'Add labels' }).click();
      await page.getByLabel('Item 1', { exact: true }).fill('bug');
      await page.getByRole('button', { name: 'Add Assignee' }).click();
      await page.getByLabel('Kind').selectOption('Issue');
      await page.getByLabel('Kind').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'tools-json',
    answers: everyTool,
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'Create issue' }).click();
      await page.getByRole('button', { name: 'Show as JSON' }).click();
    },
  },
  {
    name: 'tools-running',
    answers: { ...everyTool, 'integration:callTool': 'never' },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'whoami' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
    },
  },
  {
    name: 'tools-result',
    answers: everyTool,
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'List issues' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
    },
  },
  {
    name: 'tools-rich-result',
    answers: { ...everyTool, 'integration:callTool': richResult },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'List issues' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.result').waitFor();
    },
  },
  {
    name: 'tools-result-not-valid',
    answers: {
      ...everyTool,
      'integration:callTool': {
        ...callResult,
        unusable: [
          { list: 'content', index: 1, member: 'type', isPartlyUsed: true },
          { list: 'content', index: 2 },
        ],
      },
    },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'List issues' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.result').waitFor();
    },
  },
  {
    name: 'tools-result-meant',
    answers: { ...everyTool, 'integration:callTool': { ...callResult, isError: true, meant: 'list_issues' } },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'List issues' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.result').waitFor();
    },
  },
  {
    name: 'tools-unfit-input',
    answers: {
      ...everyTool,
      'integration:callTool': {
        error: anError({
          ...describeError('ARGUMENTS_UNFIT', { members: ['uqery'], meant: 'query' }),
          code: 'ARGUMENTS_UNFIT',
          stage: 'connection',
          blame: 'input',
          detail: { members: ['uqery'], meant: 'query' },
        }),
      },
    },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'List issues' }).click();
      await page.getByRole('button', { name: 'Show as JSON' }).click();
      await page.getByLabel('Input as JSON').fill('{ "uqery": "mine" }');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('button', { name: 'Send anyway' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'tools-resources',
    answers: everyTool,
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('radio', { name: 'Resources' }).click();
      await page.getByRole('option', { name: 'One issue' }).click();
    },
  },
  {
    name: 'tools-no-prompts',
    answers: { ...everyTool, 'integration:prompts': { prompts: [] } },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('radio', { name: 'Prompts' }).click();
      await page.getByText(words.tools.none.prompts).waitFor();
    },
  },
  {
    name: 'tools-suggestions',
    answers: {
      ...everyTool,
      'integration:complete': {
        values: [
          'Platform',
          'Design',
          'Support',
          'A team whose name is so long that it fills more than one line of this field',
        ],
      },
    },
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('radio', { name: 'Prompts' }).click();
      await page.getByRole('option', { name: 'Triage the inbox' }).click();
      await page.getByRole('combobox', { name: 'team' }).click();
      await page.getByRole('option', { name: 'Support' }).waitFor();
    },
  },
  { name: 'tools-signed-out', lead: tab('Atlassian', 'Tools') },
  {
    name: 'tools-error',
    answers: {
      'integration:tools': {
        error: anError({
          code: 'SIGN_IN_REQUIRED',
          stage: 'connection',
          message: describeError('SIGN_IN_REQUIRED', { host: 'mcp.linear.example' }).message,
          retryable: false,
        }),
      },
    },
    lead: tab('Linear', 'Tools'),
  },
  {
    name: 'tools-last-known',
    answers: lastKnownTools(),
    lead: async (page) => {
      await tab('Linear', 'Tools')(page);
      await page.getByRole('option', { name: 'List issues' }).click();
    },
  },
  { name: 'permissions-last-known', answers: lastKnownTools(), lead: openRules },
  {
    name: 'diagnosis',
    answers: { ...everyTool, 'activity:read': noCallsYet },
    lead: openDiagnosis,
  },
  {
    name: 'diagnosis-request',
    answers: { ...everyTool, 'activity:read': noCallsYet },
    lead: async (page) => {
      await openDiagnosis(page);
      await page.getByRole('option', { name: 'Get an access token' }).first().click();
      await page.getByRole('heading', { name: /Get an access token/ }).waitFor();
    },
  },
  {
    name: 'diagnosis-none',
    answers: { 'integration:signIns': { signIns: [] }, 'activity:read': noCallsYet },
    lead: openDiagnosis,
  },
  { name: 'integration-settings', lead: tab('Linear', 'Settings') },
  {
    name: 'integration-settings-unsaved',
    lead: async (page) => {
      await tab('Linear', 'Settings')(page);
      await page.getByLabel('Name', { exact: true }).fill('Tickets');
      await page.getByText(words.integration.advanced, { exact: true }).click();
    },
  },
  {
    name: 'integration-settings-credentials',
    lead: async (page) => {
      await tab('Linear', 'Settings')(page);
      await page.getByText(words.integration.credentialsTitle, { exact: true }).click();
      await page.getByLabel('Client ID').fill('notes-app');
      await page.getByLabel('Secret expires on').fill('2027-05-31');
      await page.getByRole('button', { name: 'Save client ID and secret' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'secret-ending',
    snapshots: {
      integrations: [anIntegrationView({ method: 'OAuth', clientSecretExpiresAt: Date.now() + 5 * 86_400_000 })],
    },
    lead: open('Linear'),
  },
  {
    name: 'integration-settings-endpoints',
    lead: async (page) => {
      await tab('Linear', 'Settings')(page);
      await page.getByLabel('Where the sign-in page opens').selectOption('browser');
      await page.getByText(words.integration.advanced, { exact: true }).click();
      await page.getByText(words.integration.endpoints).click();
      await page.getByLabel('Token endpoint').fill('not an address');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(words.endpoints.mistakes.incomplete).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'palette',
    lead: async (page) => {
      await page.evaluate(
        (key) => void window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true })),
        'k',
      );
      await page.getByRole('combobox').fill('lin');
    },
  },
  {
    name: 'server-menu',
    lead: async (page) => {
      await open('Linear')(page);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'removed',
    snapshots: {
      deletions: [aDeletion(), aDeletion({ id: 'd2', name: 'Notion', state: 'deleting' })],
    },
  },
  {
    name: 'removed-collection',
    snapshots: { deletions: [aDeletion({ name: 'work', servers: ['+work'] })] },
  },
  {
    name: 'removed-for-good',
    snapshots: {
      deletions: [
        aDeletion({
          state: 'done',
          outcome: {
            ended: 0,
            endsByItself: 1,
            registrationsLeft: 1,
            notDeleted: 0,
            revocation: 'failed',
            registration: 'not-offered',
          },
        }),
      ],
    },
  },
  {
    name: 'signed-out-and-in-again',
    snapshots: {
      deletions: [
        aDeletion({
          kind: 'signOut',
          state: 'done',
          outcome: { ended: 0, endsByItself: 0, registrationsLeft: 0, notDeleted: 1 },
        }),
      ],
    },
  },
  {
    name: 'not-removed',
    snapshots: {
      deletions: [
        aDeletion({
          state: 'done',
          outcome: { ended: 0, endsByItself: 0, registrationsLeft: 0, notDeleted: 0, failure: anError() },
        }),
      ],
    },
  },
  {
    name: 'removed-several',
    snapshots: {
      deletions: [
        aDeletion({
          servers: ['one', 'two', 'three', 'four'],
          state: 'done',
          outcome: { ended: 2, endsByItself: 1, registrationsLeft: 0, notDeleted: 1 },
        }),
      ],
    },
  },
  {
    name: 'remove-entries',
    answers: { 'app:previewLeaving': leavingPreviewed() },
    lead: async (page) => {
      await open('Linear')(page);
      await chooseAction(words.integration.menu.remove)(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'remove-entries-unread',
    answers: { 'app:previewLeaving': { previews: [], refused: leavingPreviewed().refused } },
    lead: async (page) => {
      await open('Linear')(page);
      await chooseAction(words.integration.menu.remove)(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'settings', lead: settings },
  { name: 'settings-advanced', lead: openAdvancedSettings },
  {
    name: 'settings-background',
    snapshots: {
      desktop: aDesktop({ settings: { ...aDesktop().settings, appsPaused: true }, canStartAtLogin: false }),
    },
    lead: async (page) => {
      await settings(page);
      await page.getByText(words.settings.closing).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-certificates',
    snapshots: {
      desktop: aDesktop({
        settings: {
          ...aDesktop().settings,
          certificateFile: '/home/ada/Documents/certificates of the company/root-2026.pem',
        },
      }),
    },
    lead: async (page) => {
      await openAdvancedSettings(page);
      await page.getByRole('button', { name: words.settings.chooseCertificates }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-certificates-invalid',
    answers: {
      'settings:chooseCertificateFile': {
        error: anError({
          code: 'CERTIFICATE_FILE_INVALID',
          stage: 'settings',
          message: describeError('CERTIFICATE_FILE_INVALID', { file: '/home/ada/key.pem', fault: 'empty' }).message,
          detail: { file: '/home/ada/key.pem', fault: 'empty' },
          retryable: false,
        }),
      },
    },
    lead: async (page) => {
      await openAdvancedSettings(page);
      await page.getByRole('button', { name: words.settings.chooseCertificates }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'settings-gateway-port',
    snapshots: { desktop: aDesktop({ settings: { ...aDesktop().settings, gatewayPort: 47_612 } }) },
    lead: async (page) => {
      await openAdvancedSettings(page);
      await page.getByLabel('Port for apps').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-allowed-origin',
    snapshots: {
      desktop: aDesktop({
        settings: {
          ...aDesktop().settings,
          gatewayPort: 47_612,
          allowedOrigin: 'https://tools.a-long-name.example.com:8443',
        },
      }),
    },
    lead: allowedPage,
  },
  {
    name: 'settings-allowed-origin-wrong',
    snapshots: { desktop: aDesktop({ settings: { ...aDesktop().settings, gatewayPort: 47_612 } }) },
    lead: async (page) => {
      await allowedPage(page);
      await page.getByLabel('Allowed web page').fill('https://*.example.com');
      await page.getByLabel('Allowed web page').press('Enter');
    },
  },
  {
    name: 'apps-port-taken',
    snapshots: {
      desktop: aDesktop({
        settings: { ...aDesktop().settings, gatewayPort: 47_612 },
        httpTrouble: anError({
          code: 'GATEWAY_PORT',
          stage: 'gateway',
          ...describeError('GATEWAY_PORT', { port: 47_612 }),
        }),
      }),
    },
    answers: { 'app:openPort': { isOpen: false } },
    lead: async (page) => {
      await apps(page);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(words.background.portStill).waitFor();
    },
  },
  {
    name: 'settings-gateway-port-renew',
    snapshots: { desktop: aDesktop({ settings: { ...aDesktop().settings, gatewayPort: 47_612 } }) },
    answers: { 'app:previewPort': portPreviewed() },
    lead: async (page) => {
      await openAdvancedSettings(page);
      await page.getByLabel('Port for apps').fill('47650');
      await page.getByLabel('Port for apps').press('Enter');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-gateway-port-left',
    snapshots: { desktop: aDesktop({ settings: { ...aDesktop().settings, gatewayPort: 47_612 } }) },
    answers: { 'app:previewPort': { previews: [], refused: severalMade().refused } },
    lead: async (page) => {
      await openAdvancedSettings(page);
      await page.getByLabel('Port for apps').fill('47650');
      await page.getByLabel('Port for apps').press('Enter');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-storage',
    answers: { 'storage:selfTest': checks },
    lead: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: 'Test now' }).click();
      await page.getByText(words.settings.checkOk).first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-storage-apps',
    answers: { 'storage:selfTest': checks },
    lead: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: 'Test now' }).click();
      await page.getByText('has no servers.').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-delete-all',
    lead: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: 'Delete all data…' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-delete-all-entries',
    answers: { 'app:previewLeaving': leavingPreviewed() },
    lead: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: 'Delete all data…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-delete-all-running',
    answers: { 'storage:deleteEverything': 'never' },
    lead: deleteAll,
  },
  {
    name: 'settings-delete-all-left',
    answers: {
      'storage:deleteEverything': {
        servers: 5,
        signIns: 4,
        ended: 0,
        endsByItself: 4,
        registrationsLeft: 3,
        failure: anError({
          code: 'KC_LOCKED',
          stage: 'storage',
          message: describeError('KC_LOCKED', {}).message,
          retryable: true,
        }),
      },
    },
    lead: async (page) => {
      await deleteAll(page);
      await page.getByText(describeError('KC_LOCKED', {}).message).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-delete-all-done',
    answers: {
      'storage:deleteEverything': { servers: 5, signIns: 4, ended: 3, endsByItself: 1, registrationsLeft: 1 },
    },
    lead: deleteAll,
  },
  {
    name: 'settings-import',
    answers: { 'list:import': { added: ['atlassian'], skipped: 2, refused: 1, leftOut: 3, cancelled: false } },
    lead: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText(words.settings.importSkipped(2)).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-export',
    answers: { 'list:export': { saved: true, leftOut: ['Files', 'Tickets'] } },
    lead: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByText(words.settings.exportLeftOut(2)).scrollIntoViewIfNeeded();
    },
  },
  { name: 'question-form', snapshots: { questions: [aForm()] } },
  {
    name: 'question-form-faults',
    snapshots: {
      questions: [
        aForm({ fields: [{ name: 'pin', label: 'PIN', kind: 'text', required: true, pattern: '^[0-9]{4}$' }] }),
      ],
    },
    lead: sendQuestion,
  },
  { name: 'question-page', snapshots: { questions: [aPage({ isConfusable: true }), aForm()] } },
  { name: 'question-page-opened', snapshots: { questions: [aPage({ state: 'opened' })] } },
  { name: 'question-page-by-hand', snapshots: { questions: [aPage({ state: 'failed' })] } },
  { name: 'held-call', isAsking: true, snapshots: { heldCalls: [aHeldCall()] } },
  {
    name: 'held-call-long',
    isAsking: true,
    snapshots: {
      heldCalls: [
        aHeldCall({
          app: 'P'.repeat(60),
          tool: 'delete_everything_'.repeat(8),
          input: JSON.stringify(
            { items: Array.from({ length: 200 }, (_, id) => ({ id, text: 'x'.repeat(80) })) },
            null,
            2,
          ),
          isCut: true,
          readOnly: true,
        }),
        aHeldCall({ id: 'another' }),
      ],
    },
  },
  {
    name: 'held-call-stranger',
    isAsking: true,
    snapshots: { heldCalls: [aHeldCall({ app: undefined, input: '', canLast: false })] },
  },
  { name: 'permissions', answers: { 'integration:tools': tools }, lead: openRules },
  {
    name: 'permissions-many',
    answers: { 'integration:tools': manyTools() },
    lead: async (page) => {
      await openRules(page);
      await page.getByText(words.tools.shownOf(50, 500)).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'permissions-only-allowed',
    snapshots: {
      integrations: someIntegrations().map((each) =>
        each.name === 'Linear'
          ? { ...each, permissions: { preset: 'only-allowed', rules: [{ tool: 'create_issue', rule: 'allow' }] } }
          : each,
      ),
    },
    answers: { 'integration:tools': tools },
    lead: openRules,
  },
  {
    name: 'permissions-set',
    snapshots: {
      integrations: someIntegrations().map((each) =>
        each.name === 'Linear' ? { ...each, permissions: somePermissions } : each,
      ),
    },
    answers: { 'integration:tools': tools },
    lead: async (page) => {
      await openRules(page);
      await page.getByLabel(words.permits.forApps, { exact: true }).selectOption('cursor');
    },
  },
  {
    name: 'permissions-changed',
    snapshots: { integrations: withChangedTools() },
    answers: { 'integration:tools': tools, 'permission:changes': { changed: someChanges, more: 3, gone: someGone } },
    lead: openRules,
  },
  {
    name: 'tools-changed',
    snapshots: { integrations: withChangedTools() },
    answers: { 'integration:tools': tools },
    lead: tab('Linear', words.integration.tools),
  },
  { name: 'approval', snapshots: { approvals: [anApproval()] } },
  { name: 'approval-missed', snapshots: { approvals: missedApprovals() }, lead: openApps },
  {
    name: 'approval-missed-answer',
    snapshots: { approvals: missedApprovals() },
    lead: async (page) => {
      await openApps(page);
      await page.getByRole('button', { name: 'Cursor wants to use Linear.' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'approval-stranger',
    snapshots: {
      approvals: [
        anApproval({ app: 'x'.repeat(60), isSelfReported: true, startedBy: 'Cursor Helper (Plugin)', canLast: false }),
        anApproval({ id: 'another' }),
      ],
    },
  },
  { name: 'activity', answers: { 'activity:read': activityOf(someCalls()) }, lead: openActivity },
  { name: 'activity-call', answers: { 'activity:read': activityOf(someCalls()) }, lead: openCall },
  { name: 'activity-no-match', answers: { 'activity:read': activityOf(someCalls()) }, lead: findNoCall },
  { name: 'activity-none', answers: { 'activity:read': activityOf([]) }, lead: openActivity },
  {
    name: 'activity-off',
    snapshots: { desktop: aDesktop({ settings: { ...aDesktop().settings, activity: 'off' } }) },
    answers: { 'activity:read': activityOf([]) },
    lead: openActivity,
  },
  { name: 'sandbox-off', snapshots: { desktop: aDesktop({ sandbox: 'off' }) } },
  { name: 'sandbox-left-out', snapshots: { desktop: aDesktop({ sandbox: 'leftOut' }) } },
  { name: 'apps', lead: apps },
  { name: 'collections', snapshots: someCollections(), lead: apps },
  { name: 'collection-new', lead: newCollection },
  {
    name: 'collection-change',
    snapshots: someCollections(),
    lead: async (page) => {
      await apps(page);
      await page.getByRole('button', { name: 'Change… Work' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'collection-use',
    snapshots: someCollections(),
    lead: async (page) => {
      await apps(page);
      await page.getByRole('button', { name: 'Use in apps… Work' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'app-with-collections', snapshots: someCollections(), lead: app('Cursor') },
  {
    name: 'apps-paused',
    snapshots: { desktop: aDesktop({ settings: { ...aDesktop().settings, appsPaused: true } }) },
    lead: apps,
  },
  { name: 'apps-offer-start', snapshots: { desktop: aDesktop({ offersStartAtLogin: true }) }, lead: apps },
  { name: 'apps-none', snapshots: { apps: [] }, lead: apps },
  { name: 'app', lead: app('Cursor') },
  { name: 'apps-pictured', answers: withPictures, lead: apps },
  { name: 'apps-one-paused', snapshots: { apps: somePaused() }, lead: apps },
  { name: 'app-paused', snapshots: { apps: somePaused() }, lead: app('Cursor') },
  { name: 'apps-unreadable-file', snapshots: { apps: someUnreadable() }, lead: apps },
  { name: 'app-unreadable-file', snapshots: { apps: someUnreadable() }, lead: app('Cursor') },
  { name: 'app-not-set-up', lead: app('Zed') },
  { name: 'app-revoked', lead: app('Windsurf') },
  {
    name: 'app-revoked-entries',
    answers: { 'app:previewLeaving': { previews: leavingPreviewed().previews.slice(0, 1), refused: [] } },
    lead: async (page) => {
      await app('Windsurf')(page);
      await page.getByRole('button', { name: 'Remove entries…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'app-other',
    snapshots: { apps: [...someApps(), anOtherApp()] },
    lead: app('My agent'),
  },
  { name: 'app-other-add', lead: addOther },
  {
    name: 'app-other-lines',
    answers: { 'app:previewOther': otherPreviewed() },
    lead: async (page) => {
      await addOther(page);
      await page.getByLabel('Name').fill('My agent');
      await page.getByRole('radio', { name: 'With an address' }).click();
      await page.getByRole('button', { name: 'Show lines…' }).click();
      await page.getByRole('button', { name: 'Copy lines' }).waitFor();
    },
  },
  {
    name: 'app-other-lost-secret',
    snapshots: { apps: [...someApps(), anOtherApp()] },
    answers: { 'app:preview': otherPreviewed({ replacesSecret: true }) },
    lead: async (page) => {
      await app('My agent')(page);
      await page.getByRole('switch', { name: 'Sentry' }).click();
      await page.getByRole('button', { name: 'Copy lines' }).waitFor();
    },
  },
  { name: 'app-no-servers', snapshots: { integrations: [] }, lead: app('Cursor') },
  { name: 'app-preview', answers: { 'app:preview': previewed() }, lead: previewApp },
  {
    name: 'app-preview-profiles',
    snapshots: { apps: [aApp({ id: 'vscode', name: 'VS Code', hasProfiles: true, uses: ['linear'] })] },
    answers: {
      'app:preview': previewed({
        app: 'vscode',
        name: 'VS Code',
        profiles: [
          { id: '-3a5b', name: 'Work' },
          { id: '6d8a', name: 'Data science' },
        ],
      }),
    },
    lead: async (page) => {
      await app('VS Code')(page);
      await page.getByRole('button', { name: 'Another profile… Linear' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'app-with-profiles',
    snapshots: { apps: [aApp({ id: 'vscode', name: 'VS Code', hasProfiles: true })] },
    lead: app('VS Code'),
  },
  {
    name: 'app-preview-files',
    answers: { 'app:preview': filesPreviewed() },
    lead: async (page) => {
      await app('Cursor')(page);
      await page.getByRole('switch', { name: 'Linear' }).click();
      await page.getByRole('button', { name: 'Change 2 files' }).waitFor();
    },
  },
  {
    name: 'app-preview-changed',
    answers: {
      'app:preview': previewed({
        before: [
          '    "linear": {',
          '      "url": "https://mcp.linear.example/sse",',
          '      "headers": { "Authorization": "…" }',
          '    }',
        ],
      }),
    },
    lead: previewApp,
  },
  {
    name: 'app-preview-rules',
    answers: {
      'app:preview': previewed({
        rules: [{ entry: 'linear', only: ['list_issues', 'create_issue', 'delete_issue'], denied: ['delete_issue'] }],
      }),
    },
    lead: previewApp,
  },
  {
    name: 'app-preview-command',
    answers: {
      'app:preview': previewed({
        action: 'command',
        path: '/home/ada/.claude.json',
        commands: ['/usr/local/bin/claude mcp add-json linear {"command":"/usr/lib/postern/postern-pipe"} -s user'],
      }),
    },
    lead: previewApp,
  },
  {
    name: 'app-preview-paste',
    answers: { 'app:preview': previewed({ action: 'paste' }) },
    lead: previewApp,
  },
  {
    name: 'app-preview-paste-instead',
    answers: {
      'app:preview': previewed({
        action: 'paste',
        fault: appError('APP_FILE_DAMAGED', { format: 'JSON' }),
      }),
    },
    lead: previewApp,
  },
  {
    name: 'app-command-failed',
    answers: {
      'app:preview': previewed({ action: 'command', commands: ['/usr/local/bin/claude mcp add-json linear {}'] }),
      'app:change': { error: aCommandFailure() },
    },
    lead: async (page) => {
      await previewApp(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'app-preview-nothing',
    answers: { 'app:preview': previewed({ action: 'none', after: [] }) },
    lead: previewApp,
  },
  {
    name: 'app-file-damaged',
    answers: { 'app:preview': { error: appError('APP_FILE_DAMAGED', { format: 'JSON' }) } },
    lead: async (page) => {
      await app('Zed')(page);
      await page.getByRole('switch', { name: 'Linear' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'app-file-changed',
    answers: {
      'app:preview': previewed(),
      'app:change': { error: appError('APP_FILE_CHANGED', {}) },
    },
    lead: async (page) => {
      await previewApp(page);
      await page.getByRole('button', { name: 'Change file' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'app-inside', answers: { 'app:readEntries': someEntries() }, lead: lookInside },
  {
    name: 'app-inside-left-out',
    answers: { 'app:readEntries': { ...someEntries(), excludedBy: [{ name: 'linear', setting: 'mcp.allowed' }] } },
    lead: async (page) => {
      await lookInside(page);
      await page.getByText('mcp.allowed').scrollIntoViewIfNeeded();
    },
  },
  { name: 'app-inside-nothing', answers: { 'app:readEntries': { entries: [] } }, lead: lookInside },
  {
    name: 'app-inside-damaged',
    answers: { 'app:readEntries': { error: appError('APP_FILE_DAMAGED', { format: 'JSON' }) } },
    lead: lookInside,
  },
  { name: 'use', lead: openUse },
  { name: 'use-many', snapshots: { apps: manyApps() }, lead: openUse },
  {
    name: 'use-switched',
    answers: {
      'app:preview': previewed({ preset: 'ask-changes' }),
      'app:change': madeOf(aPreview()),
      'app:previewUndo': previewed({ before: aPreview().after, after: [], revertsRules: true }),
    },
    lead: switchOn,
  },
  {
    name: 'use-switched-lines',
    answers: { 'app:preview': previewed({ preset: 'ask-changes' }), 'app:change': madeOf(aPreview()) },
    lead: async (page) => {
      await switchOn(page);
      await page.getByRole('button', { name: words.apps.connected.seeLines }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'use-command',
    answers: { 'app:preview': { previews: severalPreviewed().previews.slice(0, 1), refused: [] } },
    lead: reviewSwitch,
  },
  {
    name: 'use-refused',
    snapshots: { apps: someUnreadable() },
    answers: { 'app:preview': { error: aFileFault() } },
    lead: async (page) => {
      await openUse(page);
      await page.getByRole('switch', { name: 'Zed' }).click();
      await page.locator('.app-fault').first().waitFor();
    },
  },
  { name: 'use-waiting', snapshots: { apps: waitingApps() }, lead: openUse },
  { name: 'use-several', lead: openSeveral },
  {
    name: 'use-several-made',
    answers: { 'app:preview': severalPreviewed(), 'app:change': severalMade() },
    lead: async (page) => {
      await openSeveral(page);
      for (const name of ['Claude Code', 'Zed']) await page.getByRole('checkbox', { name }).click();
      await page.getByRole('button', { name: words.apps.reviewChanges }).click();
      await page.getByRole('button', { name: words.apps.confirmSeveral(2) }).click();
      await page.getByRole('button', { name: words.apps.undoNow }).waitFor();
    },
  },
  { name: 'use-none', snapshots: { apps: [] }, lead: openUse },
  { name: 'use-preview', answers: { 'app:preview': severalPreviewed() }, lead: previewSeveral },
  {
    name: 'use-preview-refused',
    answers: { 'app:preview': { previews: [], refused: severalPreviewed().refused } },
    lead: previewSeveral,
  },
  {
    name: 'use-made',
    answers: { 'app:preview': severalPreviewed(), 'app:change': severalMade() },
    lead: changeSeveral,
  },
  {
    name: 'use-made-paste',
    answers: {
      'app:preview': {
        previews: [
          aPreview({ action: 'paste', app: 'claude-code', name: 'Claude Code', path: '/home/ada/.claude.json' }),
          aPreview({ app: 'zed', name: 'Zed', token: 'b'.repeat(64) }),
        ],
        refused: [],
      },
      'app:change': madeOf(
        aPreview({ action: 'paste', app: 'claude-code', name: 'Claude Code', notice: 'new-session' }),
        aPreview({ app: 'zed', name: 'Zed' }),
      ),
    },
    lead: async (page) => {
      await changeSeveral(page);
      await page.evaluate(
        (listed) =>
          (window as unknown as { fakeMain: { publish(slices: unknown): void } }).fakeMain.publish({
            apps: listed,
          }),
        waitingApps(),
      );
      await page.getByRole('button', { name: words.apps.checkAgain }).first().waitFor();
    },
  },
  { name: 'app-waiting', snapshots: { apps: waitingApps() }, lead: app('Claude Code') },
  {
    name: 'connected',
    snapshots: connection({ state: { name: 'exchanging' } }),
    answers: everyTool,
    lead: finishSignIn,
  },
  {
    name: 'connected-no-apps',
    snapshots: { ...connection({ state: { name: 'exchanging' } }), apps: [] },
    answers: { ...everyTool, 'integration:tools': { tools: [] } },
    lead: finishSignIn,
  },
  {
    name: 'connected-used',
    snapshots: {
      ...connection({ state: { name: 'exchanging' } }),
      apps: someApps().map((each) => ({ ...each, uses: ['notes'] })),
    },
    answers: everyTool,
    lead: async (page) => {
      await finishSignIn(page);
      await page.getByText(words.apps.connected.usedByAll).waitFor();
    },
  },
  {
    name: 'connected-applied',
    snapshots: connection({ state: { name: 'exchanging' } }),
    answers: { ...everyTool, 'app:preview': previewed(), 'app:change': madeOf(aPreview()) },
    lead: async (page) => {
      await finishSignIn(page);
      await page.getByRole('button', { name: words.apps.connected.use(['Claude Code']) }).click();
      await page.getByText(words.apps.done(['Zed'])).waitFor();
      await page.evaluate(
        (listed) =>
          (window as unknown as { fakeMain: { publish(slices: unknown): void } }).fakeMain.publish({ apps: listed }),
        someApps().map((each) => (each.id === 'zed' ? { ...each, uses: ['notes'] } : each)),
      );
      await page.getByText(words.apps.connected.ask('Zed')).waitFor();
    },
  },
  {
    name: 'connected-result',
    snapshots: connection({ state: { name: 'exchanging' } }),
    answers: { ...everyTool, 'integration:callTool': callResult },
    lead: async (page) => {
      await finishSignIn(page);
      await page.getByRole('button', { name: words.tools.run, exact: true }).click();
      await page.locator('.result').waitFor();
    },
  },
  {
    name: 'update-available',
    snapshots: { desktop: aDesktop({ update: anUpdate({ state: 'available', version: '0.2.0' }) }) },
  },
  {
    name: 'settings-update-downloading',
    snapshots: { desktop: aDesktop({ update: anUpdate({ state: 'downloading', version: '0.2.0', percent: 42 }) }) },
    lead: updates,
  },
  {
    name: 'settings-update-refused',
    snapshots: {
      desktop: aDesktop({
        update: anUpdate({
          error: anError({
            code: 'UPD_SIGNATURE',
            stage: 'postern',
            message: describeError('UPD_SIGNATURE', {}).message,
          }),
        }),
      }),
    },
    lead: updates,
  },
  {
    name: 'settings-update-managed',
    snapshots: { desktop: aDesktop({ update: anUpdate({ state: 'off', obstacle: 'managed' }) }) },
    lead: updates,
  },
  {
    name: 'settings-file-unreadable',
    snapshots: {
      desktop: aDesktop({
        settingsTrouble: {
          error: anError({
            code: 'CFG_CORRUPT',
            stage: 'settings',
            message: describeError('CFG_CORRUPT', { reason: 'syntax', line: 12, column: 5 }).message,
            remedy: { kind: 'fix-settings', missing: false, copy: true },
          }),
          lastGood: { servers: 5, writtenAt: Date.UTC(2026, 10, 20, 9) },
        },
      }),
      integrations: [],
    },
  },
  {
    name: 'banner-memory-only',
    snapshots: {
      desktop: aDesktop({
        storage: {
          state: 'trouble',
          backend: 'libsecret',
          memoryOnly: true,
          error: anError({
            code: 'KC_UNAVAILABLE',
            stage: 'storage',
            message: describeError('KC_UNAVAILABLE', {}).message,
          }),
        },
        notices: [
          {
            id: 'n1',
            code: 'CFG_PART_IGNORED',
            message: describeError('CFG_PART_IGNORED', { part: 'server', name: 'GitHub', line: 14, column: 7 }).message,
            remedy: describeError('CFG_PART_IGNORED', {}).remedy,
          },
        ],
      }),
    },
    lead: open('Linear'),
  },
];

function someCollections(): Pick<Snapshots, 'collections' | 'apps'> {
  const [first, second] = someIntegrations().map(({ id }) => id);
  const members = [first, second].filter((id) => id !== undefined);
  return {
    collections: [
      { id: '+work', name: 'Work', members },
      { id: '+empty', name: 'Nothing in it yet', members: [] },
    ],
    apps: someApps().map((each) => (each.name === 'Cursor' ? { ...each, uses: [...each.uses, '+work'] } : each)),
  };
}

async function newCollection(page: LeadPage): Promise<void> {
  await apps(page);
  await page.getByRole('button', { name: 'New collection…' }).click();
  await page.getByRole('dialog').waitFor();
}

function withChangedTools(): Snapshots['integrations'] {
  return someIntegrations().map((each) =>
    each.name === 'Linear' ? { ...each, toolReview: { changedAt: 1_700_000_000_000 } } : each,
  );
}

/** The snapshots of a state, completed with a healthy desktop and one integration of every kind. */
export function snapshotsOf(state: WindowState): Snapshots {
  return {
    desktop: aDesktop(),
    integrations: someIntegrations(),
    connections: [],
    collections: [],
    deletions: [],
    apps: someApps(),
    approvals: [],
    heldCalls: [],
    questions: [],
    ...state.snapshots,
  };
}
