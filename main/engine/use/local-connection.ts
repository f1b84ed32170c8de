import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { commandHash } from '../../local-ports.ts';
import type {
  LocalProcessListener,
  LocalProcess,
  LocalServers,
  ServerToStart,
  SharedServer,
} from '../../local-ports.ts';
import { lastPrintedLine } from '../../server-words.ts';
import type { InvalidResponse } from '../../mcp/http/mcp-failure.ts';
import { SharedProcess } from '../../mcp/stdio/shared-process.ts';
import { stdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { requireAllowed } from '../records/local-consent.ts';

export type LocalServer = NonNullable<ServerAddress['local']>;

/**
 * A connection to a local server, with its own process or the shared one. Consent is checked at every start: without
 * it, or after the command changed, nothing starts.
 */
export function localConnection(
  { vault, store, local, clock }: Pick<EnginePorts, 'vault' | 'store' | 'local' | 'clock'>,
  current: () => LocalServer,
): StdioTransport {
  return stdioTransport({
    clock,
    timeoutError: () => silentServer(local, current()),
    async start(listener, signal) {
      const { id, command } = current();
      const server = { id, read: async () => await requireAllowed({ vault, store }, current()) };
      return command.lifetime === 'shared'
        ? await joinShared(local, server, listener, signal)
        : await local.start(server, listener, signal);
    },
  });
}

/** Error for a command that responds, but not as an MCP server. Blames the command, since there is no address. */
export function invalidCommand(command: string, error: PosternError, fault?: InvalidResponse['fault']): PosternError {
  return new PosternError('LOCAL_INVALID', { stage: 'local', cause: error.cause, detail: { ...fault, command } });
}

/**
 * Error for a command that stays silent. Behind a company proxy, package runners such as `npx` may wait forever for a
 * download.
 */
export function silentServer(
  local: Pick<LocalServers, 'withheldVariables' | 'output'>,
  { id, command }: LocalServer,
): PosternError {
  const words = lastPrintedLine(local.output(id).text);
  const missing = local.withheldVariables(command);
  const detail = { command: command.command, ...(missing.length > 0 && { variables: missing }) };
  const help = missing.length > 0 && { remedy: { kind: 'connect-command' } as const };
  return new LostRequest('LOCAL_SILENT', { stage: 'local', purpose: 'mcp', detail, words, ...help });
}

/**
 * Joins a session to a server's shared process, which starts with the first session and ends with the last. `read`:
 * what may run, checked each time. Errors: those of `read` and of `LocalServers.start`.
 */
async function joinShared(
  local: LocalServers,
  { id, read }: ServerToStart,
  listener: LocalProcessListener,
  signal: AbortSignal,
): Promise<LocalProcess> {
  const { command } = await read();
  const all = local.shared;
  const before = all.get(id);
  const isReusable = before && !before.process.isOver && before.hash === commandHash(command);
  const shared = isReusable ? before : startShared(local, { id, read }, command.command, commandHash(command));
  all.set(id, shared);
  shared.waiting += 1;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([shared.started, aborted.promise]);
    return shared.process.join(listener);
  } catch (error) {
    if (!signal.aborted && all.get(id) === shared) all.delete(id);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    shared.waiting -= 1;
    if (shared.waiting === 0 && !shared.process.hasSessions) {
      // No session is left to run it for.
      if (all.get(id) === shared) all.delete(id);
      shared.abandon.abort(signal.reason);
      void shared.started.then(() => shared.process.stop()).catch(() => {});
    }
  }
}

function startShared(local: LocalServers, { id, read }: ServerToStart, command: string, hash: string): SharedServer {
  const abandon = new AbortController();
  const process = new SharedProcess(
    () => new LostRequest('LOCAL_EXITED', { stage: 'local', purpose: 'mcp', detail: { command } }),
  );
  const started = local.start({ id, read }, process.listener, abandon.signal).then((child) => process.attach(child));
  started.catch(() => {});
  return { hash, process, started, abandon, waiting: 0 };
}
