import path from 'node:path';
import { Miniflare } from 'miniflare';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

const entry = path.join(import.meta.dirname, 'workers/notes-worker.ts');

let bundle: Promise<string> | undefined;

/** Runs the Worker in `workers/` in a real workerd, with storage in memory, until the test ends. Returns its origin. */
export async function startNotesWorker(): Promise<string> {
  bundle ??= bundleWorker();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const worker = new Miniflare({
    host: '127.0.0.1',
    port,
    cf: false,
    modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundle }],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: ['nodejs_compat', 'global_fetch_strictly_public'],
    kvNamespaces: ['OAUTH_KV'],
    bindings: { ORIGIN: origin },
  });
  onTestFinished(() => worker.dispose());
  await worker.ready;
  return origin;
}

async function bundleWorker(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, target: 'webworker' },
    build: { ssr: entry, write: false, rolldownOptions: { external: [/^node:/, /^cloudflare:/] } },
  });
  const output = Array.isArray(result) ? result[0] : result;
  if (!output || !('output' in output)) throw new Error('The Worker was not built.');
  if (output.output.length > 1) throw new Error('The Worker must be one file.');
  return output.output[0].code;
}
