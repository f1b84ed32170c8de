import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { RunningPostern } from './kit/open-postern.ts';
import {
  choose,
  connected,
  connect,
  look,
  lookForSecondAccount,
  openDiagnosis,
  openTab,
  runTool,
  signIn,
  start,
} from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

// A trace makes the page hold on to its data; here it must not hold a secret.
test.use({ trace: 'off' });

const typedClient = {
  id: 'typed-client',
  secret: 'typed-secret-3f9c1e7a5b',
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
};

const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** A service that records every secret it issued or received. */
async function startWatched(options: AuthorizationServerOptions = {}) {
  const secretTexts: string[] = [];
  const secretFields = ['access_token', 'refresh_token', 'client_secret', 'registration_access_token', 'id_token'];
  const pair = await startPair({
    ...options,
    answer(route, response) {
      const body = response.body as Record<string, unknown> | undefined;
      secretTexts.push(...secretFields.flatMap((field) => textOf(body?.[field])));
      return response;
    },
  });
  const shown = (): string[] => [
    ...requestsTo(pair.as, '/authorize').flatMap(({ query }) => [query.get('state') ?? '', query.get('nonce') ?? '']),
    ...requestsTo(pair.as, '/token').flatMap(({ body }) =>
      ['code', 'code_verifier', 'client_secret'].flatMap((field) => textOf(body?.[field])),
    ),
  ];
  return { ...pair, secrets: () => [...new Set([...secretTexts, ...shown()])].filter((secret) => secret.length > 8) };
}

const found = (secrets: readonly string[], text: string): string[] => secrets.filter((secret) => text.includes(secret));

/**
 * Everything in the page's process after garbage collection: stores, caches, forms.
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

/** What the page stores, and what it shows. */
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

async function lookEverywhere(postern: RunningPostern, name: string): Promise<void> {
  const { page } = postern;
  await choose(page, name);
  for (const tab of ['Overview', 'AI apps', 'Settings', 'Tools'] as const) await openTab(page, tab);
  await openDiagnosis(page);
  await expect(page.getByRole('button', { name: 'POST' }).or(page.locator('.sequence')).first()).toBeVisible();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
}

