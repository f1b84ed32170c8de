import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { aConnection, anError } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const request: CredentialsView = {
  serverUrl: 'https://api.github.example/mcp',
  callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
  issuerHost: 'github.example',
  scopes: ['repo'],
  otherScopes: ['gist'],
};

const asking = ({ error, ...change }: Partial<CredentialsView> & { readonly error?: PlainError } = {}) => ({
  connections: [
    aConnection({
      state: { name: 'awaitingCredentials', ...(error && { error }) },
      credentialsRequest: { ...request, ...change },
    }),
  ],
});
const open = async (page: Page) => {
  await page.locator('.connection-list button').first().click();
  return page.locator('.connect-card');
};
const secret = 'S3CRET-canary-value';

test.describe('the card of an OAuth app', () => {
  test('shows the callback URL with Copy first, and main copies it (spec 2.11)', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: asking() });
    const card = await open(page);
    await card.getByRole('button', { name: 'Copy' }).click();
    await expect(card.getByRole('button', { name: 'Copied' })).toBeVisible();
    await expect.poll(calls).toContainEqual({ call: 'desktop:copy', input: { kind: 'callbackUrl', id: 'c1' } });
  });

  test('suggests a retry first, and when, after a temporary registration fault', async ({ openWindow }) => {
    const error = anError({
      code: 'DCR_UNSUPPORTED',
      cause: 'REG_UNAVAILABLE',
      stage: 'registration',
    });
    const tryAgain = { kind: 'passing', until: new Date(2026, 0, 1, 14, 5, 30).getTime() } as const;
    const { page } = await openWindow({ snapshots: asking({ error, tryAgain }) });
    const card = await open(page);
    await expect(card.getByText(words.credentials.tryAgainAfter('2:05:30 PM'))).toBeVisible();
    // The user has not entered an OAuth app.
    await expect(card.getByRole('button', { name: words.common.tryAgain, exact: true })).toBeVisible();
    await expect(card.getByText(words.credentials.secretStoredText)).toHaveCount(0);
    await expect(page.getByText(words.progress.awaitingCredentials)).toHaveCount(0);
  });

  test('blames the service if it fails after Postern registered, and tells of no secret', async ({ openWindow }) => {
    const error = anError({ code: 'TOKEN_ERROR', stage: 'token', message: 'The service failed.' });
    const { page } = await openWindow({ snapshots: asking({ error, tryAgain: { kind: 'perhaps' } }) });
    await expect(page.locator('.connection-list')).toContainText(words.progress.failed);
    const card = await open(page);
    await expect(card.getByText(words.credentials.tryAgainHint)).toBeVisible();
    for (const text of [words.credentials.secretStoredText, words.connect.credentialsWait(request.issuerHost)])
      await expect(page.getByText(text)).toHaveCount(0);
  });

  test('submits ID, secret and scopes, and forgets the secret', async ({ openWindow }) => {
    const { page, calls } = await openWindow({
      snapshots: asking(),
      answers: { 'connection:submitCredentials': 'never' },
    });
    const card = await open(page);
    await card.getByLabel('Client ID').fill(' my-id ');
    await card.getByLabel('Client secret').fill(secret);
    await card.getByRole('button', { name: 'gist' }).click();
    await card.getByLabel('Client secret').press('Enter');
    await expect.poll(calls).toContainEqual({
      call: 'connection:submitCredentials',
      input: {
        id: 'c1',
        clientId: 'my-id',
        clientSecret: secret,
        options: { pkce: 'when-listed', sendResource: true, scope: 'repo gist' },
      },
    });
    const values = await page
      .locator('input')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(values.join()).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
  });

  test('detects a secret in the ID field, hides it and moves it', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: asking() });
    const card = await open(page);
    await card.getByLabel('Client ID').fill('GOCSPX-abcdefghijk');
    await expect(card.getByLabel('Client ID')).toHaveAttribute('type', 'password');
    await card.getByRole('button', { name: 'Use it as the secret' }).click();
    await expect(card.getByLabel('Client ID')).toHaveValue('');
    await expect(card.getByLabel('Client secret')).toHaveValue('GOCSPX-abcdefghijk');
  });

  test('reopens with the earlier input, the secret held in main and the error at its field', async ({ openWindow }) => {
    const error = anError({ code: 'TOKEN_ERROR', oauthError: 'unauthorized_client', message: 'Not accepted.' });
    const again = asking({ error, earlier: { clientId: 'my-id', secretStored: true } });
    const { page, calls } = await openWindow({ snapshots: again });
    const card = await open(page);
    const id = card.getByLabel('Client ID');
    await expect(id).toHaveValue('my-id');
    await expect(id).toHaveAttribute('aria-invalid', 'true');
    await expect(id).toBeFocused();
    await expect(card.getByText('Not accepted.')).toBeVisible();
    await expect(card.getByLabel('Client secret')).toHaveCount(0);
    await card.getByRole('button', { name: /^Sign in to / }).click();
    await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('connection:submitCredentials');
    const submitted = (await calls()).find(({ call }) => call === 'connection:submitCredentials');
    expect(submitted?.input).not.toHaveProperty('clientSecret');
  });

  test('opens Advanced if the error is there', async ({ openWindow }) => {
    const error = anError({ code: 'AS_ERROR', oauthError: 'invalid_request', stage: 'callback' });
    const { page } = await openWindow({ snapshots: asking({ error }) });
    const card = await open(page);
    await expect(card.getByLabel('How the secret is sent')).toBeVisible();
  });

  for (const [name, fault] of [
    ['TOKEN_ERROR with invalid_client', { code: 'TOKEN_ERROR', oauthError: 'invalid_client' }],
    ['CLIENT_REJECTED', { code: 'CLIENT_REJECTED' }],
  ] as const)
    test(`shows ${name} for ID and secret together, until another ID is typed`, async ({ openWindow }) => {
      const error = anError({ ...fault, stage: 'token' });
      const again = asking({ error, earlier: { clientId: 'my-id', secretStored: true } });
      const { page } = await openWindow({ snapshots: again });
      const card = await open(page);
      const id = card.getByLabel('Client ID');
      await expect(card.getByText(words.credentials.unknownClient.pair)).toBeVisible();
      await card.getByRole('button', { name: 'Replace' }).click();
      const secretField = card.getByLabel('Client secret');
      for (const field of [id, secretField]) {
        await expect(field).toHaveAttribute('aria-invalid', 'true');
        const described = (await field.getAttribute('aria-describedby'))?.split(' ')[0] ?? '';
        await expect(page.locator(`[id="${described}"]`)).toContainText('does not recognize this ID');
      }
      await id.fill('another-id');
      await expect(id).not.toHaveAttribute('aria-invalid');
    });

  test('keeps a secret for its ID only, and asks for a new one with another ID', async ({ openWindow }) => {
    const again = asking({ earlier: { clientId: 'my-id', secretStored: true } });
    const { page, calls } = await openWindow({ snapshots: again });
    const card = await open(page);
    await expect(card.getByText(words.credentials.secretStoredText)).toBeVisible();
    await card.getByLabel('Client ID').fill('my-id-2');
    await expect(card.getByText(words.credentials.secretOfOther)).toBeVisible();
    await card.getByLabel('Client secret').fill(secret);
    await card.getByLabel('Client secret').press('Enter');
    await expect
      .poll(calls)
      .toContainEqual(expect.objectContaining({ input: expect.objectContaining({ clientSecret: secret }) }));
  });

  test('blames no field if the response names none', async ({ openWindow }) => {
    const error = anError({ code: 'TOKEN_ERROR', stage: 'token', message: 'Not accepted.' });
    const again = asking({ error, earlier: { clientId: 'my-id', secretStored: true } });
    const { page } = await openWindow({ snapshots: again });
    const card = await open(page);
    await expect(card.getByRole('alert').getByText('Not accepted.')).toBeVisible();
    await expect(card.locator('[aria-invalid=true]')).toHaveCount(0);
  });

  test('shows a rejected scope at the permissions', async ({ openWindow }) => {
    const error = anError({ code: 'AS_ERROR', oauthError: 'invalid_scope', stage: 'callback', message: 'Refused.' });
    const { page } = await openWindow({ snapshots: asking({ error }) });
    const card = await open(page);
    await expect(
      card.getByRole('group', { name: 'Allow these permissions there' }).getByText('Refused.'),
    ).toBeVisible();
  });

  test('submits typed endpoints, both or neither, and shows the current ones', async ({ openWindow }) => {
    const endpoints = { authorization: 'https://github.example/authorize', token: 'https://github.example/token' };
    const { page, calls } = await openWindow({ snapshots: asking({ endpoints }) });
    const card = await open(page);
    await card.getByText(words.credentials.advanced).click();
    const [authorization, token] = [card.getByLabel('Authorization endpoint'), card.getByLabel('Token endpoint')];
    await expect(token).toHaveAttribute('placeholder', endpoints.token);
    await card.getByLabel('Client ID').fill('my-id');
    await authorization.fill('https://login.example/a');
    await authorization.press('Enter');
    await expect(card.getByText(words.endpoints.mistakes.missing)).toBeVisible();
    await token.fill(' https://login.example/t');
    await token.press('Enter');
    await expect.poll(calls).toContainEqual({
      call: 'connection:submitCredentials',
      input: {
        id: 'c1',
        clientId: 'my-id',
        options: {
          pkce: 'when-listed',
          sendResource: true,
          endpoints: { authorization: 'https://login.example/a', token: 'https://login.example/t' },
        },
      },
    });
  });

  test('holds the typed secret in main if an endpoint is blocked, and continues once its host is allowed', async ({
    openWindow,
  }) => {
    const refused = anError({
      code: 'HOST_BLOCKED',
      stage: 'address',
      blame: 'input',
      remedy: { kind: 'allow-host', host: 'sso.internal' },
    });
    const answers = { 'connection:submitCredentials': { error: refused } };
    const { page, calls } = await openWindow({ snapshots: asking(), answers });
    const card = await open(page);
    await card.getByText(words.credentials.advanced).click();
    await card.getByLabel('Client ID').fill('my-id');
    await card.getByLabel('Client secret').fill(secret);
    await card.getByLabel('Authorization endpoint').fill('https://sso.internal/a');
    await card.getByLabel('Token endpoint').fill('https://sso.internal/t');
    await card.getByRole('button', { name: /^Sign in to / }).click();
    await card.getByRole('button', { name: 'Allow sso.internal' }).click();
    await expect(card.getByText(words.credentials.secretStoredText)).toBeVisible();
    await expect
      .poll(async () => (await calls()).filter(({ call }) => call.endsWith('submitCredentials')))
      .toHaveLength(2);
    const [first, second] = (await calls()).filter(({ call }) => call === 'connection:submitCredentials');
    expect(first?.input).toMatchObject({ clientSecret: secret });
    expect(second?.input).not.toHaveProperty('clientSecret');
    expect(second?.input).toMatchObject({ clientId: 'my-id', options: { allowedHosts: ['sso.internal'] } });
  });

  test('requires the ID before it submits anything', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: asking() });
    const card = await open(page);
    await card.getByRole('button', { name: /^Sign in to / }).click();
    await expect(card.getByText(words.credentials.clientIdMissing)).toBeVisible();
    await card.getByLabel('Client ID').fill('m');
    await expect(card.getByText(words.credentials.clientIdMissing)).toHaveCount(0);
    expect((await calls()).map(({ call }) => call)).not.toContain('connection:submitCredentials');
  });

  test('has two steps: create the OAuth app, and paste its ID and secret', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: asking() });
    const card = await open(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const steps = card.locator('.credential-step');
    await expect(steps).toHaveCount(2);
    const create = card.getByRole('group', { name: words.credentials.stepCreate(request.issuerHost) });
    await expect(create.getByText(request.callbackUrl)).toBeVisible();
    const paste = card.getByRole('group', { name: words.credentials.stepPaste });
    await expect(paste.getByLabel('Client ID')).toBeVisible();
    await expect(paste.getByText(words.common.optional)).toBeVisible();
  });

  test('is filled in with the keyboard alone, and focuses a missing ID', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: asking() });
    const card = await open(page);
    const order = [
      card.getByRole('button', { name: 'Copy' }),
      card.getByRole('button', { name: 'repo' }),
      card.getByRole('button', { name: 'gist' }),
      card.getByLabel('Client ID'),
      card.getByLabel('Client secret'),
      card.getByText(words.credentials.advanced),
      card.getByRole('button', { name: /^Sign in to / }),
    ];
    await card.focus();
    for (const control of order) {
      await page.keyboard.press('Tab');
      await expect(control).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await expect(card.getByLabel('Client ID')).toBeFocused();
    await expect(card.getByLabel('Client ID')).toHaveAccessibleDescription(words.credentials.clientIdMissing);
    await page.keyboard.type('my-id');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('connection:submitCredentials');
  });

  test('is ended by Escape, and nothing that was typed is lost', async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: asking() });
    const card = await open(page);
    await card.getByLabel('Client ID').fill('my-id');
    await card.getByLabel('Client secret').fill(secret);
    await page.keyboard.press('Escape');
    await expect.poll(calls).toContainEqual({ call: 'connection:stop', input: { id: 'c1' } });
    const cancelled = anError({ code: 'USER_CANCELLED', stage: 'authorization' });
    await publish({ connections: [aConnection({ state: { name: 'urlEntered', cancelled } })] });
    await expect(card.getByRole('button', { name: words.common.tryAgain })).toBeVisible();
    await publish(asking());
    await expect(card.getByLabel('Client ID')).toHaveValue('my-id');
    await expect(card.getByLabel('Client secret')).toHaveValue(secret);
  });
});
