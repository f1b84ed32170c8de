import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { closePopup, connected, look, runTool, signIn, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const redirectUris = ['http://127.0.0.1/integration/oauth/callback'];
const typedClient = { id: 'typed-client', secret: 'first-secret-of-the-client', redirectUris };

/** Every row of the error table in the spec (7) has a message and a remedy button. */
test.describe('the errors of the spec', () => {
  test('an advertised sign-in service without metadata, or down, is reported with the alternatives', async ({
    openPostern,
  }) => {
    let path = '/none';
    const { as } = await startPair({
      intercept: (_request, response) => {
        if (path !== '') return false;
        response.writeHead(503).end();
        return true;
      },
    });
    const mcp = await startResource(as, {
      metadata: (document) => ({ ...document, authorization_servers: [`${as.origin}${path}`] }),
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    const verdict = page.locator('.verdict');
    await expect(verdict.getByText(words.connect.namedService(new URL(as.origin).host))).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add with this key' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Use these addresses' })).toBeVisible();
    // It would lead back here: endpoints are for servers that name no service.
    await expect(page.getByRole('button', { name: 'Try the standard addresses' })).toHaveCount(0);
    path = '';
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(verdict.getByText(words.connect.namedServiceDown(new URL(as.origin).host))).toBeVisible();
    expect(postern.popups()).toEqual([]);
  });

  test('an address that does not respond is reported before any sign-in page opens', async ({ openPostern }) => {
    const closedPort = await freePort();
    const postern = await openPostern();
    const { page } = postern;
    await look(page, `http://127.0.0.1:${closedPort}/mcp`);
    const notice = page.getByRole('alert');
    await expect(notice.getByText(words.errors.stages.probe)).toBeVisible();
    await expect(notice.getByRole('button', { name: 'Try again' })).toBeVisible();
    await notice.getByRole('button', { name: 'Change address' }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(`http://127.0.0.1:${closedPort}/mcp`);
    expect(postern.popups()).toEqual([]);
  });

  test('a missing registration endpoint leads to the client ID form before any sign-in page', async ({
    openPostern,
  }) => {
    const { mcp } = await startPair({ registration: 'off' });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.needsOAuthApp)).toBeVisible();
    await start(page, 'enterClientId');
    const card = page.locator('.connect-card');
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await expect(card.getByText(words.credentials.clientIdMissing)).toBeVisible();
    await card.getByLabel('Client ID').press('a');
    await expect(card.getByText(words.credentials.clientIdMissing)).toHaveCount(0);
    expect(postern.popups()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(card.getByLabel('Client ID')).toHaveValue('a');
    await card.getByRole('button', { name: words.common.cancel, exact: true }).click();
    await page.getByRole('button', { name: words.errors.actions.dismiss }).click();
    await expect(page.getByText(words.connect.firstIntro)).toBeVisible();
  });

  test('a callback with a foreign state is rejected on Postern’s page, and the sign-in continues', async ({
    openPostern,
  }) => {
    const { as, mcp } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Field notes');
    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    const callback = requestsTo(as, '/authorize')[0]?.query.get('redirect_uri') ?? '';
    const forged = await fetch(`${callback}?code=forged&state=forged`);
    expect(forged.status).toBe(400);
    expect(await forged.text()).not.toContain('forged');
    await page.getByText(words.signIn.trouble).click();
    await page.getByLabel(words.signIn.pasteLabel).fill(`${callback}?code=forged&state=forged`);
    await page.getByRole('button', { name: 'Use this address' }).click();
    await expect(page.getByText(words.signIn.pasteVerdict['not-valid'])).toBeVisible();
    await signIn(popup);
    await connected(page, 'Field notes');
  });

  test('a rejected redirect URI is explained in the service’s window, and Postern offers a remedy', async ({
    openPostern,
  }) => {
    const elsewhere = { ...typedClient, redirectUris: ['http://127.0.0.1/elsewhere'] };
    const { as, mcp } = await startPair({ registration: 'off', typedClients: [elsewhere] });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'enterClientId', 'Elsewhere');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(elsewhere.id);
    await card.getByLabel('Client secret').fill(elsewhere.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    const popup = await postern.popup(as.origin);
    await expect(popup.getByText('redirect_uri').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: words.signIn.inPopup.title })).toBeVisible();
    closePopup(popup);
    const notice = page.getByRole('alert');
    await expect(notice.getByText(describeError('USER_CANCELLED', { work: 'oauthApp' }).message)).toBeVisible();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(card.getByLabel('Client ID')).toBeVisible();
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  test('a client secret changed at the service is replaced, and the server stays in the list', async ({
    openPostern,
  }) => {
    let changed = false;
    const { as, mcp } = await startPair(
      {
        registration: 'off',
        typedClients: [typedClient, { ...typedClient, id: 'client-after-the-change', secret: 'second-secret' }],
        answer: (route, response, request) => {
          if (route !== 'token' || !changed) return response;
          if (authenticatedAs(request) === typedClient.id) return { status: 401, body: { error: 'invalid_client' } };
          // The new client’s tokens work at once.
          changed = false;
          return response;
        },
      },
      { reject: () => changed },
    );
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'enterClientId', 'Typed');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(typedClient.id);
    await card.getByLabel('Client secret').fill(typedClient.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Typed');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');

    changed = true;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const state = page.locator('.integration-state');
    await expect(state.getByText(describeError('CLIENT_REJECTED', {}).message)).toBeVisible();
    await state.getByRole('button', { name: 'Sign in again' }).click();
    // A sign-in page would be useless now.
    await expect(card.getByText(words.credentials.unknownClient.pair)).toBeVisible();
    expect(postern.popups()).toEqual([]);
    await card.getByLabel('Client ID').fill('client-after-the-change');
    // The old secret belonged to the old ID.
    await card.getByLabel('Client secret').fill('second-secret');
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await expect(card).toHaveCount(0);
    await expect(state.getByText(words.status.ready)).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(1);
  });
});

/** Of a token request: from its form, or from its Basic header. */
function authenticatedAs(request: { headers: { authorization?: string | undefined }; body?: object } | undefined) {
  const { client_id: fromForm } = (request?.body ?? {}) as { client_id?: string };
  const [, basic = ''] = request?.headers.authorization?.split(' ') ?? [];
  return fromForm ?? decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':')[0] ?? '');
}
