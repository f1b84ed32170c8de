import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { socketPath } from '../endpoint/socket-path.ts';
import { gatewaySession } from '../limits.ts';
import { readPlainFile } from '../plain-file.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { replaceFile } from '../storage/replace-file.ts';

/** What stands beside the socket of one that makes room when it is asked to, for this person alone. */
const endpointSchema = z.object({ secret: z.string().regex(/^[0-9a-f]{64}$/) });

function endpointFile(folder: string): string {
  return path.join(folder, 'run', 'endpoint.json');
}

/** Errors: CFG_*. */
export async function keepSecret(folder: string, secret: string): Promise<void> {
  const file = endpointFile(folder);
  makeFolder(path.dirname(file), 'gateway');
  await replaceFile(file, Buffer.from(JSON.stringify({ secret })));
}

export function forgetSecret(folder: string): void {
  rmSync(endpointFile(folder), { force: true });
}

/** Asks whoever serves the profile to make room. Resolves once it has been heard, or where nobody is to be asked. Never rejects. */
export async function askToYield(folder: string): Promise<void> {
  const secret = await readSecret(folder);
  if (secret === undefined) return;
  const socket = createConnection(socketPath(folder, process.env));
  socket.setTimeout(gatewaySession.helloTime, () => socket.destroy());
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.write(`${JSON.stringify({ postern: 1, control: 'yield', secret })}\n`);
  socket.resume();
  await closed;
}

async function readSecret(folder: string): Promise<string | undefined> {
  try {
    const bytes = await readPlainFile(endpointFile(folder), { limit: gatewaySession.helloSize, follow: false });
    return bytes && endpointSchema.parse(JSON.parse(bytes.toString('utf8'))).secret;
  } catch {
    return undefined;
  }
}
