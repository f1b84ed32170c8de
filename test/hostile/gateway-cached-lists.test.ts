import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { connectWithKey } from '../../main/engine/connect/connect-with-key.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import { catalogFileBytes, catalogKeyLength } from '../../main/limits.ts';
import { Secret } from '../../main/secret.ts';
import { openCatalogStore } from '../../main/storage/profile/server-files.ts';
import type { Integration } from '../../shared/integration.ts';
import { startPair } from '../support/demo-pair.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { localOptions } from '../support/local-options.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { approving, createTestEngine } from '../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer } from '../support/raw-mcp-server.ts';

type Keyed = Awaited<ReturnType<typeof startKeyed>>;

/** A profile with the cached lists of one server, whose sign-in has expired. */
async function startExpired() {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const first = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(first.socket, { server: integration.id });
  await shakeHands(app);
  await app.request(1, 'tools/list');
  await first.close();
  await engine.vault.delete(...(await engine.vault.keysOf(integration.id)));
  await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'reauthenticationRequired' }));
  const folder = path.join(engine.folder, 'catalog');
  return { engine, integration, folder, file: path.join(folder, `${integration.id}.json`) };
}

const question = 'initialize 2025-11-25 ';

/** `owner`: of the existing cache. */
const damaged: readonly (readonly [how: string, text: (owner: string) => string])[] = [
  ['is no JSON', () => '{'],
  ['is something else', () => '{"a":1}'],
  [
    'is huge',
    catalogWith([question, '{"jsonrpc":"2.0","id":0,"result":{"capabilities":{}}}' + ' '.repeat(catalogFileBytes)]),
  ],
  ['has no answers in it', catalogWith([question, '{"ttlMs":'], ['tools/list 2025-11-25 ""', '['])],
  ['has a handshake that is none', catalogWith(['initialize other ', '{"ttlMs"'])],
  ['has a message that is no answer', catalogWith([question, '{"id":1,"method":"evil"}'])],
  ['is nested deeply', catalogWith([question, `{"id":0,"result":${'['.repeat(5_000)}${']'.repeat(5_000)}}`])],
];

function catalogWith(...entries: readonly (readonly [string, string])[]): (owner: string) => string {
  return (owner) => JSON.stringify({ owner, entries });
}

describe('a cached catalog', () => {
  it.for(damaged)('that %s is ignored: the app gets a remedy, and the gateway continues (GW-18)', async ([, text]) => {
    const { engine, integration, file } = await startExpired();
    const { owner } = JSON.parse(readFileSync(file, 'utf8')) as { owner: string };
    writeFileSync(file, text(owner));
    const served = await serveGateway(engine, { allowUnknown: true });
    const app = openApp(served.socket, { server: integration.id });
    expect(await shakeHands(app)).toHaveProperty('error.data.code', 'SIGN_IN_REQUIRED');
    expect(await app.request(1, 'tools/list')).toHaveProperty('error.data.code', 'SIGN_IN_REQUIRED');
  });

  it('does not replace a server that is online and rejects (GW-18)', async () => {
    let refuses = false;
    const server = await startRawServer('session', [{ name: 'look', inputSchema }], ({ message, response }) => {
      if (message.method !== 'tools/list' || !refuses) return false;
      response.writeHead(500).end();
      return true;
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const served = await serveGateway(engine, { allowUnknown: true });
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    expect(JSON.stringify(await app.request(1, 'tools/list'))).toContain('look');
    refuses = true;
    expect(await app.request(2, 'tools/list')).toHaveProperty('error');
  });

  it('is not read, written or deleted through a link (GW-18)', async () => {
    const { engine, integration, folder, file } = await startExpired();
    const elsewhere = temporaryFolder();
    const moved = path.join(elsewhere, `${integration.id}.json`);
    renameSync(file, moved);
    const before = readFileSync(moved, 'utf8');
    symlinkSync(moved, file);
    const store = openCatalogStore(engine.folder);
    expect(await store.read(integration.id)).toBeUndefined();
    await store.write(integration.id, { owner: 'one', entries: [] });
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(moved, 'utf8')).toBe(before);
    rmSync(folder, { recursive: true });
    writeFileSync(path.join(elsewhere, 'letter.txt'), 'theirs');
    symlinkSync(elsewhere, folder);
    expect(await store.read(integration.id)).toBeUndefined();
    await expect(store.write(integration.id, { owner: 'one', entries: [] })).rejects.toThrow();
    await store.retain(new Set());
    expect(existsSync(moved) && existsSync(path.join(elsewhere, 'letter.txt'))).toBe(true);
    expect(readFileSync(moved, 'utf8')).toBe(before);
  });

  it('is deleted without an integration, and nothing else in its folder (GW-18)', async () => {
    const { engine, folder, file } = await startExpired();
    for (const name of ['gone.json', 'notes.txt']) writeFileSync(path.join(folder, name), '[]');
    mkdirSync(path.join(folder, 'more'));
    await openCatalogStore(engine.folder).retain(new Set());
    expect([file, path.join(folder, 'gone.json')].map((each) => existsSync(each))).toEqual([false, false]);
    expect(['notes.txt', 'more'].map((name) => existsSync(path.join(folder, name)))).toEqual([true, true]);
  });

  it('is not spoiled by an app with endless requests (GW-18)', async () => {
    const { engine, integration } = await startExpired();
    await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'integrated' }));
    const served = await serveGateway(engine, { allowUnknown: true });
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    for (const [id, cursor] of ['x'.repeat(catalogKeyLength + 1), 'x'.repeat(10_000)].entries()) {
      expect(await app.request(id + 1, 'tools/list', { cursor })).toHaveProperty('id');
    }
    await served.close();
    const storedEntries = (await openCatalogStore(engine.folder).read(integration.id))?.entries ?? [];
    expect(storedEntries.map(([key]) => key.split(' ')[0])).toEqual(
      expect.arrayContaining(['initialize', 'tools/list']),
    );
    expect(storedEntries.every(([key]) => key.length <= catalogKeyLength)).toBe(true);
  });
});

