import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { importEntries } from './answer-fixtures.ts';
import { aConnection, aVerdict, aDesktop, anError, options } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const address = (page: Page) => page.getByLabel('Server address');
const inProgress = async (page: Page): Promise<void> => page.locator('.connection-list button').first().click();
const openDetails = async (page: Page): Promise<void> =>
  page.getByText(words.connect.card.details, { exact: true }).click();
const openAnotherWay = async (page: Page): Promise<void> =>
  page.getByText(words.connect.otherOptions, { exact: true }).click();

async function paste(page: Page, text: string): Promise<void> {
  await address(page).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function drop(page: Page, type: string, text: string, onto = '.pane'): Promise<void> {
  await page.locator(onto).evaluate(
    (target, { kind, data }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData(kind, data);
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { kind: type, data: text },
  );
}

test.describe('the address field', () => {
  const answers = { 'connection:discover': { id: 'c1' } };

  test('checks a pasted address at once, with the checkbox as set', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await address(page).fill('tasks.example');
    await page.getByLabel('my computer or internal network').click();
    await address(page).selectText();
    await paste(page, ' https://mcp.tasks.example/mcp\n');
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://mcp.tasks.example/mcp', options: { local: true } },
    });
  });

  test('checks a typed address only on Enter', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await address(page).fill('mcp.tasks.example/mcp');
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    await address(page).press('Enter');
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://mcp.tasks.example/mcp', options: { local: false } },
    });
  });

  test('connects at once if that is set, under the known name of the service', async ({ openWindow }) => {
    const desktop = aDesktop({ settings: { ...aDesktop().settings, connectAtOnce: true } });
    const { page, calls } = await openWindow({ at: 'connect', snapshots: { desktop }, answers });
    await paste(page, 'https://mcp.linear.app/mcp');
    const input = { url: 'https://mcp.linear.app/mcp', options: { local: false }, atOnce: true, name: 'Linear' };
    await expect.poll(calls).toContainEqual({ call: 'connection:discover', input });
  });

  test('shows the address it will check', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers });
    await address(page).fill('localhost:3000/mcp');
    await expect(address(page)).toHaveAccessibleDescription(/http:\/\/localhost:3000\/mcp/);
  });

  test('hides the key of a pasted command and hands it to main', async ({ openWindow }) => {
    const entry = { id: 'e1', name: 'a', kind: 'remote' as const, url: 'https://a.example/mcp', notes: [] };
    const { page, calls } = await openWindow({
      at: 'connect',
      answers: { ...answers, 'import:read': { entries: [entry] } },
    });
    await paste(page, 'claude mcp add -t http a https://a.example/mcp -H "X-Key: canary"');
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://a.example/mcp', options: { local: false }, importEntry: 'e1' },
    });
    await expect(address(page)).toHaveValue('https://a.example/mcp');
    expect(await page.content()).not.toContain('canary');
    const read = (await calls()).find(({ call }) => call === 'import:read');
    expect(JSON.stringify(read?.input)).toContain('canary');
  });

  test('recognizes a local command and sends no request', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await paste(page, 'npx -y @example/server --root /');
    await expect(page.getByRole('alert')).toContainText('@example/server');
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    await address(page).fill('x');
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('lets the user choose among the addresses of a page', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await paste(page, 'Europe: https://eu.a.example/mcp\nElsewhere: https://a.example/mcp');
    await page.getByRole('button', { name: 'https://a.example/mcp', exact: true }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://a.example/mcp', options: {} },
    });
  });

  test('of a connected server leads to it, and adds a second account only on request', async ({ openWindow }) => {
    const [known] = someIntegrations();
    if (known === undefined) throw new Error('the fixtures have no integration');
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await paste(page, known.url);
    await expect(page.getByRole('alert')).toContainText(known.name);
    // Only one primary button.
    await expect(page.locator('.button.primary')).toHaveText(words.connect.openKnown);
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    await page.getByRole('button', { name: 'Add a second account' }).click();
    await expect
      .poll(calls)
      .toContainEqual({ call: 'connection:discover', input: { url: known.url, options: { local: false } } });
    await address(page).fill('');
    await paste(page, known.url);
    await page.getByRole('button', { name: 'Open server' }).click();
    await expect(page.getByRole('heading', { name: known.name, level: 1 })).toBeVisible();
  });

  test('accepts a dropped link', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await drop(page, 'text/uri-list', '# from a page\nhttps://dropped.example/mcp');
    await expect
      .poll(calls)
      .toContainEqual({ call: 'connection:discover', input: { url: 'https://dropped.example/mcp', options: {} } });
  });

  for (const [place, onto] of [
    ['the page of a server', '.pane'],
    ['the list', '.sidebar'],
    ['a field', '#search'],
  ] as const)
    test(`accepts a link dropped on ${place} and shows it on the connect page`, async ({ openWindow }) => {
      const { page, calls } = await openWindow({ answers, snapshots: { connections: [aConnection()] } });
      await page.getByRole('option', { name: 'Sentry' }).click();
      await drop(page, 'text/uri-list', 'https://dropped.example/mcp', onto);
      await expect
        .poll(calls)
        .toContainEqual({ call: 'connection:discover', input: { url: 'https://dropped.example/mcp', options: {} } });
      await expect(page.getByLabel('Server address')).toBeVisible();
      await expect
        .poll(async () => (await calls()).filter(({ call }) => call === 'connection:discover'))
        .toHaveLength(1);
    });

  test('lists the servers of an mcp.json dropped on Settings', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers: { ...answers, 'import:read': importEntries } });
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await drop(page, 'text/plain', '{"mcpServers":{}}');
    await expect(page.getByRole('button', { name: 'Connect: search' })).toBeVisible();
  });

  test('says which entries of a list are not shown and which cannot be read', async ({ openWindow }) => {
    const list = { entries: [], more: 4_800, unreadable: [{ name: 'odd', member: 'headers.X-Key' }] };
    const { page } = await openWindow({ at: 'connect', answers: { ...answers, 'import:read': list } });
    await drop(page, 'text/plain', '{"mcpServers":{}}');
    await expect(page.getByText('odd').filter({ hasText: 'headers.X-Key' })).toBeVisible();
    await expect(page.getByText(/4,?800 more/u)).toBeVisible();
  });

  test('ignores a drop over a dialog', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers });
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await drop(page, 'text/uri-list', 'https://dropped.example/mcp', 'dialog');
    await page.getByRole('dialog').getByRole('combobox').fill('my-app');
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
  });

  test('lists the servers of a pasted mcp.json', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ at: 'connect', answers: { ...answers, 'import:read': importEntries } });
    await paste(page, '{"mcpServers":{}}');
    await expect(page.getByRole('button', { name: /^Connect: / })).toHaveCount(1);
    await page.getByRole('button', { name: 'Connect: search' }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'https://search.example/mcp', options: {}, importEntry: 'e2' },
    });
  });

  test('shows one pasted thing at a time', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect', answers: { ...answers, 'import:read': importEntries } });
    const list = page.getByRole('heading', { name: words.connect.importTitle(4) });
    for (const later of ['npx -y @example/server', 'no address\nin two lines', 'https://a.example/mcp']) {
      await paste(page, '{"mcpServers":{}}');
      await expect(list).toBeVisible();
      await paste(page, later);
      await expect(list).toHaveCount(0);
    }
  });

  test('takes a list of one server for its server, also after a failed check', async ({ openWindow }) => {
    const entry = { id: 'e1', name: 'a', kind: 'remote' as const, url: 'https://a.example/mcp', notes: [] };
    const { page, publish } = await openWindow({
      at: 'connect',
      answers: { ...answers, 'import:read': { entries: [entry] } },
    });
    const list = page.locator('.import-list');
    await paste(page, '{"mcpServers":{}}');
    const failed = { state: { name: 'failed', error: anError() }, verdict: undefined } as const;
    await publish({ connections: [aConnection({ id: 'c1', url: entry.url, importEntry: 'e1', ...failed })] });
    await expect(page.getByRole('button', { name: words.common.tryAgain })).toBeVisible();
    await expect(page.getByRole('button', { name: words.connect.importBack })).toHaveCount(0);
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await expect(page.getByRole('button', { name: words.common.tryAgain })).toBeVisible();
    await expect(list).toHaveCount(0);
    await publish({ connections: [] });
    await expect(list).toHaveCount(0);
  });

  test('leads from a list to connected, pending and failed entries, and back', async ({ openWindow }) => {
    const stopped = { importEntry: 'e2', verdict: undefined, state: { name: 'failed', error: anError() } } as const;
    const { page, calls } = await openWindow({
      at: 'connect',
      answers: { 'import:read': importEntries },
      snapshots: { connections: [aConnection(stopped)] },
    });
    await paste(page, '{"mcpServers":{}}');
    await page.getByRole('button', { name: 'Open: linear' }).click();
    await expect(page.getByRole('heading', { name: 'Linear', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await page.getByRole('button', { name: 'Open: search' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(calls).toContainEqual({ call: 'connection:cancel', input: { id: 'c1' } });
    await expect(page.getByRole('button', { name: 'Open: linear' })).toHaveCount(0);
  });

  for (const { servers, apps, title } of [
    { servers: 6, apps: ['claude-code', 'cursor', 'zed'], title: '6 servers in Claude Code, Cursor and Zed' },
    { servers: 1, apps: ['cursor'], title: '1 server in Cursor' },
  ])
    test(`says at first that there is "${title}", and leads there`, async ({ openWindow }) => {
      const { page, calls } = await openWindow({
        answers: { ...answers, 'app:countServers': { servers, apps } },
        snapshots: { integrations: [] },
      });
      const row = page.getByRole('listitem').filter({ hasText: title });
      await row.getByRole('button', { name: words.connect.quickStart.bring(servers) }).click();
      await expect(
        page.getByRole('heading', { name: servers === 1 ? 'Cursor' : words.apps.title, level: 1 }),
      ).toBeVisible();
      // Counted, and nothing else was read.
      expect((await calls()).map(({ call }) => call)).not.toContain('app:readEntries');
    });

  test('does not mention AI apps whose files have no server for Postern', async ({ openWindow }) => {
    const none = { ...answers, 'app:countServers': { servers: 0, apps: [] } };
    const { page, calls } = await openWindow({ answers: none, snapshots: { integrations: [] } });
    await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('app:countServers');
    await expect(page.getByText(words.connect.quickStart.serversText)).toHaveCount(0);
  });

  test('offers the demo server first', async ({ openWindow }) => {
    const desktop = aDesktop({ demo: { url: 'http://127.0.0.1:8931/mcp' } });
    const { page, calls } = await openWindow({ answers, snapshots: { desktop, integrations: [] } });
    await page.getByRole('button', { name: words.connect.quickStart.tryDemo }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { url: 'http://127.0.0.1:8931/mcp', options: { local: true } },
    });
  });
});

test.describe('the verdict', () => {
  test('continues on Enter with the name and choices', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { connections: [aConnection()] } });
    await inProgress(page);
    await openDetails(page);
    await page.getByText(words.connect.options).click();
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await expect.poll(calls).toContainEqual({
      call: 'connection:start',
      input: { id: 'c1', name: 'Mine', options: { scope: 'read write issues:create admin' } },
    });
  });

  for (const [chosen, browserOnly, surface] of [
    [{ signInSurface: 'browser' }, false, 'browser'],
    [{}, false, 'popup'],
    [{}, true, 'browser'],
  ] as const)
    test(`says where the sign-in page will open: with ${JSON.stringify(chosen)}, browser only: ${browserOnly}`, async ({
      openWindow,
    }) => {
      const connections = [aConnection({ options: { ...options, ...chosen }, verdict: aVerdict({ browserOnly }) })];
      const { page } = await openWindow({ snapshots: { connections } });
      await inProgress(page);
      await expect(page.getByText(words.connect.after[surface]('auth.linear.example'))).toBeVisible();
    });

  test('shows what is unexpected on the card, before the details are opened', async ({ openWindow }) => {
    const { trust } = words.connect;
    const usual = aConnection({ verdict: aVerdict() });
    const { page, publish } = await openWindow({ snapshots: { connections: [usual] } });
    await inProgress(page);
    const warnings = page.locator('.connect-card .notice.ask');
    const host = page.locator('.connect-card strong');
    await expect(host).toHaveText('auth.linear.example');
    await expect(warnings).toHaveCount(0);
    const exception = { named: 'a.example', issuer: 'https://b.a.example' };
    const odd = aVerdict({
      differentOwner: true,
      exception,
      encrypted: false,
      pkce: false,
      notes: ['host-confusable'],
    });
    await publish({ connections: [{ ...usual, verdict: odd }] });
    await expect(warnings.getByRole('listitem')).toHaveText([
      trust.differentOwner('auth.linear.example', 'mcp.linear.example'),
      trust.exception(exception.named, exception.issuer),
      `${trust.encryptedNo}.`,
      `${trust.pkceNo}.`,
      words.notes['host-confusable'],
    ]);
    await expect(page.locator('.trust')).toHaveCount(0);
  });

  test('names a new server by its host, not by what came with its address', async ({ openWindow }) => {
    const url = 'https://mcp.other.example/mcp';
    const { page } = await openWindow({ snapshots: { connections: [aConnection({ url, name: 'Notion' })] } });
    await inProgress(page);
    await expect(page.getByRole('heading', { name: words.connect.card.title('mcp.other.example') })).toBeVisible();
    await expect(
      page.getByRole('button', { name: words.connect.start.registersItself('mcp.other.example') }),
    ).toBeVisible();
  });

  test('shows text from the server as plain text', async ({ openWindow }) => {
    const scopes = ['<img src=x onerror=alert(1)>', '&lt;b&gt;'];
    const connection = aConnection();
    const verdict = connection.verdict && { ...connection.verdict, scopes };
    const { page } = await openWindow({ snapshots: { connections: [{ ...connection, verdict }] } });
    await inProgress(page);
    await expect(page.locator('.card-permissions code')).toHaveText(scopes);
    await openDetails(page);
    await expect(page.locator('.trust .chip')).toHaveText(scopes);
    await expect(page.locator('.connect-card img')).toHaveCount(0);
  });
});

