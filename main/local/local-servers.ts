import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { variableName } from '../../shared/shown-command.ts';
import { PosternError } from '../errors/postern-error.ts';
import { CommandNotFound, UnsentRequest } from '../errors/request-error.ts';
import { localServers } from '../local-ports.ts';
import type { LocalHearing, LocalProcess, LocalServers, LocalStatus, RunnableServer } from '../local-ports.ts';
import { wholeArguments } from '../secret.ts';
import { ChildNotes } from './child-notes.ts';
import { LocalChild, OutputTail } from './child-process.ts';
import {
  findCommand,
  isProgram,
  localEnvironment,
  notGivenForNetwork,
  requireFolder,
  searchPath,
} from './local-environment.ts';
import type { SearchPath } from './local-environment.ts';

interface LocalOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly backOff?: { readonly first: number; readonly longest: number };
}

/** Servers on this computer, as the processes that they are. `env`: of this process. `backOff`: milliseconds. */
export function createLocalServers(
  profileFolder: string,
  { env = process.env, backOff = localServers.backOff }: LocalOptions = {},
): LocalServers {
  const notes = new ChildNotes(profileFolder);
  const known = new Map<string, KnownServer>();
  const listeners = new Set<(id: string) => void>();
  const allowing = new Set<Parameters<LocalServers['onAllow']>[0]>();
  const closing = new AbortController();
  let searching: Promise<SearchPath> | undefined;
  /** The shell is asked until it answers, and left alone for a while after each time that it does not. */
  const searched = async (): Promise<SearchPath> => {
    searching ??= searchPath(env).then((found) => {
      if (found.trouble !== undefined) setTimeout(() => (searching = undefined), localServers.shellAgain).unref();
      return found;
    });
    return await searching;
  };

  function knownOf(id: string): KnownServer {
    const before = known.get(id);
    if (before) return before;
    const made = new KnownServer();
    known.set(id, made);
    return made;
  }

  function changed(id: string): void {
    for (const tell of listeners) tell(id);
  }

  async function run(
    server: KnownServer,
    { id, command: chosen, values }: RunnableServer,
    hearing: LocalHearing,
  ): Promise<LocalProcess> {
    const { command, path: file } = chosen;
    const words = wholeArguments(chosen, values);
    const folder = chosen.folder ?? homedir();
    requireFolder(folder);
    if (!isProgram(file)) throw new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', detail: { command } });
    const { value, trouble } = await searched();
    if (trouble !== undefined) server.output.add(Buffer.from(`${trouble}\n`));
    // What lies beside a command is what it goes with: `npx` starts the `node` that it finds first.
    const PATH = [path.dirname(file), value].filter((places) => places !== '').join(path.delimiter);
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
      env: localEnvironment(
        { ...env, PATH },
        Object.fromEntries(Object.entries(values).filter(([name]) => variableName.test(name))),
      ),
      onStarted: (pid: number) => {
        started = pid;
        notes.add(pid);
      },
      onEnded: (wasAsked: boolean) => {
        end();
        if (!wasAsked) server.noteEnd(command);
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
    return findCommand(command, folder, { searched: (await searched()).value, extensions });
  }

  return {
    shared: new Map(),
    async prepare(words, typed, writtenIn) {
      const [command = '', ...rest] = writtenIn === undefined ? words.map(fromHome) : words;
      const whole = writtenIn === undefined && typed !== undefined ? fromHome(typed) : typed;
      const folder = whole === undefined ? undefined : path.resolve(writtenIn ?? homedir(), whole);
      const isPlace = command.includes('/') || command.includes(path.sep);
      const file = writtenIn !== undefined && isPlace ? path.resolve(writtenIn, command) : command;
      const place = { command, path: await resolve(file, folder), arguments: rest };
      return folder === undefined ? place : { ...place, folder };
    },
    resolve,
    notGiven: (command) => notGivenForNetwork(env, command),
    async start({ id, read }, hearing, signal) {
      const server = knownOf(id);
      const ending = AbortSignal.any([signal, closing.signal]);
      server.starting += 1;
      try {
        // Others may have tried meanwhile, and failed.
        let runnable = await read();
        for (;;) {
          const wait = server.timeToRest(backOff);
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
      return server.status();
    },
    output: (id, since) => known.get(id)?.output.read(since) ?? { text: '', total: 0 },
    async allow(id) {
      knownOf(id).allow();
      changed(id);
      await Promise.allSettled([...allowing].map(async (tell) => tell(id)));
    },
    onAllow(tell) {
      allowing.add(tell);
      return () => allowing.delete(tell);
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
    hurry() {
      for (const server of known.values()) for (const { child } of server.running.values()) child.hurry();
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

/** What is known of one server on this computer while we run. */
class KnownServer {
  readonly output = new OutputTail(localServers.output);
  /** By the number of the process. */
  readonly running = new Map<number, { readonly child: LocalChild; readonly startedAt: number }>();
  starting = 0;
  isStopped = false;
  /** Moments of ends that nobody asked for. */
  #ends: number[] = [];
  /** It ended too often, and is not started before a person wants it. */
  #failure: PosternError | undefined;

  /** It ended, and nobody had asked for that. */
  noteEnd(command: string): void {
    this.#ends.push(performance.now());
    const times = this.#recentEnds().length;
    if (times < localServers.ends.count) return;
    const detail = { command, times };
    this.#failure = new UnsentRequest('LOCAL_EXITED', { stage: 'local', detail, remedy: { kind: 'start-server' } });
  }

  /** It may start again: what ended it is forgotten. */
  allow(): void {
    this.isStopped = false;
    this.#ends = [];
    this.#failure = undefined;
  }

  /** Milliseconds until it may start again. Errors: LOCAL_STOPPED, LOCAL_EXITED. */
  timeToRest(backOff: { readonly first: number; readonly longest: number }): number {
    if (this.isStopped) throw new UnsentRequest('LOCAL_STOPPED', { stage: 'local' });
    if (this.#failure) throw this.#failure;
    const ends = this.#recentEnds();
    const last = ends.at(-1);
    if (last === undefined) return 0;
    return Math.max(0, last + Math.min(backOff.longest, backOff.first * 2 ** (ends.length - 1)) - performance.now());
  }

  status(): LocalStatus {
    const processes = [...this.running].map(([pid, { startedAt }]) => ({ pid, startedAt }));
    const state = this.#state();
    return { state, processes, ...(state === 'failed' && { failure: this.#failure }) };
  }

  #state(): LocalStatus['state'] {
    if (this.isStopped) return 'stopped';
    // Others may still run, and whoever asks for it gets none.
    if (this.#failure) return 'failed';
    if (this.running.size > 0) return 'running';
    if (this.starting > 0) return this.#recentEnds().length > 0 ? 'waiting' : 'starting';
    return 'off';
  }

  #recentEnds(): readonly number[] {
    this.#ends = this.#ends.filter((end) => performance.now() - end < localServers.ends.within);
    return this.#ends;
  }
}
