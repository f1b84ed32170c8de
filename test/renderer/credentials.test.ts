import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CredentialsView } from '../../shared/connection-view.ts';
import { aConnection, anError } from './fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();

const request: CredentialsView = {
  serverUrl: 'https://api.github.example/mcp',
  callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
  issuer: 'https://github.example',
  issuerHost: 'github.example',
  scopes: ['repo'],
  otherScopes: ['gist'],
  canTryAgain: false,
};

const asking = (change: Partial<CredentialsView> = {}) => ({
  connections: [aConnection({ state: { name: 'awaitingCredentials' }, credentialsRequest: { ...request, ...change } })],
});
const open = async (page: Page) => {
  await page.locator('.connection-list button').first().click();
  return page.getByRole('dialog');
};
const secret = 'S3CRET-canary-value';

describe('the credential dialog', () => {
  it('has Copy for the callback URL before anything else, and main copies (spec 2.11)', async () => {
    await withRenderer({ snapshots: asking() }, async ({ page, calls }) => {
      const dialog = await open(page);
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await calls()).toContainEqual({ call: 'app:copy', input: { kind: 'callbackUrl', id: 'c1' } });
    });
  });

  it('says first to try again, and when, after a passing fault of the registration', async () => {
    const error = anError({
      code: 'DCR_UNSUPPORTED',
      cause: 'REG_UNAVAILABLE',
      stage: 'registration',
      retryable: true,
      retryAt: new Date(2026, 0, 1, 14, 5, 30).getTime(),
    });
    await withRenderer({ snapshots: asking({ error, canTryAgain: true }) }, async ({ page }) => {
      const dialog = await open(page);
      await dialog.getByText('try again after 14:05:30. If it stays so, enter an app of your own.').waitFor();
    });
  });

  it('hands over id, secret and scopes, and forgets the secret', async () => {
    await withRenderer(
      { snapshots: asking(), answers: { 'connection:submitCredentials': 'never' } },
      async ({ page, calls }) => {
        const dialog = await open(page);
        await dialog.getByLabel('Client ID').fill(' my-id ');
        await dialog.getByLabel('Client secret').fill(secret);
        await dialog.getByRole('button', { name: 'gist' }).click();
        await dialog.getByLabel('Client secret').press('Enter');
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
      },
    );
  });

  it('catches a secret in the id field, covers it, and moves it', async () => {
    await withRenderer({ snapshots: asking() }, async ({ page }) => {
      const dialog = await open(page);
      await dialog.getByLabel('Client ID').fill('GOCSPX-abcdefghijk');
      expect(await dialog.getByLabel('Client ID').getAttribute('type')).toBe('password');
      await dialog.getByRole('button', { name: 'Move it to the secret' }).click();
      expect(await dialog.getByLabel('Client ID').inputValue()).toBe('');
      expect(await dialog.getByLabel('Client secret').inputValue()).toBe('GOCSPX-abcdefghijk');
    });
  });

  it('comes back with the earlier input, the secret kept in main, and the error on its field', async () => {
    const error = anError({ code: 'TOKEN_ERROR', oauthError: 'unauthorized_client', message: 'Not accepted.' });
    const again = asking({ error, earlier: { clientId: 'my-id', secretKept: true } });
    await withRenderer({ snapshots: again }, async ({ page, calls }) => {
      const dialog = await open(page);
      const id = dialog.getByLabel('Client ID');
      expect(await id.inputValue()).toBe('my-id');
      expect(await id.getAttribute('aria-invalid')).toBe('true');
      expect(await id.evaluate((field) => field === document.activeElement)).toBe(true);
      await dialog.getByText('Not accepted.').waitFor();
      expect(await dialog.getByLabel('Client secret').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Try this' }).click();
      await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('connection:submitCredentials');
      const submitted = (await calls()).find(({ call }) => call === 'connection:submitCredentials');
      expect(submitted?.input).not.toHaveProperty('clientSecret');
    });
  });

  it('opens its advanced part by itself when the error lies there', async () => {
    const error = anError({ code: 'AS_ERROR', oauthError: 'invalid_request', stage: 'callback' });
    await withRenderer({ snapshots: asking({ error }) }, async ({ page }) => {
      const dialog = await open(page);
      await dialog.getByLabel('How the secret is sent').waitFor();
    });
  });

  it.each([
    ['TOKEN_ERROR with invalid_client', { code: 'TOKEN_ERROR', oauthError: 'invalid_client' }],
    ['CLIENT_REJECTED', { code: 'CLIENT_REJECTED' }],
  ] as const)('shows %s at id and secret together, until another id is typed', async (_, fault) => {
    const error = anError({ ...fault, stage: 'token' });
    const again = asking({ error, earlier: { clientId: 'my-id', secretKept: true } });
    await withRenderer({ snapshots: again }, async ({ page }) => {
      const dialog = await open(page);
      const id = dialog.getByLabel('Client ID');
      await dialog.getByText('does not know this ID with this secret').waitFor();
      await dialog.getByRole('button', { name: 'Replace' }).click();
      const secretField = dialog.getByLabel('Client secret');
      for (const field of [id, secretField]) {
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        const described = (await field.getAttribute('aria-describedby'))?.split(' ')[0] ?? '';
        expect(await page.locator(`[id="${described}"]`).textContent()).toContain('does not know this ID');
      }
      await id.fill('another-id');
      expect(await id.getAttribute('aria-invalid')).toBeNull();
    });
  });

  it('keeps a secret for its id only: with another id it says so, and asks for another', async () => {
    const again = asking({ earlier: { clientId: 'my-id', secretKept: true } });
    await withRenderer({ snapshots: again }, async ({ page, calls }) => {
      const dialog = await open(page);
      await dialog.getByText('The secret that you entered is kept.').waitFor();
      await dialog.getByLabel('Client ID').fill('my-id-2');
      await dialog.getByText('was for the earlier ID').waitFor();
      await dialog.getByLabel('Client secret').fill(secret);
      await dialog.getByLabel('Client secret').press('Enter');
      await expect
        .poll(calls)
        .toContainEqual(expect.objectContaining({ input: expect.objectContaining({ clientSecret: secret }) }));
    });
  });

  it('blames no field where the answer names none', async () => {
    const error = anError({ code: 'TOKEN_ERROR', stage: 'token', message: 'Not accepted.' });
    const again = asking({ error, earlier: { clientId: 'my-id', secretKept: true } });
    await withRenderer({ snapshots: again }, async ({ page }) => {
      const dialog = await open(page);
      await dialog.getByRole('alert').getByText('Not accepted.').waitFor();
      expect(await dialog.locator('[aria-invalid=true]').count()).toBe(0);
    });
  });

  it('shows a refused scope where the rights are chosen', async () => {
    const error = anError({ code: 'AS_ERROR', oauthError: 'invalid_scope', stage: 'callback', message: 'Refused.' });
    await withRenderer({ snapshots: asking({ error }) }, async ({ page }) => {
      const dialog = await open(page);
      await dialog.getByRole('group', { name: 'Allow these rights there' }).getByText('Refused.').waitFor();
    });
  });

  it('hands over endpoints that are typed, both or none, and shows which hold now', async () => {
    const endpoints = { authorization: 'https://github.example/authorize', token: 'https://github.example/token' };
    await withRenderer({ snapshots: asking({ endpoints }) }, async ({ page, calls }) => {
      const dialog = await open(page);
      await dialog.getByText('Advanced').click();
      const [authorization, token] = [dialog.getByLabel('Authorization endpoint'), dialog.getByLabel('Token endpoint')];
      expect(await token.getAttribute('placeholder')).toBe(endpoints.token);
      await dialog.getByLabel('Client ID').fill('my-id');
      await authorization.fill('https://login.example/a');
      await authorization.press('Enter');
      await dialog.getByText('This one is needed as well.').waitFor();
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
  });

  it('keeps the typed secret in main when an endpoint is refused, and goes on when its host is allowed', async () => {
    const refused = anError({
      code: 'HOST_BLOCKED',
      stage: 'address',
      remedy: { kind: 'allow-host', host: 'sso.internal' },
    });
    const answers = { 'connection:submitCredentials': { error: refused } };
    await withRenderer({ snapshots: asking(), answers }, async ({ page, calls }) => {
      const dialog = await open(page);
      await dialog.getByText('Advanced').click();
      await dialog.getByLabel('Client ID').fill('my-id');
      await dialog.getByLabel('Client secret').fill(secret);
      await dialog.getByLabel('Authorization endpoint').fill('https://sso.internal/a');
      await dialog.getByLabel('Token endpoint').fill('https://sso.internal/t');
      await dialog.getByRole('button', { name: 'Save and sign in' }).click();
      await dialog.getByRole('button', { name: 'Allow sso.internal' }).click();
      await dialog.getByText('The secret that you entered is kept.').waitFor();
      await expect
        .poll(async () => (await calls()).filter(({ call }) => call.endsWith('submitCredentials')))
        .toHaveLength(2);
      const [first, second] = (await calls()).filter(({ call }) => call === 'connection:submitCredentials');
      expect(first?.input).toMatchObject({ clientSecret: secret });
      expect(second?.input).not.toHaveProperty('clientSecret');
      expect(second?.input).toMatchObject({ clientId: 'my-id', options: { allowedHosts: ['sso.internal'] } });
    });
  });

  it('asks for the id before it hands anything over', async () => {
    await withRenderer({ snapshots: asking() }, async ({ page, calls }) => {
      const dialog = await open(page);
      await dialog.getByRole('button', { name: 'Save and sign in' }).click();
      await dialog.getByText('The client ID is needed.').waitFor();
      expect((await calls()).map(({ call }) => call)).not.toContain('connection:submitCredentials');
    });
  });

  it('closes with Esc without ending the sign-in, and opens again', async () => {
    await withRenderer({ snapshots: asking() }, async ({ page, calls }) => {
      const dialog = await open(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect((await calls()).map(({ call }) => call)).not.toContain('connection:cancel');
      await page.getByRole('button', { name: 'Enter app credentials' }).click();
      await dialog.waitFor();
    });
  });
});
