import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { installed, openBrowser, openPostern } from './postern.ts';
import { makeFolder, pathThere, start, theWindows } from './windows.ts';
import type { WindowsProcess } from './windows.ts';

/** AI apps on Windows reach Postern over a named pipe. */

class PipeApp {
  readonly #child: WindowsProcess;
  readonly #lines = new PassThrough();
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>();
  #next = 0;

  constructor(file: string, words: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = start(file, words, { env, onLine: (line) => this.#lines.write(`${line}\n`) });
    createInterface({ input: this.#lines }).on('line', (line) => {
      const message = JSON.parse(line) as Record<string, unknown>;
      this.#waiting.get(message['id'] as number)?.(message);
    });
  }

  request(method: string, params: object): Promise<Record<string, unknown>> {
    this.#next += 1;
    const id = this.#next;
    this.#child.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const failed = this.#child.ended.then((ended) => {
      throw new Error(`The pipe ended: ${JSON.stringify(ended)}`);
    });
    return Promise.race([new Promise<Record<string, unknown>>((resolve) => this.#waiting.set(id, resolve)), failed]);
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#child.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  async end(): Promise<number | null> {
    this.#child.end();
    return (await this.#child.ended).code;
  }
}

/** The entry that Postern has written into Cursor's file. */
interface PipeEntry {
  readonly command: string;
  readonly args: readonly string[];
}

const user = makeFolder('user');
const env = { USERPROFILE: pathThere(user), HOMEPATH: pathThere(user).replace(/^\w:/u, '') };
const postern = openPostern();

async function callListNotes(file: string, words: readonly string[]): Promise<void> {
  // An app passes hardly anything on.
  const app = new PipeApp(file, words, {});
  await app.initialize();
  expect(await app.request('tools/list', {})).toMatchObject({
    result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'list_notes' })]) as unknown },
  });
  expect(await app.request('tools/call', { name: 'list_notes', arguments: {} })).toHaveProperty('result.content');
  expect(await app.end()).toBe(0);
}

describe('an AI app on Windows', () => {
  let demo: Demo;
  let entry: PipeEntry;

  beforeAll(async () => {
    demo = await startDemo({ folder: makeFolder('demo'), mode: 'registration' });
    const browser = await openBrowser();
    await postern.json(['connect', demo.url, '--local', '--name', 'Notes'], { env: { BROWSER: browser.command } });
    browser.close();
    mkdirSync(path.join(user, '.cursor'));
    await postern.json(['use', 'Notes', 'cursor', '--yes'], { env });
    const written = readFileSync(path.join(user, '.cursor/mcp.json'), 'utf8');
    entry = (JSON.parse(written) as { mcpServers: { notes: PipeEntry } }).mcpServers.notes;
  });

  afterAll(async () => {
    await postern.run(['remove', '--all', '--yes'], { env });
    await demo.close();
  });

  it('reaches its server by the command in its file, which starts Postern', async () => {
    await callListNotes(entry.command, entry.args);
  });

  it('reaches it through the native pipe as well', async ({ skip }) => {
    if (!theWindows().isWine) skip('is not built for a real Windows here');
    const words = entry.args.slice(entry.args.indexOf('proxy') + 1);
    await callListNotes(installed('postern-pipe.exe'), words);
  });
});