test('an address that is already connected leads to that server', async ({ openWindow }) => {
  const [known] = someIntegrations();
  if (known === undefined) throw new Error('the fixtures have no integration');
  const { page } = await openWindow({ snapshots: { connections: [aConnection({ url: known.url })] } });
  await inProgress(page);
  await expect(page.getByText(words.connect.known(known.name))).toBeVisible();
  await page.getByRole('button', { name: 'Open server' }).click();
  await expect(page.getByRole('heading', { name: known.name, level: 1 })).toBeVisible();
});

test('a connection attempt in the sidebar says whether it failed or was cancelled', async ({ openWindow }) => {
  const failed = aConnection({ state: { name: 'failed', error: anError() } });
  const { page, publish } = await openWindow({ snapshots: { connections: [failed] } });
  const row = page.locator('.connection-list').getByRole('button');
  await expect(row).toContainText(words.progress.failed);
  const cancelled = anError({ code: 'USER_CANCELLED' });
  await publish({ connections: [aConnection({ state: { name: 'urlEntered', cancelled } })] });
  await expect(row).toContainText(words.progress.cancelled);
});

test.describe('an alternative', () => {
  const [ownOAuthApp, key, addresses] = [
    'Use my own OAuth app',
    'Use an API key instead',
    'Enter the addresses myself',
  ];
  const [withoutPerson, provider] = ['Connect without a sign-in page', 'Use as our identity provider'];
  for (const [kind, offered] of [
    ['noSignIn', [key, addresses]],
    ['registersItself', [ownOAuthApp, key, withoutPerson, addresses]],
    ['publishedClient', [ownOAuthApp, key, withoutPerson, addresses]],
    ['needsOAuthApp', [key, withoutPerson, addresses]],
  ] as const)
    test(`is offered next to the verdict ${kind} and keeps what was typed`, async ({ openWindow }) => {
      const verdict = aVerdict({ kind, method: kind === 'noSignIn' ? 'NoAuth' : 'OAuth' });
      const { page, calls } = await openWindow({ snapshots: { connections: [aConnection({ verdict })] } });
      await inProgress(page);
      const ways = page.getByRole('region', { name: words.connect.otherOptions });
      await openAnotherWay(page);
      await expect(ways.getByRole('button')).toHaveText(offered);
      await openDetails(page);
      await page.getByLabel('Name', { exact: true }).fill('Mine');
      await ways.getByRole('button', { name: key }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('a-key');
      await page.keyboard.press('Enter');
      await expect.poll(calls).toContainEqual({
        call: 'connection:start',
        input: { id: 'c1', name: 'Mine', options: {}, header: { name: 'Authorization', value: 'a-key' } },
      });
    });

  for (const [lastStage, offered, code] of [
    ['server', [], 'CONNECT_FAIL'],
    ['documents', [key, addresses, provider], 'MCP_FAILED'],
    ['documents', [key, withoutPerson, addresses, provider], 'CONNECT_FAIL'],
    ['documents', [key, withoutPerson, addresses, provider], 'HOST_BLOCKED'],
    ['documents', [], 'URL_INVALID'],
    ['signIn', [ownOAuthApp, key, withoutPerson, addresses], 'TOKEN_ERROR'],
    ['signIn', [], 'KC_LOCKED'],
    ['install', [], 'TICKET_INVALID'],
    ['use', [key, addresses], 'CONNECT_FAIL'],
  ] as const)
    test(`is offered after ${code} at ${lastStage} if it can help`, async ({ openWindow }) => {
      const failed = aConnection({ lastStage, state: { name: 'failed', error: anError({ code }) } });
      const { page } = await openWindow({ snapshots: { connections: [failed] } });
      await inProgress(page);
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByRole('region', { name: words.connect.otherOptions }).getByRole('button')).toHaveText(
        offered,
      );
    });

  test('without a sign-in page leads to the client form and keeps what was typed', async ({ openWindow }) => {
    const [known] = someIntegrations();
    if (known === undefined) throw new Error('the fixtures have no integration');
    const company = {
      ...known,
      id: 'company',
      name: 'Company',
      options: { ...known.options, isIdentityProvider: true },
    };
    const { page, calls, publish } = await openWindow({
      snapshots: { connections: [aConnection({ verdict: aVerdict() })], integrations: [known, company] },
      answers: { 'connection:chooseAssertionFile': { chosen: true } },
    });
    await inProgress(page);
    const start = async (): Promise<void> =>
      page.getByRole('button', { name: words.connect.start.needsOAuthApp() }).click();
    await openAnotherWay(page);
    await page.getByRole('button', { name: withoutPerson }).click();
    await expect(page.getByRole('radio')).toHaveCount(3);
    await start();
    const started = (chosen: object) => ({
      call: 'connection:start',
      input: expect.objectContaining({ id: 'c1', ownOAuthApp: true, options: chosen }) as unknown,
    });
    await expect.poll(calls).toContainEqual(started({ grant: 'client-credentials' }));
    await page.getByRole('radio', { name: words.connect.nonInteractive.choices.file }).check();
    await start();
    const choose = page.getByRole('button', { name: words.connect.nonInteractive.file.choose });
    await expect(choose).toBeFocused();
    await expect(page.getByText(words.connect.nonInteractive.file.needed)).toBeVisible();
    await choose.press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'connection:chooseAssertionFile', input: { id: 'c1' } });
    await publish({ connections: [aConnection({ verdict: aVerdict(), assertionFile: '/run/token.jwt' })] });
    await expect(page.getByText('/run/token.jwt')).toBeVisible();
    await start();
    await expect.poll(calls).toContainEqual(started({ grant: 'jwt-bearer' }));
    await page.getByRole('radio', { name: /Company/u }).check();
    await start();
    await expect.poll(calls).toContainEqual(started({ grant: 'enterprise', identityProvider: 'company' }));
  });

  test('offers to add an address without MCP as an identity provider', async ({ openWindow }) => {
    const failed = aConnection({
      lastStage: 'documents',
      state: { name: 'failed', error: anError({ code: 'MCP_FAILED' }) },
    });
    const { page, calls } = await openWindow({ snapshots: { connections: [failed] } });
    await inProgress(page);
    await page.getByRole('button', { name: provider }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { id: 'c1', url: failed.url, options: { ...failed.options, isIdentityProvider: true } },
    });
  });

  test('flags an invalid key until another one is typed', async ({ openWindow }) => {
    const { page } = await openWindow({
      snapshots: { connections: [aConnection()] },
      answers: { 'connection:start': { error: anError({ code: 'API_KEY_INVALID', stage: 'credentials' }) } },
    });
    await inProgress(page);
    await openAnotherWay(page);
    await page.getByRole('button', { name: key }).click();
    await page.keyboard.type('a key');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Key', { exact: true }).fill('a');
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('for a connected server is an OAuth app or its settings', async ({ openWindow }) => {
    const error = anError({ stage: 'token' });
    const failed = { kind: 'signInAgain', integrationId: 'sentry', state: { name: 'failed', error } } as const;
    const { page, calls } = await openWindow({ snapshots: { connections: [aConnection(failed)] } });
    await page.getByRole('option', { name: 'Sentry' }).click();
    await expect(page.getByRole('button', { name: key })).toHaveCount(0);
    await page.getByRole('button', { name: ownOAuthApp }).click();
    await expect.poll(calls).toContainEqual({ call: 'connection:start', input: { id: 'c1', ownOAuthApp: true } });
    await page.getByRole('button', { name: addresses }).click();
    await expect(page.getByRole('tab', { name: 'Settings', selected: true })).toBeVisible();
    await expect(page.getByText(words.integration.endpoints)).toBeVisible();
  });
});

