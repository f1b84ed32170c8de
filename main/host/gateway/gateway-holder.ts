import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { localServerLimits } from '../../local-ports.ts';
import type { LocalRequest, LocalReport } from '../../local-ports.ts';
import type { LoopbackCredentials } from '../../net/endpoint/loopback-listener.ts';
import { controlSocketPath, pipeName, socketPath } from '../../net/endpoint/socket-path.ts';
import { readPlainFile } from '../../plain-file.ts';
import { makeFolder } from '../../storage/files/file-system-error.ts';
import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import type { HeldLock } from '../../storage/files/lock-file.ts';
import { replaceFile } from '../../storage/files/replace-file.ts';

const secretSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The file next to the socket, readable by this user only. */
const endpointSchema = z.object({
  /** Set if this gateway yields when asked. */
  secret: z.optional(secretSchema),
  /** Authenticates commands, and requests about local servers. */
  control: z.optional(secretSchema),
  /** Windows: the pipe for commands and other Postern processes. */
  controlPipe: z.optional(z.string().check(z.regex(pipeName))),
  /** How the gateway formats dates for commands. A command that would format them differently runs on its own. */
  dates: z.optional(z.object({ surroundings: z.string(), locale: z.string(), timeZone: z.string() })),
  /** Windows: the pipe for apps. */
  pipe: z.optional(z.string().check(z.regex(pipeName))),
  /** Where the native pipe connects on Windows: Rust's standard library cannot read and write a named pipe at once. */
  loopback: z.optional(
    z.object({ port: z.int().check(z.minimum(1), z.maximum(65_535)), knock: secretSchema, answer: secretSchema }),
  ) satisfies z.ZodMiniType<LoopbackCredentials | undefined>,
  /** What serves: the window's process, or `postern serve`. */
  kind: z.optional(z.enum(['window', 'serve'])),
  pid: z.optional(z.int().check(z.positive())),
  /** It finishes what is in flight and accepts nothing new. */
  isLeaving: z.optional(z.literal(true)),
  /** Address of the HTTP endpoint, once it is open. */
  http: z.optional(z.string().check(z.maxLength(100))),
});

/** Status of a local server, and the end of its output. */
const reportSchema = z.object({
  state: z.enum(['off', 'starting', 'running', 'waiting', 'failed', 'stopped']),
  processes: z.array(z.object({ pid: z.number(), startedAt: z.number() })),
  output: z.string(),
  total: z.number(),
}) satisfies z.ZodMiniType<LocalReport>;

type EndpointEntry = z.infer<typeof endpointSchema>;

/** Who serves a profile, by its own account. */
export interface GatewayHolder {
  readonly kind: 'window' | 'serve';
  readonly pid: number;
  readonly http?: string;
  readonly isLeaving?: true;
  /** It ends when asked to. */
  readonly canYield?: true;
}

/** Another process serves this profile's apps and does not yield. */
export class GatewayHeldError extends PosternError {}

function endpointFile(folder: string): string {
  return path.join(folder, 'run', 'endpoint.json');
}

/** Errors: CFG_*. */
export async function writeEndpoint(folder: string, endpoint: EndpointEntry): Promise<void> {
  const file = endpointFile(folder);
  makeFolder(path.dirname(file), 'gateway');
  await replaceFile(file, Buffer.from(JSON.stringify(endpoint)));
}

/** Where this profile's apps are served, or would be. `undefined`: on Windows, nothing serves. Never rejects. */
export async function gatewayAddress(folder: string, platform = process.platform): Promise<string | undefined> {
  if (platform !== 'win32') return socketPath(folder, process.env);
  return (await readEndpoint(folder))?.pipe;
}

/** Where other Postern processes of this user can reach the one that serves the profile. Never rejects. */
function controlAddress(folder: string, endpoint: EndpointEntry | undefined): string | undefined {
  return process.platform === 'win32' ? endpoint?.controlPipe : controlSocketPath(folder, process.env);
}

/**
 * Removes the endpoints and leaves a note of who is shutting down. Never rejects: without the note, nobody is named. If
 * a pipe finds endpoints where nothing listens, it assumes that the gateway was killed.
 */
export async function markEndpointLeaving(
  folder: string,
  holder: Required<Pick<EndpointEntry, 'kind' | 'pid'>>,
): Promise<void> {
  removeEndpoint(folder);
  await writeEndpoint(folder, { ...holder, isLeaving: true }).catch(() => {});
}

