import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { displayText } from '../../address/display-text.ts';
import { gatewayUrlOf } from '../../apps/program-engine.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, Endpoint, OpenSession, ProgramRecords } from '../../gateway-ports.ts';
import type { GatewayWatch, SessionEvent } from '../../gateway/gateway-ports.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { LastUse } from '../../gateway/answers/call-log.ts';
import { gatewaySession } from '../../limits.ts';
import { answerLocal } from '../../local-ports.ts';
import type { LocalAsk } from '../../local-ports.ts';
import { endOrphans } from '../../local/child-notes.ts';
import { createCommandEndpoint } from '../../net/endpoint/command-endpoint.ts';
import type { RunRemoteCommand } from '../../net/endpoint/command-endpoint.ts';
import { createHttpEndpoint } from '../../net/endpoint/http-endpoint.ts';
import { LoopbackDoor, portsToTry } from '../../net/endpoint/loopback-door.ts';
import type { LoopbackPlace } from '../../net/endpoint/loopback-door.ts';
import { createPipeServer, createSocketEndpoint } from '../../net/endpoint/socket-endpoint.ts';
import { commandSocketPath, newPipeName, socketPath } from '../../net/endpoint/socket-path.ts';
import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import { openActivityStore } from '../../storage/profile/activity-store.ts';
import { emptyRunFolder, watchProfile } from '../../storage/profile/profile-folder.ts';
import { openCatalogueStore } from '../../storage/profile/server-files.ts';
import { knownDateStyle } from '../date-style.ts';
import { noteEnded } from './ended-servers.ts';
import { forgetEndpoint, heldError, HeldGateway, keepEndpoint, leaveEndpoint, readHolder } from './gateway-holder.ts';
import type { Holder } from './gateway-holder.ts';

export interface GatewayOptions {
  readonly ports: EnginePorts;
  readonly programs: ProgramRecords;
  readonly collections: Pick<Collections, 'list'>;
  /** The profile folder. */
  readonly folder: string;
  /** How a person types `postern` on this computer, wherever they stand; `undefined` where they cannot. */
  readonly command: string | undefined;
  /** A program that nobody has added may use everything. */
  readonly allowUnknown?: boolean;
  readonly onSession?: (event: SessionEvent) => void;
  /** What serves. */
  readonly kind: Holder['kind'];
  /** Who is asked, and what a window shows of what programs do. */
  readonly watch: GatewayWatch;
  /** Pipes come in by a port of this computer too. Left out: on Windows, where the native one knows no other way. */
  readonly hasLoopback?: boolean;
  /** A window wants to serve in its place; left out, it never makes room. */
  readonly onAskedToYield?: () => void;
  /** Runs a command that was typed elsewhere. */
  readonly runCommand?: RunRemoteCommand | undefined;
}

/** What serves the programs of a profile: the only one, as long as it is open. */
export interface OpenGateway {
  readonly gateway: Gateway;
  /** Where pipes find it. */
  readonly socket: string;
  /**
   * Opens the way in over HTTP, at one port at a time. The port is kept, since entries of programs hold it; without
   * `port` it is the kept one.
   * Answers its address. Errors: GATEWAY_PORT (then the way of before stays), CFG_*.
   */
  listenForHttp(port?: number): Promise<string>;
  /**
   * Lets no new program in, waits at most `patience` milliseconds for what is under way, and ends. With a longer
   * `inAll` they begin anew with each answer, so that a slow computer ends no call that goes on. `leavesCommands`: those
   * that run here go on (`commandsEnded`). Never rejects.
   */
  close(patience: number, inAll?: number, how?: { readonly leavesCommands?: boolean }): Promise<void>;
  /** Resolves once the commands that run here have ended, or have been ended by the signal. Never rejects. */
  commandsEnded(signal: AbortSignal): Promise<void>;
}

/** Milliseconds between two looks whether anything is still under way. */
const look = 50;

