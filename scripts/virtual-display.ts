import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

export interface VirtualDisplay {
  /** Environment variables for programs that draw on this display. */
  readonly env: Readonly<Record<'DISPLAY' | 'XAUTHORITY', string>>;
  end(): void;
}

const cookieName = 'MIT-MAGIC-COOKIE-1';

export function hasDisplay(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (platform !== 'linux') return true;
  return `${env['DISPLAY'] ?? ''}${env['WAYLAND_DISPLAY'] ?? ''}` !== '';
}

/** Starts Xvfb on a free display that only holders of its cookie can use; `undefined` if it is not installed. */
export function startVirtualDisplay(): Promise<VirtualDisplay | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-display-'));
  const authority = path.join(folder, 'authority');
  writeFileSync(authority, authorityEntry(randomBytes(16)), { mode: 0o600 });
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-auth', authority],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const end = (): void => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  return new Promise((resolve) => {
    const fail = (): void => {
      process.off('exit', end);
      end();
      resolve(undefined);
    };
    server.once('error', fail);
    server.once('exit', fail);
    // The number arrives in two writes, and Xvfb dies if the pipe is closed between them.
    let number = '';
    (server.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
      number += text;
      if (!number.endsWith('\n')) return;
      server.off('exit', fail);
      resolve({ env: { DISPLAY: `:${number.trim()}`, XAUTHORITY: authority }, end });
    });
  });
}

/** One entry of an Xauthority file, for any host and display (Xau(3): family, address, number, name, data). */
function authorityEntry(cookie: Buffer): Buffer {
  const withLength = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  const wildcard = Buffer.from([0xff, 0xff]);
  const nothing = Buffer.alloc(0);
  return Buffer.concat([
    wildcard,
    withLength(nothing),
    withLength(nothing),
    withLength(Buffer.from(cookieName)),
    withLength(cookie),
  ]);
}
