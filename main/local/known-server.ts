import type { LocalStatus } from '../local-ports.ts';
import type { PosternError } from '../postern-error.ts';
import { UnsentRequest } from '../request-error.ts';
import type { LocalChild } from './child-process.ts';
import { localServers } from './local-bounds.ts';
import { OutputTail } from './output-tail.ts';

/** What is known of one server on this computer while we run. */
export class KnownServer {
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
