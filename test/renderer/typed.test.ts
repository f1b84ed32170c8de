import type { Locator, Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { openAdvancedSettings } from './app-fixtures.ts';
import { aConnection, aDeletion, aDesktop, anError, anIntegrationView, aVerdict } from './fixtures.ts';
import { aKeyServer } from './list-fixtures.ts';
import { expect, test } from './renderer-test.ts';
import { snapshotsOf, windowStates } from './window-states.ts';

const address = (page: Page) => page.getByLabel('Server address');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inProgress = (page: Page) => page.locator('.connection-list button').first().click();
const leaveAndComeBack = async (page: Page): Promise<void> => {
  await press(page, 'Home');
  await inProgress(page);
};

const url = 'https://mcp.one.example/mcp';
const other = 'https://mcp.other.example/mcp';
const checking = aConnection({ url, state: { name: 'discovering' }, verdict: undefined });
const failed = aConnection({ url, state: { name: 'failed', error: anError() }, verdict: undefined });
const found = aConnection({ url });
const unknown = (at: string) => aConnection({ url: at, verdict: aVerdict({ kind: 'couldNotTell' }) });

test.describe('an address typed while the previous one is checked', () => {
  const answers = { 'connection:discover': { id: 'c1' } };
  for (const [outcome, ended] of [
    ['fails', failed],
    ['reaches a verdict', found],
  ] as const) {
    test(`stays as it is, with the focus, when that ${outcome}`, async ({ openWindow }) => {
      const { page, publish } = await openWindow({ at: 'connect', answers });
      const field = address(page);
      await field.fill(url);
      await field.press('Enter');
      await field.pressSequentially('/fur');
      await publish({ connections: [checking] });
      await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
      await field.pressSequentially('ther');
      await publish({ connections: [ended] });
      await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
      await expect(field).toHaveValue(`${url}/further`);
      await expect(field).toBeFocused();
      await publish({ connections: [] });
      await expect(field).toHaveValue(ended === failed ? `${url}/further` : '');
    });
  }

  test('stays if the server responds before main names the check', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ at: 'connect', answers: { 'connection:discover': 'never' } });
    const field = address(page);
    await field.fill(url);
    await field.press('Enter');
    await field.pressSequentially('/further');
    await publish({ connections: [checking] });
    await expect(field).toHaveValue(`${url}/further`);
    await publish({ connections: [found] });
    await expect(page.getByText(words.connect.verdict.registersItself)).toBeVisible();
    await expect(field).toHaveValue(`${url}/further`);
  });

  test('survives another page until it is submitted', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ at: 'connect', answers });
    await address(page).fill(url);
    await press(page, 'Home');
    await press(page, 'Connect a server');
    await expect(address(page)).toHaveValue(url);
    await address(page).press('Enter');
    await publish({ connections: [found] });
    await expect(address(page)).toHaveValue(url);
    await press(page, 'Connect a server');
    await expect(address(page)).toHaveValue('');
  });
});

interface Typed {
  readonly form: string;
  readonly connection: ConnectionView;
  /** Opens the form if it is not open at once. */
  readonly open?: (page: Page) => Promise<void>;
  readonly field: (page: Page) => Locator;
}

const asking = aConnection({
  state: { name: 'awaitingCredentials' },
  credentialsRequest: {
    serverUrl: url,
    callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
    issuerHost: 'auth.one.example',
    scopes: [],
    otherScopes: [],
  },
});
const inBrowser = aConnection({
  state: { name: 'authorizationPending', expiresAt: Date.now() + 60_000 },
  pending: {
    callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
    surface: 'browser',
    host: 'auth.one.example',
    opened: true,
  },
});
const refused = aConnection({
  state: {
    name: 'failed',
    error: anError({ code: 'AS_ERROR', stage: 'authorization', oauthError: 'invalid_scope' }),
  },
});