test.describe('a server that does not say how to sign in', () => {
  test('can be set up by its endpoints, and a button allows their host', async ({ openWindow }) => {
    const verdict = aVerdict({ kind: 'couldNotTell', method: 'NoAuth' });
    const refused = anError({
      code: 'HOST_BLOCKED',
      stage: 'address',
      remedy: { kind: 'allow-host', host: 'sso.internal' },
    });
    const setup = {
      snapshots: { connections: [aConnection({ verdict })] },
      answers: { 'connection:discover': { error: refused } },
    };
    const { page, calls } = await openWindow(setup);
    await inProgress(page);
    await page.getByLabel('Authorization endpoint').fill('https://sso.internal/a');
    await page.getByRole('button', { name: 'Use these addresses' }).click();
    await expect(page.getByText(words.endpoints.mistakes.missing)).toBeVisible();
    await page.getByLabel('Token endpoint').fill('https://sso.internal/typed');
    await expect(page.getByText(words.endpoints.mistakes.missing)).toHaveCount(0);
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    await page.getByLabel('Token endpoint').fill('https://sso.internal/t');
    await page.getByLabel('Token endpoint').press('Enter');
    const endpoints = { authorization: 'https://sso.internal/a', token: 'https://sso.internal/t' };
    const question = { id: 'c1', url: 'https://mcp.linear.example/mcp' };
    await page.getByRole('button', { name: 'Allow sso.internal' }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { ...question, options: { ...options, endpoints, allowedHosts: ['sso.internal'] } },
    });
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { ...question, options: { ...options, endpoints } },
    });
  });
});

