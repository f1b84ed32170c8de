import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocalHearing, LocalProcess, LocalServers, LocalStatus, RunnableServer } from '../local-ports.ts';
import { PosternError } from '../postern-error.ts';
import { UnsentRequest } from '../request-error.ts';
import { ChildNotes } from './child-notes.ts';
import { LocalChild } from './child-process.ts';
import { findCommand, isProgram, requireFolder } from './find-command.ts';
import { localEnvironment, searchPath } from './local-environment.ts';
import { OutputTail } from './output-tail.ts';
import { localServers } from './local-bounds.ts';

export interface LocalOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly backOff?: { readonly first: number; readonly longest: number };
}

/** What is known of one server while we run. */
interface Known {
  readonly output: OutputTail;
  /** By the number of the process. */
  readonly running: Map<number, { readonly child: LocalChild; readonly startedAt: number }>;
  /** Moments of ends that nobody asked for. */
  ends: number[];
  starting: number;
  isStopped: boolean;
}

/** Servers on this computer, as the processes that they are. `env`: of this process. `backOff`: milliseconds. */
export function createLocalServers(
  profileFolder: string,
  { env = process.env, backOff = localServers.backOff }: LocalOptions = {},
): LocalServers {
  const notes = new ChildNotes(profileFolder);
  const known = new Map<string, Known>();
  const listeners = new Set<(id: string) => void>();
  const closing = new AbortController();
  let searching: Promise<string> | undefined;
  /** The login shell is asked once. */
  const searched = (): Promise<string> => (searching ??= searchPath(env));

  function knownOf(id: string): Known {
    const before = known.get(id);
    if (before) return before;
    const made: Known = {
      output: new OutputTail(localServers.output),
      running: new Map(),
      ends: [],
      starting: 0,
      isStopped: false,
    };
    known.set(id, made);
    return made;
  }

  function changed(id: string): void {
    for (const tell of listeners) tell(id);
  }

  function recentEnds(server: Known): readonly number[] {
    server.ends = server.ends.filter((end) => performance.now() - end < localServers.ends.within);
    return server.ends;
  }

  /** Milliseconds until it may start again. Errors: LOCAL_STOPPED, LOCAL_EXITED. */
  function requireAllowed(server: Known, command: string): number {
    if (server.isStopped) throw new UnsentRequest('LOCAL_STOPPED', { stage: 'local' });
    const ends = recentEnds(server);
    if (ends.length >= localServers.ends.count) {
      throw new UnsentRequest('LOCAL_EXITED', { stage: 'local', detail: { command, times: ends.length } });
    }
    const last = ends.at(-1);
    if (last === undefined) return 0;
    return Math.max(0, last + Math.min(backOff.longest, backOff.first * 2 ** (ends.length - 1)) - performance.now());
  }

  async function run(
    server: Known,
    { id, command: chosen, values }: RunnableServer,
    hearing: LocalHearing,
  ): Promise<LocalProcess> {
    const { command, path: file, arguments: words } = chosen;
    const folder = chosen.folder ?? homedir();
    requireFolder(folder);
    if (!isProgram(file)) throw new UnsentRequest('LOCAL_NOT_FOUND', { stage: 'local', detail: { command } });
    const PATH = await searched();
    const running = [...known.values()].reduce((count, each) => count + each.running.size, 0);
    if (running >= localServers.running) throw new UnsentRequest('GATEWAY_BUSY', { stage: 'local' });
    let started = 0;
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
      notes.remove(started);
      server.running.delete(started);
    };
    const starting = {
      ...{ path: file, words, folder, command, output: server.output },
      env: localEnvironment({ ...env, PATH }, values),
      onStarted: (pid: number) => {
        started = pid;
        notes.add(pid);
      },
      onEnded: (wasAsked: boolean) => {
        end();
        if (!wasAsked) server.ends.push(performance.now());
        changed(id);
      },
    };
    const child = await LocalChild.start(starting, hearing).catch((error: unknown) => {
      end();
      throw error;
    });
    if (!hasEnded) server.running.set(started, { child, startedAt: Date.now() });
    return child;
  }

  async function resolve(command: string, folder: string | undefined): Promise<string> {
    if (folder !== undefined) requireFolder(folder);
    const extensions = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';');
    return findCommand(command, folder, { searched: await searched(), extensions });
  }

  return {
    shared: new Map(),
    async prepare(words, typed) {
      const [command = '', ...rest] = words.map(fromHome);
      const folder = typed === undefined ? undefined : path.resolve(homedir(), fromHome(typed));
      const place = { command, path: await resolve(command, folder), arguments: rest };
      return folder === undefined ? place : { ...place, folder };
    },
    resolve,
    async start({ id, read }, hearing, signal) {
      const server = knownOf(id);
      const ending = AbortSignal.any([signal, closing.signal]);
      server.starting += 1;
      try {
        // Others may have tried meanwhile, and failed.
        let runnable = await read();
        for (;;) {
          const wait = requireAllowed(server, runnable.command.command);
          if (wait === 0) break;
          changed(id);
          await pause(wait, undefined, { signal: ending }).catch(() => ending.throwIfAborted());
          runnable = await read();
        }
        ending.throwIfAborted();
        const child = await run(server, runnable, hearing);
        // It was stopped while it started.
        if (!server.isStopped && !closing.signal.aborted) return child;
        await child.stop();
        throw new UnsentRequest('LOCAL_STOPPED', { stage: 'local' });
      } finally {
        server.starting -= 1;
        changed(id);
      }
    },
    status(id): LocalStatus {
      const server = known.get(id);
      if (!server) return { state: 'off', processes: [] };
      const processes = [...server.running].map(([pid, { startedAt }]) => ({ pid, startedAt }));
      return { state: stateOf(server, recentEnds(server).length), processes };
    },
    output: (id, since) => known.get(id)?.output.read(since) ?? { text: '', total: 0 },
    allow(id) {
      const server = knownOf(id);
      server.isStopped = false;
      server.ends = [];
      changed(id);
    },
    async stop(id) {
      const server = knownOf(id);
      server.isStopped = true;
      changed(id);
      await Promise.all([...server.running.values()].map(({ child }) => child.stop()));
    },
    onChange(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    async close() {
      closing.abort(new PosternError('USER_CANCELLED', { stage: 'local' }));
      const running = [...known.values()].flatMap((server) => [...server.running.values()]);
      await Promise.all(running.map(({ child }) => child.stop()));
    },
  };
}

/** `~` is the shell's word for the home folder, and there is no shell. */
function fromHome(word: string): string {
  return /^~(?:[/\\]|$)/u.test(word) ? path.join(homedir(), word.slice(1)) : word;
}

function stateOf(server: Known, ends: number): LocalStatus['state'] {
  if (server.isStopped) return 'stopped';
  if (server.running.size > 0) return 'running';
  if (ends >= localServers.ends.count) return 'failed';
  if (server.starting > 0) return ends > 0 ? 'waiting' : 'starting';
  return 'off';
}