const forms: readonly Typed[] = [
  {
    form: 'the name of a new server',
    connection: found,
    open: (page) => page.getByText(words.connect.card.details, { exact: true }).click(),
    field: (page) => page.getByLabel('Name', { exact: true }),
  },
  { form: 'an API key', connection: unknown(url), field: (page) => page.getByLabel('Key', { exact: true }) },
  { form: 'an endpoint', connection: unknown(url), field: (page) => page.getByLabel('Token endpoint') },
  {
    form: 'other permissions',
    connection: refused,
    open: (page) => press(page, 'Request other permissions'),
    field: (page) => page.getByRole('textbox', { name: 'Permissions' }),
  },
  {
    form: 'the address that the browser ended on',
    connection: inBrowser,
    open: (page) => page.getByText(words.signIn.trouble).click(),
    field: (page) => page.getByLabel(words.signIn.pasteLabel),
  },
  { form: 'a client ID', connection: asking, field: (page) => page.getByLabel('Client ID') },
  { form: 'a client secret', connection: asking, field: (page) => page.getByLabel('Client secret') },
];

test.describe('typed input survives another page:', () => {
  for (const { form, connection, open, field } of forms)
    test(`${form}; and gone with what it was for`, async ({ openWindow }) => {
      const { page, publish } = await openWindow({ snapshots: { connections: [connection] } });
      await inProgress(page);
      await open?.(page);
      await field(page).fill('typed by hand');
      await leaveAndComeBack(page);
      await open?.(page);
      await expect(field(page)).toHaveValue('typed by hand');
      await press(page, 'Home');
      await publish({ connections: [] });
      await publish({ connections: [connection] });
      await inProgress(page);
      await open?.(page);
      await expect(field(page)).not.toHaveValue('typed by hand');
    });

  test('an API key, for its server only', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { connections: [unknown(url)] } });
    await inProgress(page);
    await page.getByLabel('Key', { exact: true }).fill('a key for one');
    await publish({ connections: [unknown(other)] });
    await expect(address(page)).toHaveValue(other);
    await expect(page.getByLabel('Key', { exact: true })).toHaveValue('');
  });

  test('a client secret, for its sign-in service only', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { connections: [asking] } });
    await inProgress(page);
    await page.getByLabel('Client secret').fill('a secret for one');
    const request = { ...asking.credentialsRequest, issuerHost: 'auth.other.example' };
    await publish({ connections: [{ ...asking, credentialsRequest: request } as ConnectionView] });
    await expect(page.getByText(words.credentials.stepCreate('auth.other.example'))).toBeVisible();
    await expect(page.getByLabel('Client secret')).toHaveValue('');
  });

  test('but not an API key that main has accepted', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { connections: [unknown(url)] } });
    await inProgress(page);
    await page.getByLabel('Key', { exact: true }).fill('a key for one');
    await press(page, 'Add with this key');
    await expect(page.getByLabel('Key', { exact: true })).toHaveValue('');
    await publish({ connections: [unknown(url)] });
    await leaveAndComeBack(page);
    await expect(page.getByLabel('Key', { exact: true })).toHaveValue('');
  });

  const openKey = async (page: Page): Promise<void> => {
    await page.getByRole('option', { name: 'Weather' }).click();
    await page.getByRole('button', { name: 'Replace key…' }).first().click();
  };
  const key = (page: Page) => page.getByLabel('New value for the header X-API-Key');
  const typeKey = async (page: Page): Promise<void> => {
    await openKey(page);
    await key(page).fill('typed by hand');
    await page.keyboard.press('Escape');
    await press(page, 'Home');
  };

  test('a new key for a connected server, also after Escape, until Cancel', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: [aKeyServer()] } });
    await typeKey(page);
    await openKey(page);
    await expect(key(page)).toHaveValue('typed by hand');
    await press(page, 'Cancel');
    await page.getByRole('button', { name: 'Replace key…' }).first().click();
    await expect(key(page)).toHaveValue('');
  });

  const gone = { integrations: [] };
  const back = { integrations: [aKeyServer()] };
  const removal = aDeletion({ name: 'Weather', servers: [aKeyServer().id] });
  const interruptions: readonly [string, string, readonly Partial<Snapshots>[]][] = [
    [
      'is still there',
      'temporarily unreadable settings',
      [
        { ...gone, desktop: aDesktop({ settingsTrouble: { error: anError() } }) },
        { ...back, desktop: aDesktop() },
      ],
    ],
    [
      'is still there',
      'a removal that was undone',
      [
        { ...gone, deletions: [removal] },
        { ...back, deletions: [] },
      ],
    ],
    [
      'is still there',
      'a removal whose undo is published before the list',
      [{ deletions: [removal] }, gone, { deletions: [] }, back],
    ],
    [
      'is gone',
      'a completed removal',
      [{ deletions: [removal] }, gone, { deletions: [{ ...removal, state: 'done' }] }, back],
    ],
    [
      'is gone',
      'a removal elsewhere while another one can be undone',
      [{ deletions: [aDeletion({ servers: ['another'] })] }, gone, back],
    ],
  ];
  for (const [outcome, what, events] of interruptions)
    test(`a new key ${outcome} after ${what}`, async ({ openWindow }) => {
      const { page, publish } = await openWindow({ snapshots: { integrations: [aKeyServer()] } });
      await typeKey(page);
      for (const event of events) await publish(event);
      await openKey(page);
      await expect(key(page)).toHaveValue(outcome === 'is gone' ? '' : 'typed by hand');
    });

  test('a new key, if its server is removed and the removal undone', async ({ openWindow }) => {
    const answers = { 'app:previewLeaving': { previews: [], refused: [] }, 'integration:remove': 'never' as const };
    const { page, publish } = await openWindow({ answers, snapshots: { integrations: [aKeyServer()] } });
    await openKey(page);
    await key(page).fill('typed by hand');
    await page.keyboard.press('Escape');
    await press(page, words.integration.more);
    await page.getByRole('menuitem', { name: words.integration.menu.remove }).click();
    for (const event of [gone, { deletions: [removal] }, { deletions: [] }, back]) await publish(event);
    await openKey(page);
    await expect(key(page)).toHaveValue('typed by hand');
  });
});