test.describe('a failure', () => {
  test('has a remedy: a button allows a blocked host for this server', async ({ openWindow }) => {
    const error = anError({ code: 'HOST_BLOCKED', remedy: { kind: 'allow-host', host: 'sso.internal' } });
    const failed = aConnection({ state: { name: 'failed', error }, verdict: undefined });
    const { page, calls } = await openWindow({ snapshots: { connections: [failed] } });
    await page.getByRole('button', { name: 'Allow sso.internal' }).click();
    await expect.poll(calls).toContainEqual({
      call: 'connection:discover',
      input: { id: 'c1', url: failed.url, options: { ...options, allowedHosts: ['sso.internal'] } },
    });
  });

  test('of a connected server changes its options and signs in again', async ({ openWindow }) => {
    const error = anError({ code: 'PKCE_UNSUPPORTED', stage: 'discovery' });
    const failed = aConnection({
      kind: 'signInAgain',
      integrationId: 'sentry',
      state: { name: 'failed', error },
    });
    const { page, calls } = await openWindow({ snapshots: { connections: [failed] } });
    await page.getByRole('option', { name: 'Sentry' }).click();
    await page.getByRole('button', { name: 'Connect without requiring PKCE' }).click();
    await expect.poll(calls).toContainEqual({ call: 'connection:tryAgain', input: { id: 'c1' } });
    await expect.poll(calls).toContainEqual({
      call: 'integration:update',
      input: { id: 'sentry', options: { pkce: 'when-listed' } },
    });
  });
});

