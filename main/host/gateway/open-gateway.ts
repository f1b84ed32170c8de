import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { displayText } from '../../address/display-text.ts';
import { gatewayUrlOf } from '../../apps/app-engine.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, Endpoint, OpenSession, AppRecords } from '../../gateway-ports.ts';
import type { GatewayObserver, SessionEvent } from '../../gateway/gateway-ports.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { LastUse } from '../../gateway/responses/call-log.ts';
import { gatewaySession } from '../../limits.ts';
import { handleLocalRequest } from '../../local-ports.ts';
import type { LocalRequest } from '../../local-ports.ts';
import { endOrphans } from '../../local/child-pid-file.ts';
import { createCommandEndpoint } from '../../net/endpoint/command-endpoint.ts';
import type { RunRemoteCommand } from '../../net/endpoint/command-endpoint.ts';
import { createHttpEndpoint } from '../../net/endpoint/http-endpoint.ts';
import { LoopbackListener, portsToTry } from '../../net/endpoint/loopback-listener.ts';
import type { LoopbackCredentials } from '../../net/endpoint/loopback-listener.ts';
import { createPipeServer, createSocketEndpoint } from '../../net/endpoint/socket-endpoint.ts';
import { commandSocketPath, newPipeName, socketPath } from '../../net/endpoint/socket-path.ts';
import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import { openActivityStore } from '../../storage/profile/activity-store.ts';
import { emptyRunFolder, watchProfile } from '../../storage/profile/profile-folder.ts';
import { openCatalogStore } from '../../storage/profile/server-files.ts';
import { knownDateStyle } from '../date-style.ts';
import { recordEndedServers } from './ended-servers.ts';
import {
  removeEndpoint,
  gatewayHeldError,
  HeldGateway,
  writeEndpoint,
  markEndpointLeaving,
  readHolder,
} from './gateway-holder.ts';
import type { Holder } from './gateway-holder.ts';

export interface GatewayOptions {
  readonly ports: EnginePorts;
  readonly apps: AppRecords;
  readonly collections: Pick<Collections, 'list'>;
  /** The profile folder. */
  readonly folder: string;
  /** How the user types `postern` on this computer, in any folder; `undefined` if they cannot. */
  readonly command: string | undefined;
  /** Lets apps that the user has not added use everything. */
  readonly allowUnknown?: boolean;
  readonly onSession?: (event: SessionEvent) => void;
  /** What serves. */
  readonly kind: Holder['kind'];
  /** Asks the user for consent, and shows app activity in the window. */
  readonly observer: GatewayObserver;
  /**
   * Whether pipes can also connect to a loopback port. Default: on Windows, where the native pipe knows no other way.
   */
  readonly hasLoopback?: boolean;
  /** A window wants to take over; without it, this gateway never yields. */
  readonly onAskedToYield?: () => void;
  /** Runs a command that was typed in another process. */
  readonly runCommand?: RunRemoteCommand | undefined;
}

/** Serves the apps of a profile. There is only one while it is open. */
export interface OpenGateway {
  readonly gateway: Gateway;
  /** Where pipes connect. */
  readonly socket: string;
  /**
   * Opens the HTTP endpoint, on one port at a time. The port is saved, since app entries contain it; without `port` the
   * saved one is used. Returns the address. Errors: GATEWAY_PORT (the previous endpoint stays open), CFG_*.
   */
  listenForHttp(port?: number): Promise<string>;
  /**
   * Accepts no new app, waits at most `patience` milliseconds for what is in flight, and ends. With a larger `inAll`,
   * each response restarts that wait, so that a slow computer does not cut off calls. `leavesCommands`: running
   * commands continue (`commandsEnded`). Never rejects.
   */
  close(patience: number, inAll?: number, how?: { readonly leavesCommands?: boolean }): Promise<void>;
  /** Resolves once the commands that run here have ended, or `signal` has ended them. Never rejects. */
  commandsEnded(signal: AbortSignal): Promise<void>;
}

/** Milliseconds between two checks whether anything is still in flight. */
const pollInterval = 50;