test.describe('unsaved input survives another page:', () => {
  const settings = { ...aDesktop().settings, gatewayPort: 47_612 };
  for (const [name, typed] of [
    [words.settings.callbackPort, '51000'],
    [words.settings.gatewayPort, '51001'],
    [words.settings.allowedOrigin, 'http://localhost:1'],
    [words.registry.address, 'https://registry.one.example'],
  ] as const)
    test(`${name}; until another one is saved`, async ({ openWindow }) => {
      const { page, publish } = await openWindow({ snapshots: { desktop: aDesktop({ settings }) } });
      const open = (): Promise<void> => openAdvancedSettings(page);
      const field = page.getByRole('textbox', { name, exact: true });
      await open();
      await field.fill(typed);
      await press(page, 'Home');
      await open();
      await expect(field).toHaveValue(typed);
      const saved = {
        callbackPort: 52_000,
        gatewayPort: 52_000,
        allowedOrigin: 'http://localhost:52000',
        registry: 'https://52000.example',
      };
      await publish({ desktop: aDesktop({ settings: { ...settings, ...saved } }) });
      await expect(field).toHaveValue(/52000/);
    });

  test('the name of another app, also after Escape, until Cancel', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: [aKeyServer()], apps: [] } });
    await press(page, 'AI apps');
    const open = (): Promise<void> => press(page, 'Another app…');
    const field = page.getByLabel('Name', { exact: true });
    await open();
    await field.fill('My agent');
    await page.getByRole('radio', { name: 'With an address' }).press('Space');
    await page.keyboard.press('Escape');
    await press(page, 'Home');
    await press(page, 'AI apps');
    await open();
    await expect(field).toHaveValue('My agent');
    await expect(page.getByRole('radio', { name: 'With an address' })).toBeChecked();
    await press(page, 'Cancel');
    await open();
    await expect(field).toHaveValue('');
  });
});

test('consent to hosts does not cover those of the next verdict', async ({ openWindow }) => {
  const hosts = (name: string) => ({ service: name, page: name, token: name, hosts: [name] });
  const withHosts = (name: string) => aConnection({ url, verdict: aVerdict({ hosts: hosts(name) }) });
  const { page, publish } = await openWindow({ snapshots: { connections: [withHosts('one.example')] } });
  await inProgress(page);
  const yes = page.getByRole('checkbox').last();
  await yes.click();
  await expect(page.getByRole('button', { name: /^Sign in to/u })).toBeEnabled();
  await publish({ connections: [withHosts('other.example')] });
  await expect(page.getByText('other.example').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign in to/u })).toBeDisabled();
});

