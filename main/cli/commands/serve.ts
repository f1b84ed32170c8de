import { setTimeout as pause } from 'node:timers/promises';
import { createSocketEndpoint } from '../../endpoint/socket-endpoint.ts';
import { socketPath } from '../../endpoint/socket-path.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { PosternError } from '../../postern-error.ts';
import { openCatalogueStore } from '../../storage/catalogue-store.ts';
import { lockFilePath, tryLockFile } from '../../storage/lock-file.ts';
import { watchProfile } from '../../storage/watch-profile.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../open-command-engine.ts';
import { hasOption, idleExitValue } from '../options/option-values.ts';
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
  const endpoint = createSocketEndpoint({ path, open: (hello, line) => gateway.open(hello, line) });
  try {
    await endpoint.listen();
    const stopWatching = watchProfile(folder, () => void gateway.changed());
    output.event('serving', { socket: path });
    output.say(`Serving programs at ${printableLine(path)}. Ctrl-C ends it.`);
    await untilNobodyNeedsIt(gateway, idleExit, signal);
    stopWatching();
    endpoint.stopAccepting();
    for (let waited = 0; !gateway.isIdle && waited < lastAnswers; waited += look) await pause(look);
    return { fields: {} };
  } finally {
    await endpoint.close();
    await gateway.close();
    lock.release();
  }
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
