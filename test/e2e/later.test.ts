import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { answerQuestions } from './kit/answer-questions.ts';
import { openProgram, profileWith, runtime } from './kit/open-program.ts';
import { choose, connect, connected, look, openTab, runTool, signIn, start } from './kit/person.ts';

const kept = (profile: string) =>
  (JSON.parse(readFileSync(path.join(profile, 'config.json'), 'utf8')) as { integrations: { name: string }[] })
    .integrations;

describe(`what is connected, ${runtime}`, () => {
  it('asks to sign in again when the access was withdrawn, and works after that (spec 7)', async () => {
    let withdrawn = false;
    const { as, mcp } = await startPair(
      {
        answer: (route, answer, request) =>
          route === 'token' && withdrawn && request?.body?.['grant_type'] === 'refresh_token'
            ? { status: 400, body: { error: 'invalid_grant' } }
            : answer,
      },
      { reject: () => withdrawn },
    );
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    withdrawn = true;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const state = page.locator('.integration-state');
    await state.getByText('Sign in again').first().waitFor();
    await page.locator('.integration-row').getByText('Sign in again').waitFor();
    // Nothing opens by itself.
    expect(program.popups()).toEqual([]);
    await state.getByRole('button', { name: 'Sign in again' }).click();
    withdrawn = false;
    await signIn(await program.popup(as.origin));
    await state.getByText('Ready').waitFor();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    expect(kept(program.profile)).toHaveLength(1);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  it('signs out, keeps the server in the list, and signs in again', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    await openTab(page, 'Account');
    await answerQuestions(program, 'yes');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out; the sign-in was deleted from this computer.').waitFor();
    await page.getByText('The service has ended the access.').waitFor();
    expect(requestsTo(as, '/revoke').length).toBeGreaterThan(0);
    await page.locator('.integration-state').getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn(await program.popup(as.origin));
    await page.locator('.integration-state').getByText('Ready').waitFor();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  it('is removed: here first, then at the service (RFC 7009, RFC 7592)', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    await openTab(page, 'Remove');
    await answerQuestions(program, 'yes');
    await page.getByRole('button', { name: 'Remove this server' }).click();
    await page.getByText('Field notes was removed from this computer.').waitFor();
    await page.getByText('The service has ended the access.').waitFor();
    await page.getByText('The registration there is deleted.').waitFor();
    await page.getByText('No servers yet.').waitFor();
    expect(kept(program.profile)).toEqual([]);
    expect(await program.close()).toBe(0);
    const again = await openProgram({ profile: program.profile });
    await again.page.getByText('No servers yet.').waitFor();
  });

  it('goes with all data, and the program is as at its first start (KC-15)', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page, profile } = program;
    await connect(program, as, mcp.url, 'Field notes');
    const ours = (): string[] =>
      readdirSync(profile).filter((name) => /^(?:config|vault)/.test(name) || name === 'logs');
    expect(ours()).toEqual(expect.arrayContaining(['config.json', 'vault']));
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await answerQuestions(program, 'yes');
    await page.getByRole('button', { name: 'Delete all data…' }).click();
    await page.getByText('1 sign-in removed from the keychain.').waitFor();
    await page.getByText('The services have ended the access of 1 sign-in.').waitFor();
    await page.getByText('No servers yet.').waitFor();
    expect(ours()).toEqual([]);
    // The same window goes on from there, with a key of its own.
    await connect(program, as, mcp.url, 'Field notes again');
    expect(ours()).toEqual(expect.arrayContaining(['config.json', 'vault']));
  });

  it('is removed offline, and says what could not be done', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    await as.close();
    await openTab(page, 'Remove');
    await answerQuestions(program, 'yes');
    await page.getByRole('button', { name: 'Remove this server' }).click();
    await page.getByText('Field notes was removed from this computer.').waitFor();
    await page.getByText('The service could not be told to end the access; it ends by itself.').waitFor();
    expect(kept(program.profile)).toEqual([]);
  });

  it('signs in to a server that asked nobody for it until today (spec 2.1)', async () => {
    const openMethods = ['initialize', 'notifications/initialized', 'server/discover', 'tools/list', 'tools/call'];
    const { as, mcp } = await startPair(
      {},
      {
        openMethods,
        intercept(request, response) {
          const hidden = openMethods.length > 0 && request.url?.startsWith('/.well-known/') === true;
          if (hidden) response.writeHead(404).end();
          return hidden;
        },
      },
    );
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await page.getByText('No sign-in needed.').waitFor();
    await start(page, 'Add', 'Open so far');
    await connected(page, 'Open so far');
    expect(await runTool(page, 'Who am I?')).toContain('a guest');

    openMethods.length = 0;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.integration-state').getByRole('button', { name: 'Sign in' }).click();
    await signIn(await program.popup(as.origin));
    await page.locator('.integration-state').getByText('Ready').waitFor();
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  it('takes a key for a server that wants to be signed in to and does not say how, and keeps it from the window', async () => {
    const key = 'key-that-the-service-showed';
    const mcp = await startResource(undefined, {
      intercept(request, response) {
        const refused = request.headers['x-api-key'] !== key;
        if (refused) response.writeHead(401).end();
        return refused;
      },
    });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await page.getByText('The server wants a sign-in, but does not say how.').waitFor();
    await page.getByRole('button', { name: 'Try the usual addresses' }).waitFor();
    await page.getByLabel('Header').fill('X-Api-Key');
    await page.getByLabel('Key', { exact: true }).fill('mistyped');
    await page.getByRole('button', { name: 'Add with this key' }).click();
    await page.getByText('It stopped while talking to the server.').waitFor();
    expect(await page.locator('.integration-row').count()).toBe(0);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByLabel('Header').fill('X-Api-Key');
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Add with this key' }).click();
    await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
    expect(await runTool(page, 'Who am I?')).toContain('a guest');
    expect(program.popups()).toEqual([]);
    const crossed = (await program.traffic()).filter(({ text }) => text.includes(key));
    expect(crossed.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(['ask connection:start']);
  });

  it('stays quick to find among 1,000', async () => {
    const program = await openProgram({ profile: profileWith(1_000) });
    const { page } = program;
    await page.getByText('1,000 servers').waitFor();
    await page.getByText('100 need you').waitFor();
    expect(await page.locator('.integration-row').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('server 77');
    await page.getByText('19 of 1,000').waitFor();
    await choose(page, 'Server 777');
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
    const list = page.getByRole('listbox', { name: 'Connected servers' });
    await list.focus();
    await page.keyboard.press('End');
    await page.getByRole('option', { selected: true }).waitFor();
    await page.getByRole('button', { name: '100 need you' }).click();
    await page.getByText('100 of 1,000').waitFor();
  });
});
