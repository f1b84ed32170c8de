import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { Program } from './kit/open-program.ts';
import {
  choose,
  connected,
  connect,
  look,
  lookForSecondAccount,
  openTab,
  runTool,
  signIn,
  start,
} from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';

// What a trace keeps of a page, the page itself has to hold for a while: here it must not hold a secret.
test.use({ trace: 'off' });

const typedClient = {
  id: 'typed-client',
  secret: 'typed-secret-3f9c1e7a5b',
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
};

const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** A service whose every secret is known: what it gave out, what was shown to it. */
async function startWatched(options: AuthorizationServerOptions = {}) {
  const given: string[] = [];
  const secretFields = ['access_token', 'refresh_token', 'client_secret', 'registration_access_token', 'id_token'];
  const pair = await startPair({
    ...options,
    answer(route, answer) {
      const body = answer.body as Record<string, unknown> | undefined;
      given.push(...secretFields.flatMap((field) => textOf(body?.[field])));
      return answer;
    },
  });
  const shown = (): string[] => [
    ...requestsTo(pair.as, '/authorize').flatMap(({ query }) => [query.get('state') ?? '', query.get('nonce') ?? '']),
    ...requestsTo(pair.as, '/token').flatMap(({ body }) =>
      ['code', 'code_verifier', 'client_secret'].flatMap((field) => textOf(body?.[field])),
    ),
  ];
  return { ...pair, secrets: () => [...new Set([...given, ...shown()])].filter((secret) => secret.length > 8) };
}

const found = (secrets: readonly string[], text: string): string[] => secrets.filter((secret) => text.includes(secret));

/**
 * Everything that the page's process holds, after what is not used any more has been thrown away: stores, caches,
 * forms.
 */
async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false, captureNumericValue: false });
  await session.detach();
  return chunks.join('');
}

/** What the page keeps beyond itself, and what it shows. */
async function storesOf(page: Page): Promise<string> {
  return await page.evaluate(async () =>
    JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
      { ...localStorage },
      { ...sessionStorage },
      await indexedDB.databases(),
      await caches.keys(),
      document.cookie,
    ]),
  );
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

async function lookEverywhere(program: Program, name: string): Promise<void> {
  const { page } = program;
  await choose(page, name);
  for (const tab of ['Overview', 'Activity', 'Settings', 'Tools'] as const) await openTab(page, tab);
  await openTab(page, 'Activity');
  await expect(page.getByRole('button', { name: 'POST' }).or(page.locator('.sequence')).first()).toBeVisible();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
}