/** One window state for each form with input. */
const typedInto = [
  ...[
    'empty-no-demo',
    'integration-replace-key',
    'connect-registers-itself',
    'connect-way-key',
    'connect-could-not-tell',
  ],
  ...[
    'local-form',
    'local-of-a-list',
    'credentials',
    'credentials-scope',
    'sign-in-browser-paste',
    'sign-in-offers-code',
  ],
  ...['tools-form', 'tools-json', 'tools-nested', 'tools-resources', 'tools-suggestions', 'connect-other-permissions'],
  ...['integration-settings', 'integration-settings-unsaved', 'integration-settings-credentials', 'list-new-group'],
  ...['integration-settings-endpoints', 'palette', 'settings-gateway-port', 'question-form', 'activity'],
];

/** Fills every visible field, of the open dialog if any: one by one, because one may reveal the next. */
async function typeEverywhere(page: Page): Promise<number> {
  for (let count = 0; ; count += 1) {
    const kind = await page.evaluate((at) => {
      const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
      const fields = top.querySelectorAll<HTMLInputElement>(
        ':is(input:not([type=checkbox], [type=radio]), textarea):enabled:read-write:not([data-typed])',
      );
      const field = [...fields].find((each) => each.checkVisibility());
      field?.setAttribute('data-typed', String(at));
      return field && `${field.type} ${field.inputMode}`;
    }, count);
    if (kind === undefined) return count;
    const field = page.locator(`[data-typed="${count}"]`);
    if (kind.startsWith('date')) await field.fill('2030-01-01');
    else await field.fill(/number|numeric|decimal/u.test(kind) ? `${51_000 + count}` : `typed ${count}`);
  }
}

/** The values of the fields, and which one has the focus. */
const typedIn = (page: Page) =>
  page.evaluate(() => ({
    values: [...document.querySelectorAll<HTMLInputElement>('[data-typed]')].map(({ value }) => value),
    focused: document.activeElement?.getAttribute('data-typed'),
  }));

test.describe('every field keeps its input and focus, whatever happens elsewhere:', () => {
  for (const state of windowStates.filter(({ name }) => typedInto.includes(name)))
    test(state.name, async ({ openWindow }) => {
      const snapshots = snapshotsOf(state);
      const answers = { 'integration:complete': { values: [] }, ...state.answers };
      const { page, publish } = await openWindow({ snapshots, answers });
      await state.lead?.(page);
      const count = await typeEverywhere(page);
      const typed = await typedIn(page);
      expect(typed.values).toHaveLength(count);
      expect(count).toBeGreaterThan(0);
      const { desktop, integrations, connections, apps } = snapshots;
      const added = anIntegrationView({ id: 'elsewhere', name: 'Added elsewhere' });
      const events: readonly Partial<Snapshots>[] = [
        { integrations: [added, ...integrations] },
        { integrations: [...integrations.map((each) => ({ ...each, busy: 'refreshing' as const })), added] },
        { integrations: integrations.map((each) => ({ ...each, expiresAt: Date.now() + 90_000 })) },
        { desktop: { ...desktop, language: 'de' } },
        { desktop: { ...desktop, theme: 'dark' } },
        { desktop, deletions: [aDeletion({ servers: ['another'] })] },
        { deletions: [], apps: apps.toReversed() },
        { connections: [...connections, aConnection({ id: 'another', url: other })] },
      ];
      for (const event of events) {
        await publish(event);
        expect(await typedIn(page), JSON.stringify(Object.keys(event))).toEqual(typed);
      }
      await page.evaluate(() => {
        for (const isHidden of [true, false]) {
          Object.defineProperty(document, 'visibilityState', {
            configurable: true,
            get: () => (isHidden ? 'hidden' : 'visible'),
          });
          document.dispatchEvent(new Event('visibilitychange'));
          window.dispatchEvent(new Event(isHidden ? 'blur' : 'focus'));
        }
      });
      expect(await typedIn(page), 'hidden and shown again').toEqual(typed);
    });

  test('the list of states has every named state', () => {
    const names = new Set(windowStates.map(({ name }) => name));
    expect(typedInto.filter((name) => !names.has(name))).toEqual([]);
  });
});
