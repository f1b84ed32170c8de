import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import type { ProtocolRequest, ProtocolResponse } from 'electron';
import { appScheme, resolveAppFile } from './resolve-app-file.ts';

/** No inline, no remote, no network at all: whatever runs in our window can only talk to main. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Chromium's own list of what a page may connect to, from 152 on: the only one that WebRTC and the looking up of names
 * heed. Content security policies do not bind them.
 */
const connections = '(response-origin);webrtc=block';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Before `ready`: our pages get a real origin, of a secure scheme. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the files under `root`, and nothing else. */
export function serveAppFiles(root: string): void {
  // `protocol.handle` makes Electron load all of Node's fetch for its answers, which the window would wait for.
  protocol.registerBufferProtocol(appScheme, (request, answer) => void answerRequest(root, request).then(answer));
}

async function answerRequest(root: string, { method, url }: ProtocolRequest): Promise<ProtocolResponse> {
  const file = method === 'GET' ? resolveAppFile(root, url) : undefined;
  const data = file === undefined ? undefined : await readInside(root, file);
  if (file === undefined || data === undefined) {
    return { statusCode: 404, data: Buffer.from('Not found'), headers: { 'content-type': 'text/plain' } };
  }
  return {
    data,
    headers: {
      'content-type': types[path.extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'connection-allowlist': connections,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  };
}

async function readInside(root: string, file: string): Promise<Buffer | undefined> {
  try {
    const [base, real] = await Promise.all([realpath(root), realpath(file)]);
    return real.startsWith(`${base}${path.sep}`) ? await readFile(real) : undefined;
  } catch {
    return undefined;
  }
}
