import { setTimeout as pause } from 'node:timers/promises';
import { portsToTry } from '../../endpoint/choose-port.ts';
import { createHttpEndpoint } from '../../endpoint/http-endpoint.ts';
import { createSocketEndpoint } from '../../endpoint/socket-endpoint.ts';
import { socketPath } from '../../endpoint/socket-path.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { Endpoint } from '../../gateway-ports.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { openCatalogueStore } from '../../storage/catalogue-store.ts';
import { lockFilePath, tryLockFile } from '../../storage/lock-file.ts';
import { watchProfile } from '../../storage/watch-profile.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../open-command-engine.ts';
import { hasOption, idleExitValue, portValue } from '../options/option-values.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../output/printable.ts';

/** Milliseconds that requests under way get at the end; the process is ended after 5 s in any case. */
const lastAnswers = 4_000;
/** Milliseconds between two looks whether anything is still to do. */
const look = 200;

/** `postern serve`: answers programs until it is ended, or nobody has needed it for `--idle-exit`. Errors: GATEWAY_HELD, CFG_*. */
export async function serve(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  const idleExit = idleExitValue(args);
  const { ports, programs, folder } = await openCommandEngine(context);
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw new PosternError('GATEWAY_HELD', { stage: 'gateway' });
  const gateway = new Gateway({
    ...ports,
    programs,
    catalogue: openCatalogueStore(folder),
    allowUnknown: hasOption(args, 'allow-unknown'),
    onSession: (event) => output.event('session', { ...event }),
  });
  const path = socketPath(folder, process.env);
  const endpoints: Endpoint[] = [];
  try {
    const socket = createSocketEndpoint({ path, open: (hello, line) => gateway.open(hello, line) });
    await socket.listen();
    endpoints.push(socket);
    const http = hasOption(args, 'http') ? await listenForHttp(gateway, ports.store, portValue(args)) : undefined;
    if (http) endpoints.push(http.endpoint);
    const stopWatching = watchProfile(folder, () => void gateway.changed());
    output.event('serving', { socket: path, ...(http && { http: http.url }) });
    output.say(`Serving programs at ${printableLine(path)}${http ? ` and ${http.url}` : ''}. Ctrl-C ends it.`);
    await untilNobodyNeedsIt(gateway, idleExit, signal);
    stopWatching();
    for (const endpoint of endpoints) endpoint.stopAccepting();
    for (let waited = 0; !gateway.isIdle && waited < lastAnswers; waited += look) await pause(look);
    return { fields: {} };
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await gateway.close();
    lock.release();
  }
}

/** The way in over HTTP: its port is kept, since entries of programs hold it. Errors: GATEWAY_PORT, CFG_*. */
async function listenForHttp(
  gateway: Gateway,
  store: IntegrationStore,
  typed: number | undefined,
): Promise<{ readonly endpoint: Endpoint; readonly url: string }> {
  const kept = typed ?? (await store.settings()).gatewayPort;
  let failure: unknown;
  for (const port of kept === undefined ? portsToTry(Math.random()) : [kept]) {
    const endpoint = createHttpEndpoint({ port, admit: (secret, server) => gateway.admitBearer(secret, server) });
    try {
      await endpoint.listen();
    } catch (error) {
      failure = error;
      continue;
    }
    await store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
    return { endpoint, url: `http://127.0.0.1:${port}/mcp` };
  }
  throw failure;
}

/** Resolves when the person ends it, or when there has been no session for `seconds`. */
async function untilNobodyNeedsIt(gateway: Gateway, seconds: number | undefined, signal: AbortSignal): Promise<void> {
  let unneededSince = performance.now();
  while (!signal.aborted) {
    await pause(look, undefined, { signal }).catch(() => {});
    if (gateway.sessions > 0) unneededSince = performance.now();
    if (seconds !== undefined && performance.now() - unneededSince >= seconds * 1_000) return;
  }
}
