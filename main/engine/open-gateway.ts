import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { portsToTry } from '../endpoint/choose-port.ts';
import { createHttpEndpoint } from '../endpoint/http-endpoint.ts';
import { createSocketEndpoint } from '../endpoint/socket-endpoint.ts';
import { newPipeName, socketPath } from '../endpoint/socket-path.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { GatewayWatch, SessionEvent } from '../gateway/gateway-around.ts';
import { LastUse } from '../gateway/last-use.ts';
import type { Endpoint, ProgramRecords } from '../gateway-ports.ts';
import type { EnginePorts } from '../integration/engine-ports.ts';
import { PosternError } from '../postern-error.ts';
import { openActivityStore } from '../storage/activity-store.ts';
import { openCatalogueStore } from '../storage/catalogue-store.ts';
import { lockFilePath, tryLockFile } from '../storage/lock-file.ts';
import { watchProfile } from '../storage/watch-profile.ts';
import { forgetEndpoint, keepEndpoint } from './hand-over.ts';

export interface GatewayOptions {
  readonly ports: EnginePorts;
  readonly programs: ProgramRecords;
  /** The profile folder. */
  readonly folder: string;
  /** A program that nobody has added may use everything. */
  readonly allowUnknown?: boolean;
  readonly onSession?: (event: SessionEvent) => void;
  /** What a window shows of what programs do. */
  readonly watch?: GatewayWatch;
  /** A window wants to serve in its place; left out, it never makes room. */
  readonly onAskedToYield?: () => void;
}

/** What serves the programs of a profile: the only one, as long as it is open. */
export interface OpenGateway {
  readonly gateway: Gateway;
  /** Where pipes find it. */
  readonly socket: string;
  /** The way in over HTTP: its port is kept, since entries of programs hold it. Answers its address. Errors: GATEWAY_PORT, CFG_*. */
  listenForHttp(port?: number): Promise<string>;
  /** Lets no new program in, waits at most `patience` milliseconds for what is under way, and ends. Never rejects. */
  close(patience: number): Promise<void>;
}

/** Milliseconds between two looks whether anything is still under way. */
const look = 50;

/** Errors: GATEWAY_HELD where another process serves this profile, CFG_*. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  const { ports, programs, folder, onAskedToYield } = options;
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw new PosternError('GATEWAY_HELD', { stage: 'gateway' });
  const isOn = async (): Promise<boolean> => (await ports.store.settings()).activity !== 'off';
  const activity = openActivityStore({ profileFolder: folder, isOn });
  const lastUse = new LastUse({ programs, isOn });
  const gateway = new Gateway({
    ...ports,
    activity: {
      add(call) {
        activity.add(call);
        lastUse.note(call);
      },
    },
    programs,
    catalogue: openCatalogueStore(folder),
    allowUnknown: options.allowUnknown ?? false,
    onSession: options.onSession ?? (() => {}),
    ...options.watch,
  });
  const pipe = newPipeName(process.platform);
  const path = pipe ?? socketPath(folder, process.env);
  const handOver = onAskedToYield && { secret: randomBytes(32).toString('hex'), onAsked: onAskedToYield };
  const keepsEndpoint = handOver !== undefined || pipe !== undefined;
  const socket = createSocketEndpoint({ path, open: (hello, line) => gateway.open(hello, line), handOver });
  const endpoints: Endpoint[] = [socket];
  const stopWatching = watchProfile(folder, () => void gateway.changed());

  async function close(patience: number): Promise<void> {
    stopWatching();
    for (const endpoint of endpoints) endpoint.stopAccepting();
    const isIdle = (): boolean => gateway.isIdle && endpoints.every((endpoint) => endpoint.isIdle);
    for (let waited = 0; !isIdle() && waited < patience; waited += look) await pause(look);
    await Promise.allSettled(endpoints.map((endpoint) => endpoint.close()));
    await gateway.close();
    await activity.flush();
    await lastUse.settle();
    if (keepsEndpoint) forgetEndpoint(folder);
    lock?.release();
  }

  try {
    await gateway.changed();
    // Before anybody can ask: who finds the socket finds the secret too.
    if (keepsEndpoint)
      await keepEndpoint(folder, { ...(handOver && { secret: handOver.secret }), ...(pipe !== undefined && { pipe }) });
    await socket.listen();
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    gateway,
    socket: path,
    close,
    async listenForHttp(chosen) {
      const kept = chosen ?? (await ports.store.settings()).gatewayPort;
      let failure: unknown;
      for (const port of kept === undefined ? portsToTry(Math.random()) : [kept]) {
        const endpoint = createHttpEndpoint({ port, admit: (secret, server) => gateway.admitBearer(secret, server) });
        try {
          await endpoint.listen();
        } catch (error) {
          failure = error;
          continue;
        }
        endpoints.push(endpoint);
        if (port !== kept || chosen !== undefined)
          await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
        return `http://127.0.0.1:${port}/mcp`;
      }
      throw failure;
    },
  };
}