test.describe('a connected server that signs in again', () => {
  test('is listed once and says so in its row', async ({ openWindow }) => {
    const connections = [aConnection({ kind: 'signInAgain', integrationId: 'sentry', name: 'Sentry' })];
    const { page } = await openWindow({ snapshots: { connections } });
    await expect(page.getByRole('option', { name: 'Sentry' })).toBeVisible();
    await expect(page.locator('.sidebar').getByText('Sentry')).toHaveCount(1);
  });
});

test.describe('an auth ticket', () => {
  test('is redeemed once, and its integration is shown (spec 2.10)', async ({ openWindow }) => {
    const answers = { 'connection:install': { integrationId: 'linear' }, 'integration:tools': { tools: [] } };
    const waiting = aConnection({ state: { name: 'exchanging' } });
    const { page, calls, publish } = await openWindow({ answers, snapshots: { connections: [waiting] } });
    await inProgress(page);
    const issued = aConnection({ state: { name: 'ticketIssued', ticketId: 't1' } });
    await publish({ connections: [issued] });
    await publish({ connections: [{ ...issued }] });
    await publish({ connections: [aConnection({ state: { name: 'integrated', integrationId: 'linear' } })] });
    await expect(page.getByRole('heading', { name: words.apps.connected.title('Linear') })).toBeVisible();
    await expect
      .poll(async () => (await calls()).filter(({ call }) => call === 'connection:install'))
      .toEqual([{ call: 'connection:install', input: { ticketId: 't1' } }]);
  });
});

