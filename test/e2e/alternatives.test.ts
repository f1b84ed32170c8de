import { words } from '../../renderer/words.ts';
import { requestsTo, startPair, startResource, startServer } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import {
  closePopup,
  connected,
  enterName,
  look,
  openAnotherWay,
  openDetails,
  runTool,
  signIn,
  start,
  tabTo,
} from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const redirectUris = ['http://127.0.0.1/integration/oauth/callback'];
const own = { id: 'own-app', secret: 'secret-of-the-own-app', redirectUris };

test.describe('an alternative to the proposal', () => {
  test('an OAuth app can be used by keyboard where Postern could register itself', async ({ openPostern }) => {
    const { as, mcp } = await startPair({ typedClients: [own] });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await enterName(page, 'Field notes');
    await openAnotherWay(page);
    await tabTo(page, page.getByRole('button', { name: 'Use my own OAuth app' }));
    await page.keyboard.press('Enter');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(own.id);
    await card.getByLabel('Client secret').fill(own.secret);
    await page.keyboard.press('Enter');
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(requestsTo(as, '/register')).toEqual([]);
  });

  test('other permissions are requested if the service rejects some, under the same name', async ({ openPostern }) => {
    const { as, mcp } = await startPair({
      intercept(request, response) {
        const { pathname, searchParams } = new URL(request.url ?? '', 'http://as.example');
        if (pathname !== '/authorize' || searchParams.get('scope')?.includes('notes:write') !== true) return false;
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('error', 'invalid_scope');
        back.searchParams.set('state', searchParams.get('state') ?? '');
        back.searchParams.set('iss', `http://${request.headers.host}`);
        response.writeHead(302, { location: back.href }).end();
        return true;
      },
    });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'signIn', 'Field notes');
    await page.getByRole('alert').getByRole('button', { name: 'Request other permissions' }).click();
    await page.getByRole('button', { name: 'notes:write' }).click();
    await page.getByRole('button', { name: 'Sign in with these' }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Field notes');
    expect(requestsTo(as, '/authorize').at(-1)?.query.get('scope')).not.toContain('notes:write');
  });

  test('wrong typed endpoints, and the name, can be corrected', async ({ openPostern }) => {
    const { as, mcp } = await startPair({ typedClients: [own] });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await enterName(page, 'Field notes');
    await openAnotherWay(page);
    await page.getByRole('button', { name: 'Enter the addresses myself' }).click();
    const [authorization, token] = [page.getByLabel('Authorization endpoint'), page.getByLabel('Token endpoint')];
    await expect(authorization).toBeFocused();
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    await authorization.fill(`${as.origin}/authorize`);
    await token.fill(`${nowhere}/token`);
    await page.getByRole('button', { name: 'Use these addresses' }).click();
    await start(page, 'enterClientId');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(own.id);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    closePopup(await postern.popup(as.origin));
    // Until the sign-in has ended, the same button belongs to the previous page.
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByRole('button', { name: 'Enter the addresses myself' }).click();
    await expect(token).toHaveValue(`${nowhere}/token`);
    await token.fill(`${as.origin}/token`);
    await page.getByRole('button', { name: 'Use these addresses' }).click();
    await openDetails(page);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Field notes');
  });

  test('typed endpoints and an OAuth app are accepted for a server that does not ask for sign-in', async ({
    openPostern,
  }) => {
    const [as, mcp] = [await startServer({ typedClients: [own] }), await startResource(undefined)];
    const { page } = await openPostern();
    await look(page, mcp.url);
    await openAnotherWay(page);
    await page.getByRole('button', { name: 'Enter the addresses myself' }).click();
    await page.getByLabel('Authorization endpoint').fill(`${as.origin}/authorize`);
    await page.getByLabel('Token endpoint').fill(`${as.origin}/token`);
    await page.getByRole('button', { name: 'Use these addresses' }).click();
    await start(page, 'enterClientId', 'Open notes');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(own.id);
    await card.getByLabel('Client secret').fill(own.secret);
    await page.keyboard.press('Enter');
    await expect.poll(() => requestsTo(as, '/authorize').at(0)?.query.get('client_id')).toBe(own.id);
  });

  test('a key is accepted for a server that rejects requests without mentioning sign-in', async ({ openPostern }) => {
    const mcp = await startResource(undefined, {
      intercept(request, response) {
        if (request.headers['x-notes-key'] === 'the-key') return false;
        response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"missing key"}');
        return true;
      },
    });
    const { page } = await openPostern();
    await look(page, mcp.url);
    await page.getByRole('button', { name: 'Use an API key instead' }).click();
    await page.getByLabel('Header').fill('X-Notes-Key');
    await page.getByLabel('Key', { exact: true }).fill('the-key');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: words.apps.connected.open }).click();
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
  });

  test('a rejected key can be replaced for the same header after a sign-in was offered', async ({ openPostern }) => {
    const { mcp } = await startPair();
    const { page } = await openPostern();
    await look(page, mcp.url);
    await openAnotherWay(page);
    await page.getByRole('button', { name: 'Use an API key instead' }).click();
    await page.getByLabel('Header').fill('X-Notes-Key');
    await page.getByLabel('Key', { exact: true }).fill('not-a-key');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('button', { name: 'Use an API key instead' }).click();
    await expect(page.getByLabel('Key', { exact: true })).toBeFocused();
    await expect(page.getByLabel('Header')).toHaveValue('X-Notes-Key');
    await page.getByRole('button', { name: 'Check again' }).click();
    // The rejected key does not replace the sign-in.
    await start(page, 'signIn');
    await expect(page.getByRole('heading', { name: words.signIn.inPopup.title })).toBeVisible();
  });
});