test.describe('no secret', () => {
  test('from registration, sign-in or refresh reaches pages, stores, memory, messages, clipboard, titles or open files (IP-08, IP-09, IP-18)', async ({
    openPostern,
  }) => {
    const { as, mcp, secrets } = await startWatched();
    const postern = await openPostern();
    const { page } = postern;
    await connect(postern, as, mcp.url, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    await openTab(page, 'Overview');
    await page.getByText(words.account.details, { exact: true }).click();
    await page.getByRole('button', { name: 'Renew now' }).click();
    await expect(page.getByText(words.account.refreshed)).toBeVisible();
    await openDiagnosis(page);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await lookEverywhere(postern, 'Field notes');

    // Two access tokens, two refresh tokens, a client secret, its registration access token, state, code and verifier.
    expect(secrets().length).toBeGreaterThanOrEqual(9);
    const traffic = await postern.traffic();
    expect(traffic.length).toBeGreaterThan(10);
    expect(found(secrets(), JSON.stringify(traffic))).toEqual([]);
    expect(found(secrets(), await storesOf(page))).toEqual([]);
    const heap = await heapOf(page);
    expect(heap).toContain('Field notes');
    expect(found(secrets(), heap)).toEqual([]);
    expect(found(secrets(), await postern.window.evaluate(({ clipboard }) => clipboard.readText()))).toEqual([]);
    expect(found(secrets(), postern.window.output())).toEqual([]);
    const titles = await postern.window.evaluate(({ BaseWindow }) =>
      BaseWindow.getAllWindows().map((one) => one.getTitle()),
    );
    expect(found(secrets(), titles.join('\n'))).toEqual([]);

    expect(await postern.close()).toBe(0);
    const files = filesUnder(postern.profile);
    expect(files.map((file) => path.basename(file))).toContain('vault');
    for (const file of files) expect(found(secrets(), readFileSync(file, 'latin1'))).toEqual([]);
  });

  test('stays where it was typed once main has it (spec 2.11)', async ({ openPostern }) => {
    const { as, mcp } = await startWatched({ registration: 'off', typedClients: [typedClient] });
    const postern = await openPostern();
    const { page } = postern;
    await look(page, mcp.url);
    await start(page, 'enterClientId', 'Typed');
    const card = page.locator('.connect-card');
    await card.getByLabel('Client ID').fill(typedClient.id);
    await card.getByLabel('Client secret').fill(typedClient.secret);
    expect(await heapOf(page)).toContain(typedClient.secret);
    await card.getByRole('button', { name: /^Sign in to /u }).click();
    await signIn(await postern.popup(as.origin));
    await connected(page, 'Typed');
    const crossed = (await postern.traffic()).filter(({ text }) => text.includes(typedClient.secret));
    expect(crossed.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(['ask connection:submitCredentials']);
    expect(await storesOf(page)).not.toContain(typedClient.secret);
    await expect.poll(() => heapOf(page)).not.toContain(typedClient.secret);
    expect(await postern.close()).toBe(0);
    for (const file of filesUnder(postern.profile))
      expect(readFileSync(file, 'latin1')).not.toContain(typedClient.secret);
  });

  test('appears in an uncaught error, and Postern continues (IP-16)', async ({ openPostern }) => {
    const postern = await openPostern();
    await postern.window.evaluate(() => {
      const error = (): Error => new TypeError('Headers.append: "Bearer canary-token-4b1f" is an invalid header value');
      setTimeout(() => void Promise.reject(error()));
      setTimeout(() => {
        throw error();
      });
    });
    const logs = path.join(postern.profile, 'logs');
    const log = (): string =>
      (existsSync(logs) ? filesUnder(logs) : []).map((file) => readFileSync(file, 'utf8')).join('');
    const kinds = () => [...log().matchAll(/"type":"(uncaughtException|unhandledRejection)"/g)].map(([, kind]) => kind);
    await expect.poll(() => new Set(kinds())).toEqual(new Set(['uncaughtException', 'unhandledRejection']));
    expect(log()).not.toContain('canary');
    expect(JSON.stringify(await postern.traffic()) + (await storesOf(postern.page))).not.toContain('canary');
    await postern.page.getByLabel('Server address').fill('https://mcp.example.com/');
    expect(await postern.close()).toBe(0);
  });

  test('reaches a hostile script of the page through any call (IP-04)', async ({ openPostern }) => {
    const { as, mcp, secrets } = await startWatched();
    const postern = await openPostern();
    const { page } = postern;
    await connect(postern, as, mcp.url, 'Field notes');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    const answers = await page.evaluate(async () => {
      type Call = (input: unknown) => Promise<unknown>;
      const { postern: bridge } = window as unknown as { postern: Record<string, Record<string, Call> | Call> };
      const seen: unknown[] = [Object.keys(bridge)];
      // Calls are repeated with the ids in their results.
      const first = (await (bridge['desktop'] as Record<string, Call>)['snapshots']?.({})) as {
        value: { integrations: { id: string }[] };
      };
      const [{ id } = { id: '' }] = first.value.integrations;
      for (const [group, calls] of Object.entries(bridge)) {
        if (typeof calls === 'function') continue;
        for (const [verb, call] of Object.entries(calls)) {
          // These ask the user, or would end this test.
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
    // What this page adds to its window: the API and the bundle’s notes.
    const namesOf = (other: Page): Promise<string[]> => other.evaluate(() => Object.getOwnPropertyNames(window));
    await lookForSecondAccount(page, mcp.url);
    await start(page, 'signIn', 'Again');
    const everywhere = await namesOf(await postern.popup(as.origin));
    const own = (await namesOf(page)).filter((name) => !everywhere.includes(name) && !name.startsWith('__zod_'));
    expect(own).toEqual(['postern']);
  });
});
