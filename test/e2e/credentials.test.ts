import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { connected, look, runTool, signIn, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const typedClient = {
  id: 'typed-client',
  secret: 'right-secret-of-the-typed-client',
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
};

test.describe('a service that needs an OAuth app', () => {
  test('shows the callback URL first, reopens with a wrong secret’s error, and continues with the right one (spec 2.11)', async ({
    openPostern,
  }) => {
    const { as, mcp } = await startPair({ registration: 'off', typedClients: [typedClient] });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.needsOAuthApp)).toBeVisible();
    await start(page, 'enterClientId', 'Typed');
    const card = page.locator('.connect-card');
    await expect(card).toBeVisible();
    const callback =
      (await card.getByText(/^http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback$/u).textContent()) ?? '';
    await card.getByRole('button', { name: 'Copy' }).click();
    await expect(card.getByRole('button', { name: words.common.copied })).toBeVisible();
    expect(await postern.window.evaluate(({ clipboard }) => clipboard.readText())).toBe(callback);
    // The port is already bound.
    expect((await fetch(callback)).status).toBe(400);

    await card.getByLabel('Client ID').fill(typedClient.id);
    await card.getByLabel('Client secret').fill('wrong');
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));

    await expect(card.getByText(words.credentials.again(new URL(as.origin).host))).toBeVisible();
    await expect(card.getByLabel('Client ID')).toHaveValue(typedClient.id);
    await expect(card.getByText(words.credentials.unknownClient.pair)).toBeVisible();
    await expect(card.getByText(words.credentials.secretStored, { exact: true })).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(0);
    // The next popup differs from this one only in its address.
    await expect.poll(() => postern.popups().length).toBe(0);
    await card.getByRole('button', { name: 'Replace' }).click();
    await expect(card.getByLabel('Client secret')).toHaveValue('');
    await card.getByLabel('Client secret').fill(typedClient.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Typed');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(new Set(requestsTo(as, '/authorize').map(({ query }) => query.get('redirect_uri')))).toEqual(
      new Set([callback]),
    );
  });

  test('shows only the form if the service rejects registration (spec 7)', async ({ openPostern }) => {
    const { as, mcp } = await startPair({ registration: 'refuse', typedClients: [typedClient] });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Refused');
    const card = page.locator('.connect-card');
    await expect(
      card.getByText(describeError('DCR_UNSUPPORTED', { host: new URL(as.origin).host, status: 403 }).message),
    ).toBeVisible();
    await expect(card.getByRole('button', { name: words.common.tryAgain, exact: true })).toHaveCount(0);
    await card.getByLabel('Client ID').fill(typedClient.id);
    await card.getByLabel('Client secret').fill('wrong');
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    // A rejected secret does not change the message about the rejected registration.
    await expect(card.getByText(words.credentials.again(new URL(as.origin).host))).toBeVisible();
    await expect(card.getByRole('button', { name: words.common.tryAgain, exact: true })).toHaveCount(0);
    await card.getByRole('button', { name: 'Replace' }).click();
    await card.getByLabel('Client secret').fill(typedClient.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Refused');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('offers no retry of a permanently rejected registration, and asks for the ID only while needed', async ({
    openPostern,
  }) => {
    const { as, mcp } = await startPair({
      typedClients: [typedClient],
      intercept({ url }, response) {
        if (url !== '/register') return false;
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: 'invalid_redirect_uri', error_description: 'no loopback here' }));
        return true;
      },
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Refused for good');
    const card = page.locator('.connect-card');
    await expect(card.getByLabel('Client ID')).toBeVisible();
    await expect(card.getByText(words.credentials.tryAgainHint)).toHaveCount(0);
    await expect(card.getByRole('button', { name: words.common.tryAgain, exact: true })).toHaveCount(0);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    const needed = card.getByText(words.credentials.clientIdMissing);
    await expect(needed).toBeVisible();
    await card.getByLabel('Client ID').fill(typedClient.id);
    await expect(needed).toHaveCount(0);
    await card.getByLabel('Client secret').fill(typedClient.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Refused for good');
  });

  test('can be retried while its token endpoint is down, without mention of an OAuth app (spec 7)', async ({
    openPostern,
  }) => {
    let down = true;
    const { as, mcp } = await startPair({
      answer: (route, response) => (route === 'token' && down ? { status: 503, body: 'later' } : response),
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Down');
    await signIn(await postern.popup(as.origin));
    const card = page.locator('.connect-card');
    const again = card.getByRole('button', { name: words.common.tryAgain, exact: true });
    await expect(again).toBeVisible();
    await expect(card.getByText(words.credentials.secretStoredText)).toHaveCount(0);
    await expect(page.getByText(words.progress.awaitingCredentials)).toHaveCount(0);
    await expect(page.locator('.integration-row')).toHaveCount(0);
    down = false;
    await again.click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Down');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('keeps typed input while the token endpoint is unreachable, and says where it stopped until it works again', async ({
    openPostern,
  }) => {
    const closed = await freePort();
    const { as, mcp } = await startPair({
      registration: 'off',
      typedClients: [typedClient],
      metadata: (document) => ({ ...document, token_endpoint: `http://127.0.0.1:${closed}/token` }),
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'enterClientId', 'Typed');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(typedClient.id);
    await card.getByLabel('Client secret').fill(typedClient.secret);
    await card.getByText(words.credentials.advanced).click();
    await card.getByLabel('How the secret is sent').selectOption('client_secret_post');
    await card.getByLabel('Secret expires on').fill('2031-05-31');
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));

    const notice = card.getByRole('alert');
    await expect(notice.getByText(`127.0.0.1:${closed}`)).toBeVisible();
    await expect(notice.getByText(words.errors.stages.token)).toBeVisible();
    await expect(card.getByLabel('Client ID')).toHaveValue(typedClient.id);
    await expect(card.getByText(words.credentials.secretStored, { exact: true })).toBeVisible();
    await expect(card.getByLabel('How the secret is sent')).toHaveValue('client_secret_post');
    await expect(card.getByLabel('Secret expires on')).toHaveValue('2031-05-31');
  });
});
