import { describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { openProgram, runtime } from './kit/open-program.ts';
import { connected, look, runTool, signIn, start } from './kit/person.ts';

const redirectUris = ['http://127.0.0.1/integration/oauth/callback'];
const typedClient = { id: 'typed-client', secret: 'first-secret-of-the-client', redirectUris };

/** Every row of the table of errors in the spec (7) has a sentence of ours and a button that leads out. */
describe(`the errors of the spec, ${runtime}`, () => {
  it('sign-in metadata cannot be had: no sign-in page, and the three ways that are left', async () => {
    const { as } = await startPair();
    const mcp = await startResource(as, {
      metadata: (document) => ({ ...document, authorization_servers: [`${as.origin}/none`] }),
    });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await page.getByText('The server wants a sign-in, but does not say how.').waitFor();
    await page.getByRole('button', { name: 'Try the usual addresses' }).waitFor();
    await page.getByRole('button', { name: 'Add with this key' }).waitFor();
    await page.getByRole('button', { name: 'Use these addresses' }).waitFor();
    expect(program.popups()).toEqual([]);
  });

  it('nobody answers at the address: it says that it stopped there, so no sign-in page was opened', async () => {
    const program = await openProgram();
    const { page } = program;
    await look(page, `http://127.0.0.1:${closedPort}/mcp`);
    const notice = page.getByRole('alert');
    await notice.getByText('so no sign-in page was opened').waitFor();
    await notice.getByRole('button', { name: 'Try again' }).waitFor();
    await notice.getByRole('button', { name: 'Change the address' }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(`http://127.0.0.1:${closedPort}/mcp`);
    expect(program.popups()).toEqual([]);
  });

  it('there is no registration endpoint: the form for an app, before any sign-in page', async () => {
    const { mcp } = await startPair({ registration: 'off' });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await page.getByText('You sign in, with an app that you create at the service first.').waitFor();
    await start(page, 'Enter app credentials');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await dialog.getByText('The client ID is needed.').waitFor();
    expect(program.popups()).toEqual([]);
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('needs a client ID from you.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Connect your first server' }).waitFor();
  });

  it('a state that is not ours comes back: it is refused with a page of ours, and the sign-in goes on', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Field notes');
    const popup = await program.popup(as.origin);
    await popup.getByLabel('User name').waitFor();
    const callback = requestsTo(as, '/authorize')[0]?.query.get('redirect_uri') ?? '';
    const forged = await fetch(`${callback}?code=forged&state=forged`);
    expect(forged.status).toBe(400);
    expect(await forged.text()).not.toContain('forged');
    await page.getByText('Did the browser end on a page that does not load?').click();
    await page.getByLabel('Address that you landed on').fill(`${callback}?code=forged&state=forged`);
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByText('That is not the answer to this sign-in.').waitFor();
    await signIn(popup);
    await connected(page, 'Field notes');
  });

  it('the service refuses our redirect address: it says so in its window, and ours leads out', async () => {
    const elsewhere = { ...typedClient, redirectUris: ['http://127.0.0.1/elsewhere'] };
    const { as, mcp } = await startPair({ registration: 'off', typedClients: [elsewhere] });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Enter app credentials', 'Elsewhere');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Client ID').fill(elsewhere.id);
    await dialog.getByLabel('Client secret').fill(elsewhere.secret);
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    const popup = await program.popup(as.origin);
    await popup.getByText('redirect_uri').first().waitFor();
    await page.getByRole('heading', { name: 'Sign in at 127.0.0.1' }).waitFor();
    await popup.close();
    const notice = page.getByRole('alert');
    await notice.getByText('Cancelled. Nothing was saved.').waitFor();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByLabel('Client ID').waitFor();
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  it('the client secret was changed at the service: a new one is typed, and the server stays in the list', async () => {
    let changed = false;
    const { as, mcp } = await startPair(
      {
        registration: 'off',
        typedClients: [typedClient, { ...typedClient, id: 'client-after-the-change', secret: 'second-secret' }],
        answer: (route, answer, request) =>
          route === 'token' && changed && authenticatedAs(request) === typedClient.id
            ? { status: 401, body: { error: 'invalid_client' } }
            : answer,
      },
      { reject: () => changed },
    );
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Enter app credentials', 'Typed');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Client ID').fill(typedClient.id);
    await dialog.getByLabel('Client secret').fill(typedClient.secret);
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Typed');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');

    changed = true;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const state = page.locator('.integration-state');
    await state.getByText('The sign-in service does not accept this client ID or client secret.').waitFor();
    await state.getByRole('button', { name: 'Sign in again' }).click();
    // A sign-in page would be for nothing now.
    await dialog.getByText('The service does not know this ID with this secret.').waitFor();
    expect(program.popups()).toEqual([]);
    await dialog.getByLabel('Client ID').fill('client-after-the-change');
    // The earlier secret was for the earlier id.
    await dialog.getByLabel('Client secret').fill('second-secret');
    await dialog.getByRole('button', { name: 'Try this' }).click();
    await signIn(await program.popup(as.origin));
    await dialog.waitFor({ state: 'detached' });
    changed = false;
    await state.getByText('Ready').waitFor();
    expect(await page.locator('.integration-row').count()).toBe(1);
  });
});

const closedPort = await freePort();

/** Of a token request: from its form, or from its Basic header. */
function authenticatedAs(request: { headers: { authorization?: string | undefined }; body?: object } | undefined) {
  const { client_id: fromForm } = (request?.body ?? {}) as { client_id?: string };
  const [, basic = ''] = request?.headers.authorization?.split(' ') ?? [];
  return fromForm ?? decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':')[0] ?? '');
}