/** A server whose lists, instructions and prompts depend on the key in a request. */
async function startKeyed() {
  const held: (() => void)[] = [];
  let holds = false;
  let isAway = false;
  const server = await startRawServer('session', [], (request) => {
    const { message, headers, response } = request;
    const account = String(headers['x-api-key'] ?? 'nobody');
    if (isAway) response.destroy();
    if (isAway) return true;
    const result = answersOf(account)[message.method ?? ''];
    if (!result) return false;
    if (message.method === 'initialize') response.setHeader('mcp-session-id', account);
    if (holds && message.method === 'tools/list') held.push(() => sendJson(request, { result }));
    else sendJson(request, { result });
    return true;
  });
  const engine = createTestEngine();
  const { signal } = new AbortController();
  const connect = async (key: string, existing?: Integration) => {
    const options = { ...localOptions, headerName: 'X-Api-Key' };
    const request = {
      url: server.url,
      name: undefined,
      options,
      takesNameOf: undefined,
      key: new Secret(key),
      existing,
    };
    return (await connectWithKey(engine.ports, request, signal)).integration;
  };
  const integration = await connect('alice');
  return {
    engine,
    integration,
    server,
    connect,
    signOut: async () => void (await signOut(engine.ports, integration, signal)),
    hold: () => (holds = true),
    release() {
      holds = false;
      for (const respond of held.splice(0)) respond();
    },
    leave: () => (isAway = true),
    heldCount: () => held.length,
    file: path.join(engine.folder, 'catalog', `${integration.id}.json`),
  };
}

const answersOf = (account: string): Readonly<Record<string, object>> => ({
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'scripted', version: '1' },
    instructions: `for ${account}`,
  },
  'tools/list': { tools: [{ name: `of-${account}`, inputSchema }] },
  'resources/list': { resources: [{ name: `of-${account}`, uri: `x:${account}` }] },
  'resources/templates/list': { resourceTemplates: [{ name: `of-${account}`, uriTemplate: 'x:{y}' }] },
  'prompts/list': { prompts: [{ name: `of-${account}` }] },
});
const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

/** Everything an app receives when it starts. */
async function startApp(socket: string, server: string) {
  const app = openApp(socket, { server });
  await shakeHands(app);
  for (const [id, method] of lists.entries()) await app.request(id + 1, method);
  return app;
}

