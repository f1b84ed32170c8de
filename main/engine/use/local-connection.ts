import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest, printedWords } from '../../errors/request-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { LocalHearing, LocalProcess, LocalServers, ServerToStart, SharedServer } from '../../local-ports.ts';
import type { WrongAnswer } from '../../mcp/http/mcp-failure.ts';
import { SharedProcess } from '../../mcp/stdio/shared-process.ts';
import { stdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { requireAllowed } from '../kept/local-consent.ts';

export type LocalServer = NonNullable<ServerAddress['local']>;

/**
 * A connection to a server on this computer, with a process of its own, or the one that all share. That it may be started is asked each time that
 * it is: a consent that is gone, or a command that has changed, starts nothing.
 */
export function localConnection(
  { vault, store, local, clock }: Pick<EnginePorts, 'vault' | 'store' | 'local' | 'clock'>,
  current: () => LocalServer,
): StdioTransport {
  return stdioTransport({
    clock,
    silent: () => silentServer(local, current()),
    async start(hearing, signal) {
      const { id, command } = current();
      const server = { id, read: async () => await requireAllowed({ vault, store }, current()) };
      return command.lifetime === 'shared'
        ? await joinShared(local, server, hearing, signal)
        : await local.start(server, hearing, signal);
    },
  });
}

/** A command that answers, and not as an MCP server: it has no address that could be wrong. */
export function invalidCommand(command: string, error: PosternError, wrong?: WrongAnswer['wrong']): PosternError {
  return new PosternError('LOCAL_INVALID', { stage: 'local', cause: error.cause, detail: { ...wrong, command } });
}

/** Behind the proxy of a company `npx` and its like wait for code that never comes. */
export function silentServer(
  local: Pick<LocalServers, 'notGiven' | 'output'>,
  { id, command }: LocalServer,
): PosternError {
  const words = printedWords(local.output(id).text);
  const missing = local.notGiven(command);
  const detail = { command: command.command, ...(missing.length > 0 && { variables: missing }) };
  const help = missing.length > 0 && { remedy: { kind: 'connect-command' } as const };
  return new LostRequest('LOCAL_SILENT', { stage: 'local', purpose: 'mcp', detail, words, ...help });
}

/**
 * A session on the one process of a server, which starts with the first and ends with the last. `read`: what may run,
 * asked each time. Errors: those of `read`, and of `LocalServers.start`.
 */
async function joinShared(
  local: LocalServers,
  { id, read }: ServerToStart,
  hearing: LocalHearing,
  signal: AbortSignal,
): Promise<LocalProcess> {
  const { command } = await read();
  const all = local.shared;
  const before = all.get(id);
  const isFit = before && !before.process.isOver && before.hash === commandHash(command);
  const shared = isFit ? before : begin(local, { id, read }, command.command, commandHash(command));
  all.set(id, shared);
  shared.waiting += 1;
  const gone = Promise.withResolvers<never>();
  const leave = (): void => gone.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([shared.started, gone.promise]);
    return shared.process.join(hearing);
  } catch (error) {
    if (!signal.aborted && all.get(id) === shared) all.delete(id);
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    shared.waiting -= 1;
    if (shared.waiting === 0 && !shared.process.isUsed) {
      // Nobody is there for whom it would run.
      if (all.get(id) === shared) all.delete(id);
      shared.giveUp.abort(signal.reason);
      void shared.started.then(() => shared.process.stop()).catch(() => {});
    }
  }
}

function begin(local: LocalServers, { id, read }: ServerToStart, command: string, hash: string): SharedServer {
  const giveUp = new AbortController();
  const process = new SharedProcess(
    () => new LostRequest('LOCAL_EXITED', { stage: 'local', purpose: 'mcp', detail: { command } }),
  );
  const started = local.start({ id, read }, process.hearing, giveUp.signal).then((child) => process.begin(child));
  started.catch(() => {});
  return { hash, process, started, giveUp, waiting: 0 };
}
