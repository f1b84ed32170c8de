import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { variableName } from '../../shared/command-display.ts';
import { PosternError } from '../errors/postern-error.ts';
import { CommandNotFound, UnsentRequest } from '../errors/request-error.ts';
import { localServerLimits } from '../local-ports.ts';
import type { LocalProcessListener, LocalProcess, LocalServers, LocalStatus, RunnableServer } from '../local-ports.ts';
import { unsealArguments } from '../secret.ts';
import { ChildPidFile } from './child-pid-file.ts';
import { LocalChild, OutputTail } from './child-process.ts';
import {
  findCommand,
  isExecutable,
  localEnvironment,
  withheldNetworkVariables,
  requireFolder,
  searchPath,
} from './local-environment.ts';
import type { SearchPath } from './local-environment.ts';

interface LocalOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly backOff?: { readonly first: number; readonly longest: number };
}

/** Runs local servers as child processes. `env`: of this process. `backOff`: milliseconds. */
export function createLocalServers(
  profileFolder: string,
  { env = process.env, backOff = localServerLimits.backOff }: LocalOptions = {},
): LocalServers {
  const pidFile = new ChildPidFile(profileFolder);
  const states = new Map<string, ServerState>();
  const listeners = new Set<(id: string) => void>();
  const allowListeners = new Set<Parameters<LocalServers['onAllow']>[0]>();
  const closing = new AbortController();
  let pathLookup: Promise<SearchPath> | undefined;
  /** Cached once the shell has reported its PATH; retried after a pause until then. */
  const resolvedPath = async (): Promise<SearchPath> => {
    pathLookup ??= searchPath(env).then((found) => {
      if (found.warning !== undefined) setTimeout(() => (pathLookup = undefined), localServerLimits.shellRetry).unref();
      return found;
    });
    return await pathLookup;
  };

  function stateOf(id: string): ServerState {
    const before = states.get(id);
    if (before) return before;
    const created = new ServerState();
    states.set(id, created);
    return created;
  }

  function notifyChange(id: string): void {
    for (const listener of listeners) listener(id);
  }

  async function run(
    server: ServerState,
    { id, command: localCommand, values }: RunnableServer,
    listener: LocalProcessListener,
  ): Promise<LocalProcess> {
    const { command, path: file } = localCommand;
    const words = unsealArguments(localCommand, values);
    const folder = localCommand.folder ?? homedir();
    requireFolder(folder);
    if (!isExecutable(file)) throw new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', detail: { command } });
    const { value, warning } = await resolvedPath();
    if (warning !== undefined) server.output.add(Buffer.from(`${warning}\n`));
    // The command's own folder first: `npx` starts the first `node` in PATH, which should be its own.
    const PATH = [path.dirname(file), value].filter((part) => part !== '').join(path.delimiter);
    const running = [...states.values()].reduce((count, each) => count + each.running.size, 0);
    if (running >= localServerLimits.running) throw new UnsentRequest('GATEWAY_BUSY', { stage: 'local' });
    let started = 0;
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
      pidFile.remove(started);
      server.running.delete(started);
    };
    const launch = {
      ...{ path: file, words, folder, command, output: server.output },
      env: localEnvironment(
        { ...env, PATH },
        Object.fromEntries(Object.entries(values).filter(([name]) => variableName.test(name))),
      ),
      onStarted: (pid: number) => {
        started = pid;
        pidFile.add(pid);
      },
      onEnded: (wasRequested: boolean) => {
        end();
        if (!wasRequested) server.recordExit(command);
        notifyChange(id);
      },
    };
    const child = await LocalChild.start(launch, listener).catch((error: unknown) => {
      end();
      throw error;
    });
    if (!hasEnded) server.running.set(started, { child, startedAt: Date.now() });
    return child;
  }

  async function resolve(command: string, folder: string | undefined): Promise<string> {
    if (folder !== undefined) requireFolder(folder);
    const extensions = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';');
    return findCommand(command, folder, { pathValue: (await resolvedPath()).value, extensions });
  }

  return {
    shared: new Map(),
    async prepare(words, folderArgument, workingFolder) {
      const [command = '', ...rest] = workingFolder === undefined ? words.map(expandHome) : words;
      const typedFolder =
        workingFolder === undefined && folderArgument !== undefined ? expandHome(folderArgument) : folderArgument;
      const folder = typedFolder === undefined ? undefined : path.resolve(workingFolder ?? homedir(), typedFolder);
      const isPath = command.includes('/') || command.includes(path.sep);
      const file = workingFolder !== undefined && isPath ? path.resolve(workingFolder, command) : command;
      const prepared = { command, path: await resolve(file, folder), arguments: rest };
      return folder === undefined ? prepared : { ...prepared, folder };
    },
    resolve,
    withheldVariables: (command) => withheldNetworkVariables(env, command),
    async start({ id, read }, listener, signal) {
      const server = stateOf(id);
      const stopSignal = AbortSignal.any([signal, closing.signal]);
      server.starting += 1;
      try {
        // Loop: another session may have tried and failed in the meantime.
        let runnable = await read();
        for (;;) {
          const wait = server.backOffDelay(backOff);
          if (wait === 0) break;
          notifyChange(id);
          await pause(wait, undefined, { signal: stopSignal }).catch(() => stopSignal.throwIfAborted());
          runnable = await read();
        }
        stopSignal.throwIfAborted();
        const child = await run(server, runnable, listener);
        // Stopped while it was starting.
        if (!server.isStopped && !closing.signal.aborted) return child;
        await child.stop();
        throw new UnsentRequest('LOCAL_STOPPED', { stage: 'local' });
      } finally {
        server.starting -= 1;
        notifyChange(id);
      }
    },
    status(id): LocalStatus {
      const server = states.get(id);
      if (!server) return { state: 'off', processes: [] };
      return server.status();
    },
    output: (id, since) => states.get(id)?.output.read(since) ?? { text: '', total: 0 },
    async allow(id) {
      stateOf(id).allow();
      notifyChange(id);
      await Promise.allSettled([...allowListeners].map(async (listener) => listener(id)));
    },
    onAllow(listener) {
      allowListeners.add(listener);
      return () => allowListeners.delete(listener);
    },
    async stop(id) {
      const server = stateOf(id);
      server.isStopped = true;
      notifyChange(id);
      await Promise.all([...server.running.values()].map(({ child }) => child.stop()));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hurry() {
      for (const server of states.values()) for (const { child } of server.running.values()) child.hurry();
    },
    async close() {
      closing.abort(new PosternError('USER_CANCELLED', { stage: 'local' }));
      const running = [...states.values()].flatMap((server) => [...server.running.values()]);
      await Promise.all(running.map(({ child }) => child.stop()));
    },
  };
}

