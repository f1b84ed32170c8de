import type { Stage } from '../../../shared/error-codes.ts';
import { isSameError } from '../../../shared/error-facts.ts';
import type { TraceEntry, TracePurpose } from '../../../shared/trace.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import type { Clock, Http } from '../../ports.ts';
import type { SignInInteraction } from '../sign-in/sign-in-interaction.ts';
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
  judge({ url, outcome, code, step, passedOver }: DiscoveryStep): void {
    const record = this.#records.findLast((one) => one.url === url);
    if (outcome === 'waiting' || outcome === 'started' || !record || step === 'probe' || step === 'tools-probe') return;
    record.judge(outcome === 'found' ? 'used' : 'passed-over', code);
    record.passedOver = passedOver;
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
    const guilty = open.findLast((record) => isSameError(record, { code }) || isSameError(record, { code: cause }));
    const ofStage = open.findLast(({ purpose }) => purpose === purposes[stage]);
    this.#stopped = guilty ?? ofStage ?? open.at(-1);
    this.#stopped?.judge('stopped', code, remedy);
  }
}

function hrefOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : URL.parse(address)?.href;
}

/** Characters of a body that are looked at; a longer one is cut, and then is no document any more. */
const bodyLength = 256 * 1024;

/** The same Http, with every request noted in `trace`. Changes nothing of what is sent, answered or thrown. */
export function traceHttp(http: Http, trace: Trace): Http {
  return {
    ...http,
    async exchange(request) {
      const record = trace.begin(request);
      try {
        const response = await http.exchange(request);
        record.answered(response.status, response.headers);
        record.received(decode(response.body));
        return response;
      } catch (error) {
        record.failed(error);
        throw error;
      }
    },
    async stream({ body, ...request }) {
      const text = body instanceof Uint8Array ? decode(body) : body;
      const record = trace.begin({ ...request, ...(text !== undefined && { body: text }) });
      try {
        const response = await http.stream({ ...request, ...(body !== undefined && { body }) });
        record.answered(response.status, response.headers);
        return response.body ? withWatchedBody(response, response.body, record) : response;
      } catch (error) {
        record.failed(error);
        throw error;
      }
    },
  };
}

/** Notes what the reader of the body has read of it; reads nothing by itself. */
function withWatchedBody(response: Response, body: ReadableStream<Uint8Array>, record: TraceRecord): Response {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  record.receives(() => text);
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          record.received(text);
          return controller.close();
        }
        if (text.length < bodyLength) text += decoder.decode(value, { stream: true });
        controller.enqueue(value);
      },
      cancel(reason) {
        record.received(text);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(watched, { status, statusText, headers }), 'url', { value: url });
}

function decode(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, bodyLength));
}

/**
 * The same interaction, with what discovery made of its answers, the browser's own request and every stop at the
 * credential dialog noted in `trace`. `canAsk`: a person may answer the dialog, and is told before it what came so far.
 */
export function traceInteraction(
  interaction: SignInInteraction,
  trace: Trace,
  { canAsk }: { readonly canAsk: boolean },
): SignInInteraction {
  let authorization: TraceRecord | undefined;
  return {
    ...interaction,
    onEvent(event) {
      if (event.event === 'step') trace.judge(event.step);
      if (event.event === 'callback') authorization?.answeredByBrowser();
      interaction.onEvent(event);
    },
    async askCredentials(request, signal) {
      if (request.error) trace.stop(request.error);
      if (canAsk) trace.tell();
      const answer = await interaction.askCredentials(request, signal);
      if (answer !== undefined) trace.goOn();
      return answer;
    },
    async open(pending, signal) {
      authorization = trace.begin({ purpose: 'authorization', method: 'GET', url: pending.url });
      await interaction.open(pending, signal);
    },
  };
}
