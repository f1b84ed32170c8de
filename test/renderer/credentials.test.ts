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
    const error = anError({ code: 'CLIENT_REJECTED', stage: 'token', message: 'Not accepted.' });
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
    const error = anError({ code: 'AS_ERROR', stage: 'callback', message: 'invalid_request' });
    await withRenderer({ snapshots: asking({ error }) }, async ({ page }) => {
      const dialog = await open(page);
      await dialog.getByLabel('How the secret is sent').waitFor();
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
