import type { Stage } from '../../../shared/error-codes.ts';
import { isSameError } from '../../../shared/error-traits.ts';
import type { TraceEntry, TracePurpose } from '../../../shared/trace.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import type { Clock, Http } from '../../ports.ts';
import type { SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import { TraceRecord } from './trace-record.ts';
import type { TracedRequest } from './trace-record.ts';
import { TraceRedactor } from './trace-redactor.ts';

/** Purpose of the requests that a stage's errors are about. */
const purposes: Readonly<Partial<Record<Stage, TracePurpose>>> = {
  registration: 'registration',
  authorization: 'authorization',
  callback: 'authorization',
  token: 'token',
};

/**
 * All requests of one discovery or sign-in in the order they were sent, with their outcomes. An entry is reported when
 * the next request is sent, so that the last one can still be marked as the stop.
 */
export class Trace {
  readonly #records: TraceRecord[] = [];
  readonly #redactor = new TraceRedactor();
  readonly #clock: () => number;
  readonly #onEntry: (entry: TraceEntry) => void;
  #reported = 0;
  #stopped: TraceRecord | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, onEntry: (entry: TraceEntry) => void = () => {}) {
    const start = clock.monotonic();
    this.#clock = () => Math.max(0, Math.round(clock.monotonic() - start));
    this.#onEntry = onEntry;
  }

  /** All entries so far. */
  entries(): readonly TraceEntry[] {
    return this.#records.map((record) => record.describe());
  }

  begin(request: TracedRequest): TraceRecord {
    // A request sent early is superseded when another address is requested after all.
    const isOther = ({ purpose, url }: TraceRecord): boolean => purpose === request.purpose && url !== request.url;
    for (const record of this.#records) if (isOther(record) && !record.isJudged) record.judge('skipped');
    for (const record of this.#records) record.parseArrived();
    this.report();
    const record = new TraceRecord(request, {
      number: this.#records.length + 1,
      clock: this.#clock,
      redactor: this.#redactor,
      isNamed: (url) => this.#records.some(({ challenge }) => hrefOf(challenge?.resourceMetadata) === url),
    });
    this.#records.push(record);
    return record;
  }

  /** Records how discovery judged a response. */
  judge({ url, outcome, code, step, unusableMembers }: DiscoveryStep): void {
    const record = this.#records.findLast((one) => one.url === url);
    if (outcome === 'waiting' || outcome === 'started' || !record || step === 'probe' || step === 'tools-probe') return;
    record.judge(outcome === 'found' ? 'used' : 'skipped', code);
    record.unusableMembers = unusableMembers;
  }

  /** Reports ended requests, up to the first open one. */
  report(): void {
    for (let next = this.#records[this.#reported]; next?.isEnded === true; next = this.#records[this.#reported]) {
      this.#reported += 1;
      this.#onEntry(next.describe());
    }
  }

  /** The work stopped with `error`, unless the user helps: then `resume`. */
  stop(error: unknown): void {
    this.#markStop(error);
  }

  /** The work continues after all. */
  resume(): void {
    this.#stopped?.judge('skipped');
    this.#stopped = undefined;
  }

  /** The work is done, or stopped with `error`: reports the rest. */
  conclude(error?: unknown): void {
    if (error !== undefined && !this.#stopped) this.#markStop(error);
    for (const record of this.#records.slice(this.#reported)) this.#onEntry(record.describe());
    this.#reported = this.#records.length;
  }

  /**
   * Marks the request that failed with the same code, else the one this stage is about, else the last one: nothing was
   * sent after it.
   */
  #markStop(error: unknown): void {
    const { code, cause, stage, remedy } = toPlainError(error);
    const open = this.#records.slice(this.#reported);
    const culprit = open.findLast((record) => isSameError(record, { code }) || isSameError(record, { code: cause }));
    const ofStage = open.findLast(({ purpose }) => purpose === purposes[stage]);
    this.#stopped = culprit ?? ofStage ?? open.at(-1);
    this.#stopped?.judge('stopped', code, remedy);
  }
}

function hrefOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : URL.parse(address)?.href;
}

/** Characters read of a body; a longer one is cut, so it no longer parses. */
const bodyLength = 256 * 1024;

/** Traces every request of an `Http`. Changes nothing that is sent, returned or thrown. */
export function traceHttp(http: Http, trace: Trace): Http {
  return {
    ...http,
    async exchange(request) {
      const record = trace.begin(request);
      try {
        const response = await http.exchange(request);
        record.onResponse(response.status, response.headers);
        record.onBody(decode(response.body));
        return response;
      } catch (error) {
        record.onError(error);
        throw error;
      }
    },
    async stream({ body, ...request }) {
      const text = body instanceof Uint8Array ? decode(body) : body;
      const record = trace.begin({ ...request, ...(text !== undefined && { body: text }) });
      try {
        const response = await http.stream({ ...request, ...(body !== undefined && { body }) });
        record.onResponse(response.status, response.headers);
        return response.body ? withWatchedBody(response, response.body, record) : response;
      } catch (error) {
        record.onError(error);
        throw error;
      }
    },
  };
}

/** Records what the consumer reads of the body; reads nothing on its own. */
function withWatchedBody(response: Response, body: ReadableStream<Uint8Array>, record: TraceRecord): Response {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  record.onPartialBody(() => text);
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          record.onBody(text);
          return controller.close();
        }
        if (text.length < bodyLength) text += decoder.decode(value, { stream: true });
        controller.enqueue(value);
      },
      cancel(reason) {
        record.onBody(text);
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
 * Traces an interaction: discovery steps, the browser's request and each stop at the credential form. `canAsk`: the
 * user may answer the dialog, so entries so far are reported before it.
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
      if (event.event === 'callback') authorization?.onCallback();
      interaction.onEvent(event);
    },
    async askCredentials(request, signal) {
      if (request.error) trace.stop(request.error);
      if (canAsk) trace.report();
      const reply = await interaction.askCredentials(request, signal);
      if (reply !== undefined) trace.resume();
      return reply;
    },
    async open(pending, signal) {
      authorization = trace.begin({ purpose: 'authorization', method: 'GET', url: pending.url });
      await interaction.open(pending, signal);
    },
  };
}