/** Errors: GATEWAY_HELD if another process serves this profile, CFG_*. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  const { ports, apps, folder, onAskedToYield, runCommand, hasLoopback = process.platform === 'win32' } = options;
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw await gatewayHeldError(folder);
  await endOrphans(folder);
  emptyRunFolder(folder);
  const stopRecording = recordEndedServers(folder, ports.local);
  const isOn = async (): Promise<boolean> => (await ports.store.settings()).activity !== 'off';
  const allowedOrigin = async (): Promise<string | undefined> =>
    (await ports.store.settings().catch(() => undefined))?.allowedOrigin;
  const activity = openActivityStore({ profileFolder: folder, isOn });
  const lastUse = new LastUse({ apps, collections: options.collections, isOn });
  let answered = 0;
  const gateway = new Gateway({
    ...ports,
    activity: {
      add(call) {
        answered += 1;
        activity.add(call);
        lastUse.note(call);
      },
    },
    apps,
    collections: options.collections,
    catalog: openCatalogStore(folder),
    allowUnknown: options.allowUnknown ?? false,
    command: options.command,
    onSession: options.onSession ?? (() => {}),
    ...options.observer,
  });
  const pipe = newPipeName(process.platform);
  const pipePath = pipe ?? socketPath(folder, process.env);
  const stopListening = ports.local.onAllow(async (id) => {
    // Other settings that changed with it apply from the next process.
    await gateway.changed();
    gateway.retryServer(id);
  });
  const control = {
    secret: randomBytes(32).toString('hex'),
    onAsked: (ask: LocalRequest) => handleLocalRequest(ports.local, ask),
  };
  const handOver = onAskedToYield && { secret: randomBytes(32).toString('hex'), onAsked: onAskedToYield };
  const open: OpenSession = (hello, line) => gateway.open(hello, line);
  const socket = createSocketEndpoint({ path: pipePath, open, handOver, control });
  const door = new LoopbackListener();
  let loopback: LoopbackCredentials | undefined;
  const byPort = createPipeServer({ open, admit: (client) => door.admit(client) }, async (server) => {
    loopback = await door.listen(server);
  });
  const commandPipe = newPipeName(process.platform);
  const commands =
    runCommand &&
    createCommandEndpoint({
      path: commandPipe ?? commandSocketPath(folder, process.env),
      secret: control.secret,
      run: runCommand,
    });
  const dates = commands && knownDateStyle();
  const endpointEntry = () => ({
    kind: options.kind,
    pid: process.pid,
    ...(handOver && { secret: handOver.secret }),
    control: control.secret,
    ...(pipe !== undefined && { pipe }),
    ...(commands && { dates }),
    ...(commands && commandPipe !== undefined && { commandPipe }),
    ...(loopback && { loopback }),
  });
  let endpoints: readonly Endpoint[] = hasLoopback ? [socket, byPort] : [socket];
  let http: { readonly port: number; readonly address: string; readonly endpoint: Endpoint } | undefined;
  const stopWatching = watchProfile(folder, () => void gateway.changed());

  async function close(patience: number, inAll = patience, { leavesCommands = false } = {}): Promise<void> {
    stopWatching();
    stopListening();
    for (const endpoint of endpoints) endpoint.stopAccepting();
    commands?.stopAccepting();
    await markEndpointLeaving(folder, { kind: options.kind, pid: process.pid });
    const ending = leavesCommands || !commands ? endpoints : [...endpoints, commands];
    const isIdle = (): boolean => gateway.isIdle && ending.every((endpoint) => endpoint.isIdle);
    for (let quiet = 0, all = 0; !isIdle() && quiet < patience && all < inAll; all += pollInterval) {
      const before = answered;
      await pause(pollInterval);
      quiet = answered > before ? 0 : quiet + pollInterval;
    }
    await Promise.allSettled(ending.map((endpoint) => endpoint.close()));
    await gateway.close();
    await activity.flush();
    await lastUse.settle();
    stopRecording();
    removeEndpoint(folder);
    lock?.release();
  }

  try {
    await gateway.changed();
    if (hasLoopback) await byPort.listen();
    // Before anyone can connect: a client that finds the socket finds the secret too.
    await writeEndpoint(folder, endpointEntry());
    await socket.listen();
    // Without it, commands run on their own.
    await commands?.listen().catch(() => {});
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    gateway,
    socket: pipePath,
    close,
    async commandsEnded(signal) {
      const isRunning = (): boolean => commands?.isIdle === false && !signal.aborted;
      while (isRunning()) await pause(pollInterval);
      await commands?.close();
    },
    async listenForHttp(chosen) {
      const savedPort = chosen ?? (await ports.store.settings()).gatewayPort;
      const before = http;
      if (before && (savedPort === undefined || before.port === savedPort)) return before.address;
      let failure: unknown;
      for (const port of savedPort === undefined ? portsToTry(Math.random()) : [savedPort]) {
        const endpoint = createHttpEndpoint({
          port,
          admit: (secret, server) => gateway.admitBearer(secret, server),
          allowedOrigin,
        });
        try {
          await endpoint.listen();
        } catch (error) {
          failure = error;
          continue;
        }
        endpoints = [...endpoints.filter((each) => each !== before?.endpoint), endpoint];
        if (port !== savedPort || chosen !== undefined)
          await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
        const address = gatewayUrlOf(port);
        http = { port, address, endpoint };
        await before?.endpoint.close();
        await writeEndpoint(folder, { ...endpointEntry(), http: address });
        return address;
      }
      const holder = savedPort === undefined ? undefined : await portHolder(savedPort);
      if (!holder) throw failure;
      const detail = { port: savedPort ?? 0, app: holder.name, process: holder.pid };
      throw new PosternError('GATEWAY_PORT', { stage: 'gateway', cause: failure, detail });
    },
  };
}

/** The process that listens on a local port. */
export interface PortHolder {
  readonly name: string;
  readonly pid: number;
}

