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
import { describe, expect, it } from 'vitest';
import { catalogueFile, catalogueKey } from '../../main/limits.ts';
import { openCatalogueStore } from '../../main/storage/profile/catalogue-store.ts';
import { startPair } from '../support/demo-pair.ts';
import { openProgram, shakeHands } from '../support/line-program.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { inputSchema, startWireServer } from '../support/wire-server.ts';

/** A profile with a catalogue of one server, which nobody is signed in to any more. */
async function startSignedOut() {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const first = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(first.socket, { server: integration.id });
  await shakeHands(program);
  await program.ask(1, 'tools/list');
  await first.close();
  await engine.ports.store.update(integration.id, (kept) => ({ ...kept, state: 'signedOut' }));
  const folder = path.join(engine.folder, 'catalogue');
  return { engine, integration, folder, file: path.join(folder, `${integration.id}.json`) };
}

const question = 'initialize 2025-11-25 ';

const damaged: readonly (readonly [how: string, text: () => string])[] = [
  ['is no JSON', () => '{'],
  ['is something else', () => '{"a":1}'],
  [
    'is huge',
    () =>
      JSON.stringify([[question, '{"jsonrpc":"2.0","id":0,"result":{"capabilities":{}}}' + ' '.repeat(catalogueFile)]]),
  ],
  [
    'has no answers in it',
    () =>
      JSON.stringify([
        [question, '{"ttlMs":'],
        ['tools/list 2025-11-25 ""', '['],
      ]),
  ],
  ['has a handshake that is none', () => JSON.stringify([['initialize other ', '{"ttlMs"']])],
  ['has a message that is no answer', () => JSON.stringify([[question, '{"id":1,"method":"evil"}']])],
  [
    'is nested deeply',
    () => JSON.stringify([[question, `{"id":0,"result":${'['.repeat(5_000)}${']'.repeat(5_000)}}`]]),
  ],
];

describe('a kept catalogue', () => {
  it.for(damaged)(
    'that %s is none: the program is told what helps, and the gateway goes on (GW-18)',
    async ([, text]) => {
      const { engine, integration, file } = await startSignedOut();
      writeFileSync(file, text());
      const served = await serveGateway(engine, { allowUnknown: true });
      const program = openProgram(served.socket, { server: integration.id });
      expect(await shakeHands(program)).toHaveProperty('error.data.code', 'SIGN_IN_REQUIRED');
      expect(await program.ask(1, 'tools/list')).toHaveProperty('error.data.code', 'SIGN_IN_REQUIRED');
    },
  );

  it('is not told in the place of a server that is there and refuses (GW-18)', async () => {
    let refuses = false;
    const server = await startWireServer('legacy', [{ name: 'look', inputSchema }], ({ message, response }) => {
      if (message.method !== 'tools/list' || !refuses) return false;
      response.writeHead(500).end();
      return true;
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const served = await serveGateway(engine, { allowUnknown: true });
    const program = openProgram(served.socket, { server: integration.id });
    await shakeHands(program);
    expect(JSON.stringify(await program.ask(1, 'tools/list'))).toContain('look');
    refuses = true;
    expect(await program.ask(2, 'tools/list')).toHaveProperty('error');
  });

  it('is not read through a link, nor written or deleted through one (GW-18)', async () => {
    const { engine, integration, folder, file } = await startSignedOut();
    const elsewhere = temporaryFolder();
    const moved = path.join(elsewhere, `${integration.id}.json`);
    renameSync(file, moved);
    const before = readFileSync(moved, 'utf8');
    symlinkSync(moved, file);
    const store = openCatalogueStore(engine.folder);
    expect(await store.read(integration.id)).toEqual([]);
    await store.write(integration.id, []);
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(moved, 'utf8')).toBe(before);
    rmSync(folder, { recursive: true });
    writeFileSync(path.join(elsewhere, 'letter.txt'), 'theirs');
    symlinkSync(elsewhere, folder);
    expect(await store.read(integration.id)).toEqual([]);
    await expect(store.write(integration.id, [])).rejects.toThrow();
    await store.retain(new Set());
    expect(existsSync(moved) && existsSync(path.join(elsewhere, 'letter.txt'))).toBe(true);
    expect(readFileSync(moved, 'utf8')).toBe(before);
  });

  it('loses what belongs to no integration, and nothing else in its folder (GW-18)', async () => {
    const { engine, folder, file } = await startSignedOut();
    for (const name of ['gone.json', 'notes.txt']) writeFileSync(path.join(folder, name), '[]');
    mkdirSync(path.join(folder, 'more'));
    await openCatalogueStore(engine.folder).retain(new Set());
    expect([file, path.join(folder, 'gone.json')].map((each) => existsSync(each))).toEqual([false, false]);
    expect(['notes.txt', 'more'].map((name) => existsSync(path.join(folder, name)))).toEqual([true, true]);
  });

  it('is not spoiled by a program with endless questions (GW-18)', async () => {
    const { engine, integration } = await startSignedOut();
    await engine.ports.store.update(integration.id, (kept) => ({ ...kept, state: 'integrated' }));
    const served = await serveGateway(engine, { allowUnknown: true });
    const program = openProgram(served.socket, { server: integration.id });
    await shakeHands(program);
    for (const [id, cursor] of ['x'.repeat(catalogueKey + 1), 'x'.repeat(10_000)].entries()) {
      expect(await program.ask(id + 1, 'tools/list', { cursor })).toHaveProperty('id');
    }
    await served.close();
    const kept = await openCatalogueStore(engine.folder).read(integration.id);
    expect(kept.map(([asked]) => asked.split(' ')[0])).toEqual(expect.arrayContaining(['initialize', 'tools/list']));
    expect(kept.every(([asked]) => asked.length <= catalogueKey)).toBe(true);
  });
});