describe('lists of an account', () => {
  it.each([
    ['it is signed out of', async ({ signOut: end }: Keyed) => await end()],
    [
      'another key is in place of its own',
      async ({ connect, integration }: Keyed) => void (await connect('bob', integration)),
    ],
    [
      'its key is removed',
      async ({ engine, integration: { id } }: Keyed) => {
        await engine.ports.store.update(id, ({ options, ...stored }) => ({
          ...stored,
          options: { ...options, headerName: undefined },
        }));
      },
    ],
    [
      'its server is another one',
      async ({ engine, integration: { id } }: Keyed) =>
        void (await engine.ports.store.update(id, (entry) => ({ ...entry, url: `${entry.url}/` }))),
    ],
    [
      'another user has signed in',
      async ({ engine, integration: { id } }: Keyed) =>
        void (await engine.ports.store.update(id, (entry) => ({ ...entry, signedInAt: 7 }))),
    ],
  ])('GW-75 are shown to no app once %s, in old sessions and new ones', async (_what, change) => {
    const keyed = await startKeyed();
    const served = await serveGateway(keyed.engine, { allowUnknown: true });
    const { id } = keyed.integration;
    const before = await startApp(served.socket, id);
    expect(before.lines.join()).toContain('of-alice');
    const lineCount = before.lines.length;
    await change(keyed);
    keyed.leave();
    await served.gateway.reloadSettings();
    for (const [index, method] of lists.entries()) await before.request(index + 10, method);
    const after = await startApp(served.socket, id);
    expect([...before.lines.slice(lineCount), ...after.lines].join()).not.toContain('alice');
    await served.close();
    const again = await serveGateway(keyed.engine, { allowUnknown: true });
    expect((await startApp(again.socket, id)).lines.join()).not.toContain('alice');
    expect(existsSync(keyed.file) && readFileSync(keyed.file, 'utf8').includes('alice')).toBe(false);
  });

  it.each([
    ['instead', { freshLogin: true }],
    ['where it was to sign in again', {}],
  ])('GW-75 are shown to no app once another account has signed in %s', async (_what, how) => {
    let user = 'ada';
    let isAway = false;
    const { mcp } = await startPair({}, { intercept: (_request, response) => isAway && !!response.destroy() });
    const engine = createTestEngine({ user: (...page) => approving({ user })(...page) });
    const { integration } = await engine.connect(mcp.url);
    const served = await serveGateway(engine, { allowUnknown: true });
    const begin = async () => (await startApp(served.socket, integration.id)).lines.join();
    expect(await begin()).toContain('whoami');
    isAway = true;
    expect(await begin()).toContain('whoami');
    isAway = false;
    user = 'grace';
    await reauthenticate(engine.ports, integration, how, engine.interaction, new AbortController().signal);
    await served.gateway.reloadSettings();
    isAway = true;
    expect(await begin()).not.toContain('whoami');
    isAway = false;
    expect(await engine.call(await engine.read(integration), 'whoami')).toMatch(/grace/iu);
  });

  it('GW-75 are deleted from disk after a sign-out that no gateway has seen', async () => {
    const keyed = await startKeyed();
    const served = await serveGateway(keyed.engine, { allowUnknown: true });
    await startApp(served.socket, keyed.integration.id);
    await served.close();
    expect(readFileSync(keyed.file, 'utf8')).toContain('alice');
    await keyed.signOut();
    expect(existsSync(keyed.file)).toBe(false);
  });

  it('GW-75 end for a session whose server responds late, and at the server with its session', async () => {
    const keyed = await startKeyed();
    const served = await serveGateway(keyed.engine, { allowUnknown: true });
    const { id } = keyed.integration;
    const app = openApp(served.socket, { server: id });
    await shakeHands(app);
    keyed.hold();
    const late = app.request(1, 'tools/list');
    await vi.waitFor(() => expect(keyed.heldCount()).toBe(1));
    await keyed.engine.ports.store.update(id, (entry) => ({ ...entry, keySavedAt: 1 }));
    await served.gateway.reloadSettings();
    keyed.release();
    expect(JSON.stringify(await late)).not.toContain('alice');
    await keyed.connect('bob', keyed.integration);
    await served.gateway.reloadSettings();
    expect(JSON.stringify(await app.request(2, 'tools/list'))).toContain('of-bob');
    const asked = keyed.server.received.filter(
      ({ message, headers }) => message.id !== undefined && headers['x-api-key'] === 'bob',
    );
    expect(asked.map(({ headers }) => headers['mcp-session-id'])).not.toContain('alice');
  });
});