/** Expands `~`, since no shell does. */
function expandHome(word: string): string {
  return /^~(?:[/\\]|$)/u.test(word) ? path.join(homedir(), word.slice(1)) : word;
}

/** State of one local server while Postern runs. */
class ServerState {
  readonly output = new OutputTail(localServerLimits.output);
  /** By PID. */
  readonly running = new Map<number, { readonly child: LocalChild; readonly startedAt: number }>();
  starting = 0;
  isStopped = false;
  /** Times of unrequested exits (monotonic, milliseconds). */
  #exits: number[] = [];
  /** It exited too often; not restarted until the user asks. */
  #failure: PosternError | undefined;

  /** Records an unrequested exit. */
  recordExit(command: string): void {
    this.#exits.push(performance.now());
    const times = this.#recentExits().length;
    if (times < localServerLimits.crashes.count) return;
    const detail = { command, times };
    this.#failure = new UnsentRequest('LOCAL_EXITED', { stage: 'local', detail, remedy: { kind: 'start-server' } });
  }

  /** Lets it start again and clears its exits. */
  allow(): void {
    this.isStopped = false;
    this.#exits = [];
    this.#failure = undefined;
  }

  /** Milliseconds until it may start again. Errors: LOCAL_STOPPED, LOCAL_EXITED. */
  backOffDelay(backOff: { readonly first: number; readonly longest: number }): number {
    if (this.isStopped) throw new UnsentRequest('LOCAL_STOPPED', { stage: 'local' });
    if (this.#failure) throw this.#failure;
    const exits = this.#recentExits();
    const last = exits.at(-1);
    if (last === undefined) return 0;
    return Math.max(0, last + Math.min(backOff.longest, backOff.first * 2 ** (exits.length - 1)) - performance.now());
  }

  status(): LocalStatus {
    const processes = [...this.running].map(([pid, { startedAt }]) => ({ pid, startedAt }));
    const state = this.#state();
    return { state, processes, ...(state === 'failed' && { failure: this.#failure }) };
  }

  #state(): LocalStatus['state'] {
    if (this.isStopped) return 'stopped';
    // Other processes may still run, but no new one is started.
    if (this.#failure) return 'failed';
    if (this.running.size > 0) return 'running';
    if (this.starting > 0) return this.#recentExits().length > 0 ? 'waiting' : 'starting';
    return 'off';
  }

  #recentExits(): readonly number[] {
    this.#exits = this.#exits.filter((end) => performance.now() - end < localServerLimits.crashes.within);
    return this.#exits;
  }
}
