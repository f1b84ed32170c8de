import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { connected, look, runTool, signIn, start } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';

const typedClient = {
  id: 'typed-client',
  secret: 'right-secret-of-the-typed-client',
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
};

test.describe('a service that wants an app', () => {
  test('shows the callback URL first, takes a wrong secret back with its error, and goes on with the right one (spec 2.11)', async ({
    openProgram,
  }) => {
    const { as, mcp } = await startPair({ registration: 'off', typedClients: [typedClient] });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.needsApp)).toBeVisible();
    await start(page, 'Enter app credentials', 'Typed');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    const callback =
      (await dialog.getByText(/^http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback$/u).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect(dialog.getByRole('button', { name: words.common.copied })).toBeVisible();
    expect(await program.window.evaluate(({ clipboard }) => clipboard.readText())).toBe(callback);
    // It is bound already: whoever goes there finds us.
    expect((await fetch(callback)).status).toBe(400);

    await dialog.getByLabel('Client ID').fill(typedClient.id);
    await dialog.getByLabel('Client secret').fill('wrong');
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await signIn(await program.popup(as.origin));

    await expect(dialog.getByText(words.credentials.again(new URL(as.origin).host))).toBeVisible();
    await expect(dialog.getByLabel('Client ID')).toHaveValue(typedClient.id);
    await expect(dialog.getByText(words.credentials.unknownClient.pair)).toBeVisible();
    await expect(dialog.getByText(words.credentials.secretKept, { exact: true })).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(0);
    // The next popup is told from this one by its address alone.
    await expect.poll(() => program.popups().length).toBe(0);
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await expect(dialog.getByLabel('Client secret')).toHaveValue('');
    await dialog.getByLabel('Client secret').fill(typedClient.secret);
    await dialog.getByRole('button', { name: 'Try this' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Typed');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(new Set(requestsTo(as, '/authorize').map(({ query }) => query.get('redirect_uri')))).toEqual(
      new Set([callback]),
    );
  });

  test('offers the form alone where the service refuses to register (spec 7)', async ({ openProgram }) => {
    const { as, mcp } = await startPair({ registration: 'refuse', typedClients: [typedClient] });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Refused');
    const dialog = page.getByRole('dialog');
    await expect(
      dialog.getByText(describeError('DCR_UNSUPPORTED', { host: new URL(as.origin).host, status: 403 }).message),
    ).toBeVisible();
    await expect(dialog.getByRole('button', { name: words.common.tryAgain })).toHaveCount(0);
    await dialog.getByLabel('Client ID').fill(typedClient.id);
    await dialog.getByLabel('Client secret').fill('wrong');
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await signIn(await program.popup(as.origin));
    // A secret that is refused now says nothing else of the registration, which was refused before.
    await expect(dialog.getByText(words.credentials.again(new URL(as.origin).host))).toBeVisible();
    await expect(dialog.getByRole('button', { name: words.common.tryAgain })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByLabel('Client secret').fill(typedClient.secret);
    await dialog.getByRole('button', { name: 'Try this' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Refused');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('offers no second try of a registration that is refused for good, and says that the ID is needed only while it is', async ({
    openProgram,
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
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Refused for good');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Client ID')).toBeVisible();
    await expect(dialog.getByText(words.credentials.tryAgainHint)).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: words.common.tryAgain })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    const needed = dialog.getByText(words.credentials.clientIdMissing);
    await expect(needed).toBeVisible();
    await dialog.getByLabel('Client ID').fill(typedClient.id);
    await expect(needed).toHaveCount(0);
    await dialog.getByLabel('Client secret').fill(typedClient.secret);
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Refused for good');
  });

  test('is tried again while its token endpoint is down, with no word of an app that nobody entered (spec 7)', async ({
    openProgram,
  }) => {
    let down = true;
    const { as, mcp } = await startPair({
      answer: (route, answer) => (route === 'token' && down ? { status: 503, body: 'later' } : answer),
    });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Down');
    await signIn(await program.popup(as.origin));
    const dialog = page.getByRole('dialog');
    const again = dialog.getByRole('button', { name: words.common.tryAgain, exact: true });
    await expect(again).toBeVisible();
    await expect(dialog.getByText(words.credentials.secretKeptText)).toHaveCount(0);
    await expect(page.getByText(words.progress.awaitingCredentials)).toHaveCount(0);
    await expect(page.locator('.integration-row')).toHaveCount(0);
    down = false;
    await again.click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Down');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  test('forgets nothing that was typed when the token endpoint is out of reach, and says where it stopped until that is mended', async ({
    openProgram,
  }) => {
    const closed = await freePort();
    const { as, mcp } = await startPair({
      registration: 'off',
      typedClients: [typedClient],
      metadata: (document) => ({ ...document, token_endpoint: `http://127.0.0.1:${closed}/token` }),
    });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Enter app credentials', 'Typed');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Client ID').fill(typedClient.id);
    await dialog.getByLabel('Client secret').fill(typedClient.secret);
    await dialog.getByText(words.credentials.advanced).click();
    await dialog.getByLabel('How the secret is sent').selectOption('client_secret_post');
    await dialog.getByLabel('The secret ends on').fill('2031-05-31');
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await signIn(await program.popup(as.origin));

    const notice = dialog.getByRole('alert');
    await expect(notice.getByText(`127.0.0.1:${closed}`)).toBeVisible();
    await expect(notice.getByText(words.errors.stages.token)).toBeVisible();
    await expect(dialog.getByLabel('Client ID')).toHaveValue(typedClient.id);
    await expect(dialog.getByText(words.credentials.secretKept, { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('How the secret is sent')).toHaveValue('client_secret_post');
    await expect(dialog.getByLabel('The secret ends on')).toHaveValue('2031-05-31');
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await expect(page.getByText(`127.0.0.1:${closed}`)).toBeVisible();
  });
});
