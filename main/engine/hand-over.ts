import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { pipeName, socketPath } from '../endpoint/socket-path.ts';
import { gatewaySession } from '../limits.ts';
import { readPlainFile } from '../plain-file.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { replaceFile } from '../storage/replace-file.ts';

/** What stands beside the socket, for this person alone. */
const endpointSchema = z.object({
  /** Of one that makes room when it is asked to. */
  secret: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Windows: where programs are served. */
  pipe: z.string().regex(pipeName).optional(),
});

type KeptEndpoint = z.infer<typeof endpointSchema>;

function endpointFile(folder: string): string {
  return path.join(folder, 'run', 'endpoint.json');
}

/** Errors: CFG_*. */
export async function keepEndpoint(folder: string, endpoint: KeptEndpoint): Promise<void> {
  const file = endpointFile(folder);
  makeFolder(path.dirname(file), 'gateway');
  await replaceFile(file, Buffer.from(JSON.stringify(endpoint)));
}

/** Where programs of the profile are served, or would be. `undefined`: on Windows nobody serves. Never rejects. */
export async function gatewayPlace(folder: string, platform = process.platform): Promise<string | undefined> {
  if (platform !== 'win32') return socketPath(folder, process.env);
  return (await readEndpoint(folder))?.pipe;
}

export function forgetEndpoint(folder: string): void {
  rmSync(endpointFile(folder), { force: true });
}

/** Asks whoever serves the profile to make room. Resolves once it has been heard, or where nobody is to be asked. Never rejects. */
export async function askToYield(folder: string): Promise<void> {
  const secret = (await readEndpoint(folder))?.secret;
  const place = await gatewayPlace(folder);
  if (secret === undefined || place === undefined) return;
  const socket = createConnection(place);
  socket.setTimeout(gatewaySession.helloTime, () => socket.destroy());
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.write(`${JSON.stringify({ postern: 1, control: 'yield', secret })}\n`);
  socket.resume();
  await closed;
}

async function readEndpoint(folder: string): Promise<KeptEndpoint | undefined> {
  try {
    const bytes = await readPlainFile(endpointFile(folder), { limit: gatewaySession.helloSize, follow: false });
    return bytes && endpointSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}
