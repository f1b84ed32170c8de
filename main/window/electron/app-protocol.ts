import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import type { ProtocolRequest, ProtocolResponse } from 'electron';
import { appScheme, resolveAppFile } from './resolve-app-file.ts';

/** No inline scripts, no remote content, no network: code in our window can only talk to main. */
const contentSecurityPolicy = [
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
 * Chromium's `Connection-Allowlist`, from version 152 on. The only policy that covers WebRTC and DNS lookups; a CSP
 * does not.
 */
const connectionAllowlist = '(response-origin);webrtc=block';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Call it before `ready`. Gives our pages a real origin with a secure scheme. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the files under `root`, and nothing else. */
export function serveAppFiles(root: string): void {
  // `protocol.handle` would load all of Node's fetch, and delay the window.
  protocol.registerBufferProtocol(appScheme, (request, respond) => void serveFile(root, request).then(respond));
}

async function serveFile(root: string, { method, url }: ProtocolRequest): Promise<ProtocolResponse> {
  const file = method === 'GET' ? resolveAppFile(root, url) : undefined;
  const data = file === undefined ? undefined : await readInside(root, file);
  if (file === undefined || data === undefined) {
    return { statusCode: 404, data: Buffer.from('Not found'), headers: { 'content-type': 'text/plain' } };
  }
  return {
    data,
    headers: {
      'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
      'connection-allowlist': connectionAllowlist,
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
