import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { localServers } from '../../local-ports.ts';
import type { LocalAsk, LocalReport } from '../../local-ports.ts';
import type { LoopbackPlace } from '../../net/endpoint/loopback-door.ts';
import { pipeName, socketPath } from '../../net/endpoint/socket-path.ts';
import { readPlainFile } from '../../plain-file.ts';
import { makeFolder } from '../../storage/files/file-system-error.ts';
import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import type { HeldLock } from '../../storage/files/lock-file.ts';
import { replaceFile } from '../../storage/files/replace-file.ts';

const random = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** What stands beside the socket, for this person alone. */
const endpointSchema = z.object({
  /** Of one that makes room when it is asked to. */
  secret: z.optional(random),
  /** Of whoever asks about servers on this computer, and of commands. */
  control: z.optional(random),
  /** Windows: where commands come in. */
  commandPipe: z.optional(z.string().check(z.regex(pipeName))),
  /** How it writes dates, for commands: where those would write them otherwise, they run by themselves. */
  dates: z.optional(z.object({ surroundings: z.string(), locale: z.string(), timeZone: z.string() })),
  /** Windows: where programs are served. */
  pipe: z.optional(z.string().check(z.regex(pipeName))),
  /** Where the native pipe comes in there: Rust's standard library cannot read and write a named pipe at once. */
  loopback: z.optional(
    z.object({ port: z.int().check(z.minimum(1), z.maximum(65_535)), knock: random, answer: random }),
  ) satisfies z.ZodMiniType<LoopbackPlace | undefined>,
  /** Who serves: a window's program, or `postern serve`. */
  kind: z.optional(z.enum(['window', 'serve'])),
  pid: z.optional(z.int().check(z.positive())),
  /** It answers what is under way, and takes nothing more. */
  isLeaving: z.optional(z.literal(true)),
  /** Where programs come in over HTTP, once that is open. */
  http: z.optional(z.string().check(z.maxLength(100))),
});

/** How it is with a server on this computer, and the end of its output. */
const toldSchema = z.object({
  state: z.enum(['off', 'starting', 'running', 'waiting', 'failed', 'stopped']),
  processes: z.array(z.object({ pid: z.number(), startedAt: z.number() })),
  output: z.string(),
  total: z.number(),
}) satisfies z.ZodMiniType<LocalReport>;

type KeptEndpoint = z.infer<typeof endpointSchema>;

/** Who serves a profile, by its own word. */
export interface Holder {
  readonly kind: 'window' | 'serve';
  readonly pid: number;
  readonly http?: string;
  readonly isLeaving?: true;
  /** It ends when it is asked to. */
  readonly makesRoom?: true;
}

/** Another one serves the programs of the profile, and is in the way. */
export class HeldGateway extends PosternError {}

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

/**
 * Takes the places away, and says who goes on for a moment. Never rejects: without it nobody is named. A pipe takes a
 * place where nobody listens for that of one that was killed.
 */
export async function leaveEndpoint(folder: string, who: Required<Pick<KeptEndpoint, 'kind' | 'pid'>>): Promise<void> {
  forgetEndpoint(folder);
  await keepEndpoint(folder, { ...who, isLeaving: true }).catch(() => {});
}

export function forgetEndpoint(folder: string): void {
  rmSync(endpointFile(folder), { force: true });
}

/** Never rejects. `undefined`: nobody has said so. */
export async function readHolder(folder: string): Promise<Holder | undefined> {
  const { kind, pid, http, isLeaving, secret } = (await readEndpoint(folder)) ?? {};
  if (kind === undefined || pid === undefined) return undefined;
  return {
    kind,
    pid,
    ...(http !== undefined && { http }),
    ...(isLeaving && { isLeaving }),
    ...(secret !== undefined && { makesRoom: true }),
  };
}

/** Asks whoever serves the profile to make room. Resolves once it has been heard, or nobody is there. Never rejects. */
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

/**
 * Asks whoever serves the profile about a server on this computer. `undefined`: nobody serves, or nobody answers. Never
 * rejects.
 */
export async function askAboutLocal(folder: string, ask: LocalAsk): Promise<LocalReport | undefined> {
  const secret = (await readEndpoint(folder))?.control;
  const place = await gatewayPlace(folder);
  if (secret === undefined || place === undefined) return undefined;
  const socket = createConnection(place);
  // Ending one may take its time.
  socket.setTimeout(localServers.stop.byItself + localServers.stop.told + gatewaySession.helloTime, () =>
    socket.destroy(),
  );
  socket.write(`${JSON.stringify({ postern: 1, control: 'local', secret, ...ask })}\n`);
  try {
    return toldSchema.parse(JSON.parse(await readText(socket)));
  } catch {
    return undefined;
  }
}

async function readEndpoint(folder: string): Promise<KeptEndpoint | undefined> {
  try {
    const bytes = await readPlainFile(endpointFile(folder), { limit: gatewaySession.helloSize, follow: false });
    return bytes && endpointSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Whether a window or `postern serve` answers the programs of a profile. Errors: CFG_*. */
export async function isServed(folder: string): Promise<boolean> {
  const free = await tryLockFile(lockFilePath(folder, 'gateway'));
  free?.release();
  return !free;
}

/** Milliseconds for one to make room, in all, between two looks. */
type Patience = Readonly<Record<'wait' | 'inAll' | 'look', number>>;

/**
 * Nobody serves the programs of a profile from here on, until `release`: whoever makes room is asked to end, and has
 * all the time that it may take for its last answers. Errors: GATEWAY_HELD, which names the one that goes on, CFG_*.
 */
export async function stopGateway(
  folder: string,
  { wait, inAll, look }: Patience = gatewaySession.handOver,
): Promise<HeldLock> {
  let asked: number | undefined;
  for (let waited = 0, looked = 0; waited <= wait && looked <= inAll; waited += look, looked += look) {
    const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
    if (lock) return lock;
    const holder = await readHolder(folder);
    if (holder?.isLeaving) waited = 0;
    // A gateway that says nothing of itself is starting or ending right now. One that a pipe started was not asked yet.
    else if (holder && holder.pid !== asked) {
      if (!holder.makesRoom) break;
      await askToYield(folder);
      asked = holder.pid;
    }
    await pause(look);
  }
  throw await heldError(folder);
}

/** Who serves the profile, for a person to end it. Never rejects. */
export async function heldError(folder: string): Promise<HeldGateway> {
  const holder = await readHolder(folder);
  return new HeldGateway('GATEWAY_HELD', {
    stage: 'gateway',
    detail: holder ? { holder: holder.kind, process: holder.pid } : {},
  });
}
