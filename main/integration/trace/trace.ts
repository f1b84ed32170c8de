import type { Stage } from '../../../shared/error-codes.ts';
import type { TraceEntry, TracePurpose } from '../../../shared/trace.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery-context.ts';
import { toPlainError } from '../../plain-error.ts';
import type { Clock } from '../../ports.ts';
import { TraceRecord } from './trace-record.ts';
import type { TracedRequest } from './trace-record.ts';
import { TraceRedactor } from './trace-redactor.ts';

/** What the request was for that an error of a stage speaks of. */
const purposes: Readonly<Partial<Record<Stage, TracePurpose>>> = {
  registration: 'registration',
  authorization: 'authorization',
  callback: 'authorization',
  token: 'token',
};

/**
 * Every request of one discovery or sign-in, in the order in which they left, with what became of it. An entry is
 * told when the next request leaves, so that the last one can still say that the work stopped there.
 */
export class Trace {
  readonly #records: TraceRecord[] = [];
  readonly #redactor = new TraceRedactor();
  readonly #clock: () => number;
  readonly #onEntry: (entry: TraceEntry) => void;
  #told = 0;
  #stopped: TraceRecord | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, onEntry: (entry: TraceEntry) => void = () => {}) {
    const start = clock.monotonic();
    this.#clock = () => Math.max(0, Math.round(clock.monotonic() - start));
    this.#onEntry = onEntry;
  }

  /** Everything so far. */
  entries(): readonly TraceEntry[] {
    return this.#records.map((record) => record.describe());
  }

  begin(request: TracedRequest): TraceRecord {
    // A form that went out early gives way when another address is asked after all.
    const isOther = ({ purpose, url }: TraceRecord): boolean => purpose === request.purpose && url !== request.url;
    for (const record of this.#records) if (isOther(record) && !record.isJudged) record.judge('passed-over');
    for (const record of this.#records) record.catchUp();
    this.tell();
    const record = new TraceRecord(request, {
      number: this.#records.length + 1,
      clock: this.#clock,
      redactor: this.#redactor,
      isNamed: (url) => this.#records.some(({ challenge }) => hrefOf(challenge?.resourceMetadata) === url),
    });
    this.#records.push(record);
    return record;
  }

  /** What discovery made of an answer. */
  judge({ url, outcome, code, step }: DiscoveryStep): void {
    const record = this.#records.findLast((one) => one.url === url);
    if (outcome === 'started' || !record || step === 'probe' || step === 'tools-probe') return;
    record.judge(outcome === 'found' ? 'used' : 'passed-over', code);
  }

  /** Tells what is over, up to the first request that is not. */
  tell(): void {
    for (let next = this.#records[this.#told]; next?.isOver === true; next = this.#records[this.#told]) {
      this.#told += 1;
      this.#onEntry(next.describe());
    }
  }

  /** The work stopped with `error`, unless somebody helps: `goOn`. */
  stop(error: unknown): void {
    this.#markStop(error);
  }

  /** It has not stopped after all. */
  goOn(): void {
    this.#stopped?.judge('passed-over');
    this.#stopped = undefined;
  }

  /** The work is done, or stopped with `error`: tells the rest. */
  conclude(error?: unknown): void {
    if (error !== undefined && !this.#stopped) this.#markStop(error);
    for (const record of this.#records.slice(this.#told)) this.#onEntry(record.describe());
    this.#told = this.#records.length;
  }

  /**
   * The request that failed with the same code, else the one that this stage is about, else the last one: after it
   * nothing went out any more.
   */
  #markStop(error: unknown): void {
    const { code, cause, stage, remedy } = toPlainError(error);
    const open = this.#records.slice(this.#told);
    const guilty = open.findLast((record) => record.code === code || (cause !== undefined && record.code === cause));
    const ofStage = open.findLast(({ purpose }) => purpose === purposes[stage]);
    this.#stopped = guilty ?? ofStage ?? open.at(-1);
    this.#stopped?.judge('stopped', code, remedy);
  }
}

function hrefOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : URL.parse(address)?.href;
}
