import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { displayText } from '../../address/display-text.ts';
import { gatewayUrlOf } from '../../apps/app-dependencies.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, Endpoint, OpenSession, AppRecords } from '../../gateway-ports.ts';
import type { GatewayObserver, SessionEvent } from '../../gateway/gateway-dependencies.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { LastUse } from '../../gateway/responses/call-log.ts';
import { gatewaySession } from '../../limits.ts';
import { handleLocalRequest } from '../../local-ports.ts';
import { endOrphans } from '../../local/child-pid-file.ts';
import { createControlEndpoint } from '../../net/endpoint/control-endpoint.ts';
import type { RunRemoteCommand } from '../../net/endpoint/control-endpoint.ts';
import { createHttpEndpoint } from '../../net/endpoint/http-endpoint.ts';
import { LoopbackListener, portsToTry } from '../../net/endpoint/loopback-listener.ts';
import type { LoopbackCredentials } from '../../net/endpoint/loopback-listener.ts';
import { createPipeServer, createSocketEndpoint } from '../../net/endpoint/socket-endpoint.ts';
import { controlSocketPath, newPipeName, socketPath } from '../../net/endpoint/socket-path.ts';
import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import { openActivityStore } from '../../storage/profile/activity-store.ts';
import { emptyRunFolder, watchProfile } from '../../storage/profile/profile-folder.ts';
import { openCatalogStore } from '../../storage/profile/server-files.ts';
import { knownDateStyle } from '../date-style.ts';
import { recordEndedServers } from './ended-servers.ts';
import {
  removeEndpoint,
  gatewayHeldError,
  GatewayHeldError,
  writeEndpoint,
  markEndpointLeaving,
  readHolder,
} from './gateway-holder.ts';
import type { GatewayHolder } from './gateway-holder.ts';

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
  readonly kind: GatewayHolder['kind'];
  /** Asks the user for consent, and shows app activity in the window. */
  readonly observer: GatewayObserver;
  /**
   * Whether pipes can also connect to a loopback port. Default: on Windows, where the native pipe knows no other way.
   */
  readonly hasLoopback?: boolean;
  /** A window wants to take over; without it, this gateway never yields. */
  readonly onYieldRequested?: () => void;
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
   * Accepts no new app, waits at most `timeout` milliseconds for what is in flight, and ends. With a larger
   * `totalTimeout`, each response restarts that wait, so that a slow computer does not cut off calls. `leavesCommands`:
   * running commands continue (`commandsEnded`). Never rejects.
   */
  close(timeout: number, totalTimeout?: number, options?: { readonly leavesCommands?: boolean }): Promise<void>;
  /** Resolves once the commands that run here have ended, or `signal` has ended them. Never rejects. */
  commandsEnded(signal: AbortSignal): Promise<void>;
}

/** Milliseconds between two checks whether anything is still in flight. */
const pollInterval = 50;