export function removeEndpoint(folder: string): void {
  rmSync(endpointFile(folder), { force: true });
}

/** `undefined`: no gateway is registered. Never rejects. */
export async function readHolder(folder: string): Promise<GatewayHolder | undefined> {
  const { kind, pid, http, isLeaving, secret } = (await readEndpoint(folder)) ?? {};
  if (kind === undefined || pid === undefined) return undefined;
  return {
    kind,
    pid,
    ...(http !== undefined && { http }),
    ...(isLeaving && { isLeaving }),
    ...(secret !== undefined && { canYield: true }),
  };
}

/**
 * Asks the process that serves the profile to yield. Resolves once it has received that, or if nothing serves. Never
 * rejects.
 */
export async function requestYield(folder: string): Promise<void> {
  const endpoint = await readEndpoint(folder);
  const address = controlAddress(folder, endpoint);
  const secret = endpoint?.secret;
  if (secret === undefined || address === undefined) return;
  const socket = createConnection(address);
  socket.setTimeout(gatewaySession.helloTimeout, () => socket.destroy());
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.write(`${JSON.stringify({ postern: 1, control: 'yield', secret })}\n`);
  socket.resume();
  await closed;
}

/**
 * Asks the process that serves the profile about a local server. `undefined`: nothing serves, or it does not respond.
 * Never rejects.
 */
export async function sendLocalRequest(folder: string, request: LocalRequest): Promise<LocalReport | undefined> {
  const endpoint = await readEndpoint(folder);
  const address = controlAddress(folder, endpoint);
  const secret = endpoint?.control;
  if (secret === undefined || address === undefined) return undefined;
  const socket = createConnection(address);
  // Stopping a server can take a while.
  socket.setTimeout(
    localServerLimits.stop.voluntary + localServerLimits.stop.requested + gatewaySession.helloTimeout,
    () => socket.destroy(),
  );
  socket.write(`${JSON.stringify({ postern: 1, control: 'local', secret, ...request })}\n`);
  try {
    return reportSchema.parse(JSON.parse(await readText(socket)));
  } catch {
    return undefined;
  }
}

async function readEndpoint(folder: string): Promise<EndpointEntry | undefined> {
  try {
    const bytes = await readPlainFile(endpointFile(folder), { limit: gatewaySession.helloSize, follow: false });
    return bytes && endpointSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Whether a window or `postern serve` serves this profile's apps. Errors: CFG_*. */
export async function isGatewayRunning(folder: string): Promise<boolean> {
  const free = await tryLockFile(lockFilePath(folder, 'gateway'));
  free?.release();
  return !free;
}

/** How long to wait for a gateway to yield, in total, and between two checks. Milliseconds. */
interface HandOverTiming {
  readonly wait: number;
  readonly total: number;
  readonly pollInterval: number;
}

/**
 * Takes the gateway lock, so that nothing serves this profile's apps until `release`. Asks the current gateway to end
 * and gives it all the time its last responses may take. Errors: GATEWAY_HELD, naming the gateway that stays; CFG_*.
 */
export async function stopGateway(
  folder: string,
  { wait, total, pollInterval }: HandOverTiming = gatewaySession.handOver,
): Promise<HeldLock> {
  let askedPid: number | undefined;
  for (
    let waited = 0, elapsed = 0;
    waited <= wait && elapsed <= total;
    waited += pollInterval, elapsed += pollInterval
  ) {
    const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
    if (lock) return lock;
    const holder = await readHolder(folder);
    if (holder?.isLeaving) waited = 0;
    // A gateway without an entry is just starting or ending. One that a pipe started has not been asked yet.
    else if (holder && holder.pid !== askedPid) {
      if (!holder.canYield) break;
      await requestYield(folder);
      askedPid = holder.pid;
    }
    await pause(pollInterval);
  }
  throw await gatewayHeldError(folder);
}

/** Names the gateway that serves the profile, so that the user can end it. Never rejects. */
export async function gatewayHeldError(folder: string): Promise<GatewayHeldError> {
  const holder = await readHolder(folder);
  return new GatewayHeldError('GATEWAY_HELD', {
    stage: 'gateway',
    detail: holder ? { holder: holder.kind, process: holder.pid } : {},
  });
}