/** State `LISTEN` in `/proc/net/tcp` (proc_pid_net(5)). */
const listening = '0A';

/**
 * Addresses that occupy a port of 127.0.0.1, as `/proc/net/tcp` writes them on little-endian processors: loopback and
 * wildcard.
 */
const here: ReadonlySet<string> = new Set([
  '0100007F',
  '00000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
]);

/** `undefined`: unknown, as for another user's process, or on a system other than Linux. Never rejects. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const sockets = await listeningSockets(port);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
    for (const pid of sockets.size > 0 ? pids : []) {
      if (!(await holdsOne(pid, sockets))) continue;
      const name = displayText(path.basename(await readlink(path.join('/proc', pid, 'exe'))));
      return { name, pid: Number(pid) };
    }
  } catch {
    // The process may have ended meanwhile.
  }
  return undefined;
}

async function listeningSockets(port: number): Promise<ReadonlySet<string>> {
  const inHex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/u)));
  const found = rows.filter(
    (row) =>
      here.has(row[1]?.slice(0, -inHex.length - 1) ?? '') && row[1]?.endsWith(`:${inHex}`) && row[3] === listening,
  );
  return new Set(found.map((row) => `socket:[${row[9] ?? ''}]`));
}

async function holdsOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = path.join('/proc', pid, 'fd');
  for (const name of await readdir(folder).catch(() => [])) {
    if (sockets.has(await readlink(path.join(folder, name)).catch(() => ''))) return true;
  }
  return false;
}

/**
 * Serves once the gateway that is shutting down has ended. A pipe that starts at that moment finds nothing and starts
 * Postern once, so giving up would leave its app without a gateway. Errors: those of `openGateway`.
 */
export async function openGatewayWhenFree(
  options: GatewayOptions,
  signal: AbortSignal,
  wait: (milliseconds: number) => Promise<unknown> = pause,
): Promise<OpenGateway> {
  const { look: step, wait: longest } = gatewaySession.handOver;
  for (let waited = 0; ; waited += step) {
    try {
      return await openGateway(options);
    } catch (error) {
      if (!(error instanceof HeldGateway) || waited > longest || signal.aborted) throw error;
      const holder = await readHolder(options.folder);
      // A gateway without an entry is just starting or ending.
      if (holder && !holder.isLeaving) throw error;
    }
    await wait(step);
  }
}

/**
 * Milliseconds: between two checks; of CPU time that makes a collection worthwhile; of CPU time in a quiet interval.
 */
const checkInterval = 500;
const busyTime = 250;
const quietTime = 25;

/**
 * Node collects garbage only when it needs room, so an idle service would keep the memory of its busiest moment.
 * Collects once it has worked and is quiet, which takes some 30 ms. Returns a function that stops it.
 */
export function collectGarbageWhenIdle(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  let last = process.cpuUsage();
  let worked = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const now = (user + system) / 1_000;
    worked += now;
    if (worked < busyTime || now > quietTime) return;
    collect({ type: 'major', flavor: 'last-resort' });
    worked = 0;
    last = process.cpuUsage();
  }, checkInterval).unref();
  return () => clearInterval(timer);
}
