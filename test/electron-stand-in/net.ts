import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { notEmulated, strictObject } from './not-emulated.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** `net.fetch` for files, for protocol handlers. The stand-in does not access the network. */
export const net = strictObject('net', {
  async fetch(input: string | Request): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    if (!url.startsWith('file:')) notEmulated(`net.fetch of ${new URL(url).protocol}`);
    const file = fileURLToPath(url);
    try {
      const type = types[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
      return new Response(await readFile(file), { headers: { 'content-type': type } });
    } catch {
      throw new Error('net::ERR_FILE_NOT_FOUND');
    }
  },
  isOnline: (): boolean => true,
  get online(): boolean {
    return true;
  },
});