/** Errors: GATEWAY_HELD if another process serves this profile, CFG_*. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  const { ports, apps, folder, onYieldRequested, runCommand, hasLoopback = process.platform === 'win32' } = options;
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw await gatewayHeldError(folder);
  await endOrphans(folder);
  emptyRunFolder(folder);
  const stopRecording = recordEndedServers(folder, ports.local);
  const isOn = async (): Promise<boolean> => (await ports.store.settings()).activity !== 'off';
  const allowedOrigin = async (): Promise<string | undefined> =>
    (await ports.store.settings().catch(() => undefined))?.allowedOrigin;
  const activity = openActivityStore({ profileFolder: folder, isEnabled: isOn });
  const lastUse = new LastUse({ apps, collections: options.collections, isOn });
  let callCount = 0;
  const gateway = new Gateway({
    ...ports,
    activity: {
      add(call) {
        callCount += 1;
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
    await gateway.reloadSettings();
    gateway.retryServer(id);
  });
  const controlSecret = randomBytes(32).toString('hex');
  const handOver = onYieldRequested && { secret: randomBytes(32).toString('hex'), onAsked: onYieldRequested };
  const open: OpenSession = (hello, connection) => gateway.open(hello, connection);
  const socket = createSocketEndpoint({ path: pipePath, open });
  const loopbackListener = new LoopbackListener();
  let loopback: LoopbackCredentials | undefined;
  const loopbackEndpoint = createPipeServer(
    { open, admit: (client) => loopbackListener.admit(client) },
    async (server) => {
      loopback = await loopbackListener.listen(server);
    },
  );
  const controlPipe = newPipeName(process.platform);
  const control = createControlEndpoint({
    path: controlPipe ?? controlSocketPath(folder, process.env),
    secret: controlSecret,
    run: runCommand,
    onLocalRequest: (request) => handleLocalRequest(ports.local, request),
    handOver,
  });
  const dates = runCommand && knownDateStyle();
  const endpointEntry = () => ({
    kind: options.kind,
    pid: process.pid,
    ...(handOver && { secret: handOver.secret }),
    control: controlSecret,
    ...(pipe !== undefined && { pipe }),
    ...(dates && { dates }),
    ...(controlPipe !== undefined && { controlPipe }),
    ...(loopback && { loopback }),
  });
  let endpoints: readonly Endpoint[] = hasLoopback ? [socket, loopbackEndpoint] : [socket];
  let http: { readonly port: number; readonly address: string; readonly endpoint: Endpoint } | undefined;
  const stopWatching = watchProfile(folder, () => void gateway.reloadSettings());

  async function close(timeout: number, totalTimeout = timeout, { leavesCommands = false } = {}): Promise<void> {
    stopWatching();
    stopListening();
    for (const endpoint of endpoints) endpoint.stopAccepting();
    control.stopAccepting();
    await markEndpointLeaving(folder, { kind: options.kind, pid: process.pid });
    const ending = leavesCommands ? endpoints : [...endpoints, control];
    const isIdle = (): boolean => gateway.isIdle && ending.every((endpoint) => endpoint.isIdle);
    for (
      let idleTime = 0, elapsed = 0;
      !isIdle() && idleTime < timeout && elapsed < totalTimeout;
      elapsed += pollInterval
    ) {
      const before = callCount;
      await pause(pollInterval);
      idleTime = callCount > before ? 0 : idleTime + pollInterval;
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
    await gateway.reloadSettings();
    if (hasLoopback) await loopbackEndpoint.listen();
    await control.listen();
    // Written before apps can connect, so that whatever finds the socket finds the secrets too.
    await writeEndpoint(folder, endpointEntry());
    await socket.listen();
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    gateway,
    socket: pipePath,
    close,
    async commandsEnded(signal) {
      const isRunning = (): boolean => !control.isIdle && !signal.aborted;
      while (isRunning()) await pause(pollInterval);
      await control.close();
    },
    async listenForHttp(chosenPort) {
      const savedPort = chosenPort ?? (await ports.store.settings()).gatewayPort;
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
        if (port !== savedPort || chosenPort !== undefined)
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
interface PortHolder {
  readonly name: string;
  readonly pid: number;
}

/** State `LISTEN` in `/proc/net/tcp` (proc_pid_net(5)). */
const listenState = '0A';

/**
 * Addresses that occupy a port of 127.0.0.1, as `/proc/net/tcp` writes them on little-endian processors: loopback and
 * wildcard.
 */
const occupyingAddresses: ReadonlySet<string> = new Set([
  '0100007F',
  '00000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
]);

/** `undefined`: unknown, as for another user's process, or on a system other than Linux. Never rejects. */
async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const sockets = await listeningSockets(port);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
    for (const pid of sockets.size > 0 ? pids : []) {
      if (!(await holdsAnySocket(pid, sockets))) continue;
      const name = displayText(path.basename(await readlink(path.join('/proc', pid, 'exe'))));
      return { name, pid: Number(pid) };
    }
  } catch {
    // The process may have ended meanwhile.
  }
  return undefined;
}

async function listeningSockets(port: number): Promise<ReadonlySet<string>> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/u)));
  const found = rows.filter(
    (row) =>
      occupyingAddresses.has(row[1]?.slice(0, -hexPort.length - 1) ?? '') &&
      row[1]?.endsWith(`:${hexPort}`) &&
      row[3] === listenState,
  );
  return new Set(found.map((row) => `socket:[${row[9] ?? ''}]`));
}

async function holdsAnySocket(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
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
  const { pollInterval: step, wait: longest } = gatewaySession.handOver;
  for (let waited = 0; ; waited += step) {
    try {
      return await openGateway(options);
    } catch (error) {
      if (!(error instanceof GatewayHeldError) || waited > longest || signal.aborted) throw error;
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
  let cpuTime = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const used = (user + system) / 1_000;
    cpuTime += used;
    if (cpuTime < busyTime || used > quietTime) return;
    collect({ type: 'major', flavor: 'last-resort' });
    cpuTime = 0;
    last = process.cpuUsage();
  }, checkInterval).unref();
  return () => clearInterval(timer);
}