/** Errors: GATEWAY_HELD where another process serves this profile, CFG_*. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  const { ports, programs, folder, onAskedToYield, runCommand, hasLoopback = process.platform === 'win32' } = options;
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw await heldError(folder);
  await endOrphans(folder);
  emptyRunFolder(folder);
  const stopNoting = noteEnded(folder, ports.local);
  const isOn = async (): Promise<boolean> => (await ports.store.settings()).activity !== 'off';
  const allowedOrigin = async (): Promise<string | undefined> =>
    (await ports.store.settings().catch(() => undefined))?.allowedOrigin;
  const activity = openActivityStore({ profileFolder: folder, isOn });
  const lastUse = new LastUse({ programs, collections: options.collections, isOn });
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
    programs,
    collections: options.collections,
    catalogue: openCatalogueStore(folder),
    allowUnknown: options.allowUnknown ?? false,
    command: options.command,
    onSession: options.onSession ?? (() => {}),
    ...options.watch,
  });
  const pipe = newPipeName(process.platform);
  const pipePath = pipe ?? socketPath(folder, process.env);
  const stopHearing = ports.local.onAllow(async (id) => {
    // What was set beside it holds from the next process on.
    await gateway.changed();
    gateway.lookAgain(id);
  });
  const control = {
    secret: randomBytes(32).toString('hex'),
    onAsked: (ask: LocalAsk) => answerLocal(ports.local, ask),
  };
  const handOver = onAskedToYield && { secret: randomBytes(32).toString('hex'), onAsked: onAskedToYield };
  const open: OpenSession = (hello, line) => gateway.open(hello, line);
  const socket = createSocketEndpoint({ path: pipePath, open, handOver, control });
  const door = new LoopbackDoor();
  let loopback: LoopbackPlace | undefined;
  const byPort = createPipeServer({ open, admit: (stranger) => door.admit(stranger) }, async (server) => {
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
  const told = () => ({
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
    stopHearing();
    for (const endpoint of endpoints) endpoint.stopAccepting();
    commands?.stopAccepting();
    await leaveEndpoint(folder, { kind: options.kind, pid: process.pid });
    const ending = leavesCommands || !commands ? endpoints : [...endpoints, commands];
    const isIdle = (): boolean => gateway.isIdle && ending.every((endpoint) => endpoint.isIdle);
    for (let quiet = 0, all = 0; !isIdle() && quiet < patience && all < inAll; all += look) {
      const before = answered;
      await pause(look);
      quiet = answered > before ? 0 : quiet + look;
    }
    await Promise.allSettled(ending.map((endpoint) => endpoint.close()));
    await gateway.close();
    await activity.flush();
    await lastUse.settle();
    stopNoting();
    forgetEndpoint(folder);
    lock?.release();
  }

  try {
    await gateway.changed();
    if (hasLoopback) await byPort.listen();
    // Before anybody can ask: who finds the socket finds the secret too.
    await keepEndpoint(folder, told());
    await socket.listen();
    // Without it commands run by themselves.
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
      const goOn = (): boolean => commands?.isIdle === false && !signal.aborted;
      while (goOn()) await pause(look);
      await commands?.close();
    },
    async listenForHttp(chosen) {
      const kept = chosen ?? (await ports.store.settings()).gatewayPort;
      const before = http;
      if (before && (kept === undefined || before.port === kept)) return before.address;
      let failure: unknown;
      for (const port of kept === undefined ? portsToTry(Math.random()) : [kept]) {
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
        if (port !== kept || chosen !== undefined)
          await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
        const address = gatewayUrlOf(port);
        http = { port, address, endpoint };
        await before?.endpoint.close();
        await keepEndpoint(folder, { ...told(), http: address });
        return address;
      }
      const holder = kept === undefined ? undefined : await portHolder(kept);
      if (!holder) throw failure;
      const detail = { port: kept ?? 0, program: holder.name, process: holder.pid };
      throw new PosternError('GATEWAY_PORT', { stage: 'gateway', cause: failure, detail });
    },
  };
}

/** Who listens at a port of this computer. */
export interface PortHolder {
  readonly name: string;
  readonly pid: number;
}

/** State `LISTEN` in `/proc/net/tcp` (proc_pid_net(5)). */
const listening = '0A';

/** What takes a port of 127.0.0.1, as the same tables write addresses on processors of today: it, and every address. */
const here: ReadonlySet<string> = new Set([
  '0100007F',
  '00000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
]);

/** `undefined`: it cannot be told, as of another user's program, and on other systems than Linux. Never rejects. */
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
    // It may have ended meanwhile.
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
 * Serves once whoever is leaving has left. The pipe of a program that starts at such a moment finds nobody, and starts
 * Postern once: nobody else would come. Errors: those of `openGateway`.
 */
export async function openGatewayInTurn(
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
      // One that says nothing of itself begins or ends at this moment.
      if (holder && !holder.isLeaving) throw error;
    }
    await wait(step);
  }
}

/** Milliseconds between two looks, of work after which one collection is worth it, and of work in a quiet moment. */
const checkInterval = 500;
const much = 250;
const little = 25;

/**
 * Node looks for garbage when it needs room: a service would keep all that its busiest moment took, since nobody calls
 * it then. So that is looked for once it has worked and is quiet, which takes some 30 ms. Answers what ends it.
 */
export function collectWhenQuiet(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  let last = process.cpuUsage();
  let worked = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const now = (user + system) / 1_000;
    worked += now;
    if (worked < much || now > little) return;
    collect({ type: 'major', flavor: 'last-resort' });
    worked = 0;
    last = process.cpuUsage();
  }, checkInterval).unref();
  return () => clearInterval(timer);
}