test('the main button and its explanation are visible without scrolling, also at 200 %', async ({ openWindow }) => {
  const snapshots = { connections: [aConnection()] };
  const { page } = await openWindow({ snapshots });
  await inProgress(page);
  const row = page.locator('.start-row');
  for (const size of [
    { width: 1_100, height: 720 },
    { width: 550, height: 360 },
  ]) {
    await page.setViewportSize(size);
    await expect(row.getByRole('button').first()).toBeInViewport({ ratio: 1 });
    await expect(row.locator('.start-words')).toBeInViewport({ ratio: 1 });
  }
});

for (const name of ['registering', 'exchanging'] as const)
  test(`a sign-in can be cancelled while a service is slow (${name})`, async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { connections: [aConnection({ state: { name } })] } });
    await inProgress(page);
    await page.getByRole('button', { name: words.connect.stop, exact: true }).click();
    await expect.poll(calls).toContainEqual({ call: 'connection:stop', input: { id: 'c1' } });
  });

test.describe('connecting all of a pasted list', () => {
  const remote = (id: string) => ({
    id,
    name: id,
    kind: 'remote' as const,
    url: `https://${id}.example/mcp`,
    notes: [],
  });
  const list = {
    entries: [
      remote('a'),
      { ...remote('b'), headerNames: ['X-Key'] },
      remote('c'),
      { ...remote('gap'), notes: ['url-to-fill-in' as const] },
      { id: 'runs', name: 'runs', kind: 'local' as const, command: 'npx', notes: ['local-command' as const] },
    ],
  };
  const over = { entries: [] };
  const answers = { 'import:read': list, 'connection:discover': { id: 'c1' }, 'import:connectAll': over };
  const all = (page: Page) => page.getByRole('button', { name: words.connect.importAll(3) });
  const cameTo = (counts: Partial<Parameters<typeof words.connect.importAllSummary>[0]>) =>
    words.connect.importAllSummary({ connected: 0, waiting: 0, failed: 0, left: 0, ...counts });

  test('connects every entry it can and shows the progress', async ({ openWindow }) => {
    const running = { ...answers, 'import:connectAll': 'never' as const };
    const { page, calls, send } = await openWindow({ at: 'connect', answers: running });
    await paste(page, '{"mcpServers":{}}');
    await all(page).click();
    await expect(page.getByText(words.connect.importAllDone(0, 3))).toBeVisible();
    const inputs = (await calls()).filter(({ call }) => call === 'import:connectAll').map(({ input }) => input);
    expect(inputs).toEqual([{ call: expect.any(String), entries: ['a', 'b', 'c'], local: false }]);
    const [{ call = '' } = {}] = inputs as readonly { readonly call?: string }[];
    await send({ event: 'progress', call, progress: 2, total: 3 });
    await send({ event: 'progress', call: 'another', progress: 1, total: 3 });
    await expect(page.getByText(words.connect.importAllDone(2, 3))).toBeVisible();
  });

  test('marks as connected what main reports, and every entry of the same server', async ({ openWindow }) => {
    const entries = [remote('a'), { ...remote('b'), hasKeys: true as const }, remote('c')].map((entry) =>
      entry.id === 'c' ? { ...entry, hasKeys: true as const, sameAs: 'b' } : entry,
    );
    const connected = { entries: [{ id: 'b', connectedAs: 'linear' }] };
    const { page } = await openWindow({
      at: 'connect',
      answers: { 'import:read': { entries }, 'import:connectAll': connected },
    });
    await paste(page, '{"mcpServers":{}}');
    await all(page).click();
    await expect(page.getByText(cameTo({ connected: 2, left: 1 }))).toBeVisible();
  });

  test('asks once whether loopback addresses run here, and allows no other address', async ({ openWindow }) => {
    const here = ['http://localhost:3000/mcp', 'https://127.0.0.1/mcp', 'http://[::1]:1/mcp'];
    const others = ['https://localhost.example/mcp', 'http://192.168.0.7/mcp'];
    const entries = [...here, ...others].map((url, index) => ({ ...remote(`s${index}`), url }));
    const { page, calls } = await openWindow({ at: 'connect', answers: { ...answers, 'import:read': { entries } } });
    await paste(page, '{"mcpServers":{}}');
    await expect(page.getByRole('button', { name: words.connect.importAll(2) })).toBeVisible();
    await page.getByRole('checkbox', { name: words.connect.importLocal(3) }).check();
    await page.getByRole('button', { name: `${words.connect.importConnect}: s0` }).click();
    await page.getByRole('button', { name: words.connect.importAll(5) }).click();
    const asked = async (name: string): Promise<unknown> =>
      (await calls()).flatMap(({ call, input }) => (call === name ? [input] : []));
    await expect
      .poll(() => asked('connection:discover'))
      .toEqual([{ url: here[0], options: { local: true }, importEntry: 's0' }]);
    await expect
      .poll(() => asked('import:connectAll'))
      .toEqual([{ call: expect.any(String), entries: entries.map(({ id }) => id), local: true }]);
  });

  test('leaves what needs a sign-in to the user', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ at: 'connect', answers });
    await paste(page, '{"mcpServers":{}}');
    await all(page).click();
    await publish({ connections: [aConnection({ importEntry: 'a' })] });
    await expect(page.getByText(cameTo({ waiting: 1, left: 2 }))).toBeVisible();
  });

  test('says why each failed, with the next step', async ({ openWindow }) => {
    const error = anError({ code: 'DNS_FAIL', stage: 'probe' });
    const { page, publish } = await openWindow({ at: 'connect', answers });
    await paste(page, '{"mcpServers":{}}');
    await all(page).press('Enter');
    await publish({
      connections: [aConnection({ importEntry: 'b', state: { name: 'failed', error }, turn: 'stopped' })],
    });
    const row = page.getByRole('listitem').filter({ hasText: 'b.example' });
    await expect(row.getByText(words.errors.message(error))).toBeVisible();
    await expect(row.getByText(words.errors.nextStep(error.remedy))).toBeVisible();
    await expect(page.getByText(cameTo({ failed: 1, left: 2 }))).toBeVisible();
    for (const word of [words.progress.failed, words.progress.cancelled])
      await expect(row.getByText(word, { exact: true })).toHaveCount(0);
  });

  test('keeps the focus in place once nothing is left to connect', async ({ openWindow }) => {
    const error = anError({ code: 'DNS_FAIL', stage: 'probe' });
    const failed = { entries: ['a', 'b', 'c'].map((id) => ({ id, error })) };
    const { page } = await openWindow({ at: 'connect', answers: { ...answers, 'import:connectAll': failed } });
    await paste(page, '{"mcpServers":{}}');
    await all(page).press('Enter');
    await expect(page.getByText(cameTo({ failed: 3 }))).toBeFocused();
  });

  test('says why it ended early', async ({ openWindow }) => {
    const error = anError({ code: 'CFG_CORRUPT', stage: 'settings' });
    const { page } = await openWindow({ at: 'connect', answers: { ...answers, 'import:connectAll': { error } } });
    await paste(page, '{"mcpServers":{}}');
    await all(page).press('Enter');
    await expect(page.getByRole('alert').getByText(words.errors.message(error))).toBeVisible();
    await expect(all(page)).toBeVisible();
  });

  test('can be cancelled, also by pasting another list', async ({ openWindow }) => {
    const running = { ...answers, 'import:connectAll': 'never' as const };
    const { page, calls } = await openWindow({ at: 'connect', answers: running });
    const stopped = async (): Promise<number> => (await calls()).filter(({ call }) => call === 'import:stop').length;
    await paste(page, '{"mcpServers":{}}');
    await all(page).press('Enter');
    const cancel = page.getByRole('button', { name: words.common.cancel });
    await cancel.press('Enter');
    await expect.poll(stopped).toBe(1);
    // Entries in progress finish first.
    await expect(cancel).toBeFocused();
    await page.getByRole('button', { name: words.common.dismiss }).click();
    await expect.poll(stopped).toBe(2);
  });
});