test.describe('no secret in the window', () => {
  test('has none of a registration, a sign-in and a refresh in pages, stores, memory, messages, clipboard, titles or open files (IP-08, IP-09, IP-18)', async ({
    openProgram,
  }) => {
    const { as, mcp, secrets } = await startWatched();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    await openTab(page, 'Overview');
    await page.getByText(words.account.details, { exact: true }).click();
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await expect(page.getByText(words.account.refreshed)).toBeVisible();
    await openTab(page, 'Activity');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await lookEverywhere(program, 'Field notes');

    // Two access tokens, two refresh tokens, a client secret, what manages it, state, code and verifier.
    expect(secrets().length).toBeGreaterThanOrEqual(9);
    const traffic = await program.traffic();
    expect(traffic.length).toBeGreaterThan(10);
    expect(found(secrets(), JSON.stringify(traffic))).toEqual([]);
    expect(found(secrets(), await storesOf(page))).toEqual([]);
    const heap = await heapOf(page);
    expect(heap).toContain('Field notes');
    expect(found(secrets(), heap)).toEqual([]);
    expect(found(secrets(), await program.window.evaluate(({ clipboard }) => clipboard.readText()))).toEqual([]);
    expect(found(secrets(), program.window.output())).toEqual([]);
    const titles = await program.window.evaluate(({ BaseWindow }) =>
      BaseWindow.getAllWindows().map((one) => one.getTitle()),
    );
    expect(found(secrets(), titles.join('\n'))).toEqual([]);

    expect(await program.close()).toBe(0);
    const files = filesUnder(program.profile);
    expect(files.map((file) => path.basename(file))).toContain('vault');
    for (const file of files) expect(found(secrets(), readFileSync(file, 'latin1'))).toEqual([]);
  });

  test('takes a typed secret to main once, and forgets it where it was typed (spec 2.11)', async ({ openProgram }) => {
    const { as, mcp } = await startWatched({ registration: 'off', typedClients: [typedClient] });
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Enter app credentials', 'Typed');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Client ID').fill(typedClient.id);
    await dialog.getByLabel('Client secret').fill(typedClient.secret);
    expect(await heapOf(page)).toContain(typedClient.secret);
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Typed');
    const crossed = (await program.traffic()).filter(({ text }) => text.includes(typedClient.secret));
    expect(crossed.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(['ask connection:submitCredentials']);
    expect(await storesOf(page)).not.toContain(typedClient.secret);
    await expect.poll(() => heapOf(page)).not.toContain(typedClient.secret);
    expect(await program.close()).toBe(0);
    for (const file of filesUnder(program.profile))
      expect(readFileSync(file, 'latin1')).not.toContain(typedClient.secret);
  });

  test('is told of by no error that nobody caught, and the program goes on (IP-16)', async ({ openProgram }) => {
    const program = await openProgram();
    await program.window.evaluate(() => {
      const error = (): Error => new TypeError('Headers.append: "Bearer canary-token-4b1f" is an invalid header value');
      setTimeout(() => void Promise.reject(error()));
      setTimeout(() => {
        throw error();
      });
    });
    const logs = path.join(program.profile, 'logs');
    const log = (): string =>
      (existsSync(logs) ? filesUnder(logs) : []).map((file) => readFileSync(file, 'utf8')).join('');
    const kinds = () => [...log().matchAll(/"type":"(uncaughtException|unhandledRejection)"/g)].map(([, kind]) => kind);
    await expect.poll(() => new Set(kinds())).toEqual(new Set(['uncaughtException', 'unhandledRejection']));
    expect(log()).not.toContain('canary');
    expect(JSON.stringify(await program.traffic()) + (await storesOf(program.page))).not.toContain('canary');
    await program.page.getByLabel('Server address').fill('https://mcp.example.com/');
    expect(await program.close()).toBe(0);
  });

  test('gives a hostile script of the page nothing by any call that there is (IP-04)', async ({ openProgram }) => {
    const { as, mcp, secrets } = await startWatched();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    const answers = await page.evaluate(async () => {
      type Call = (input: unknown) => Promise<unknown>;
      const { postern } = window as unknown as { postern: Record<string, Record<string, Call> | Call> };
      const seen: unknown[] = [Object.keys(postern)];
      // What comes back is asked for again with the ids that it holds.
      const first = (await (postern['app'] as Record<string, Call>)['snapshots']?.({})) as {
        value: { integrations: { id: string }[] };
      };
      const [{ id } = { id: '' }] = first.value.integrations;
      for (const [group, calls] of Object.entries(postern)) {
        if (typeof calls === 'function') continue;
        for (const [verb, call] of Object.entries(calls)) {
          // Asked of the person, or the end of what is looked at here.
          const left = [
            'signOut',
            'remove',
            'deleteEverything',
            'signInAgain',
            'switchAccount',
            'openLogs',
            'openFile',
            'chooseCertificateFile',
            'export',
            'import',
          ];
          if (left.includes(verb)) continue;
          const run = crypto.randomUUID();
          for (const input of [
            {},
            { id },
            { id, call: run, name: 'whoami', arguments: {} },
            { id, call: run, uri: 'notes://all' },
          ]) {
            seen.push(`${group}:${verb}`, await call(input).catch((error: unknown) => String(error)));
          }
        }
      }
      return JSON.stringify(seen);
    });
    expect(answers).toContain('Demo User');
    expect(found(secrets(), answers)).toEqual([]);
    // What this page has in its window beyond what every page has: the api, and what the bundle notes there.
    const namesOf = (other: Page): Promise<string[]> => other.evaluate(() => Object.getOwnPropertyNames(window));
    await lookForSecondAccount(page, mcp.url);
    await start(page, 'Add and sign in', 'Again');
    const everywhere = await namesOf(await program.popup(as.origin));
    const own = (await namesOf(page)).filter((name) => !everywhere.includes(name) && !name.startsWith('__zod_'));
    expect(own).toEqual(['postern']);
  });
});
