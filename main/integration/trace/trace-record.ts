import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { TraceEntry, TraceField, TracePurpose, TraceVerdict } from '../../../shared/trace.ts';
import type { NetworkFault } from '../../../shared/network-fault.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { PosternError } from '../../postern-error.ts';
import { RequestError } from '../../request-error.ts';
import type { CertificateFacts } from '../../request-error.ts';
import type { TokenChallenge } from '../../oauth/wire/token-challenge.ts';
import { parseTokenChallenge } from '../../oauth/wire/token-challenge.ts';
import type { TraceRedactor } from './trace-redactor.ts';
import { ruleOf } from './trace-rule.ts';

/** A request as it leaves. */
export interface TracedRequest {
  readonly purpose: TracePurpose;
  readonly method: TraceEntry['method'];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** One request under way: what is known of it so far, already made fit to be shown. */
export class TraceRecord {
  readonly url: string;
  readonly #entry: Pick<TraceEntry, 'number' | 'purpose' | 'method' | 'url' | 'startedAt' | 'request'>;
  readonly #rpcMethod: string | undefined;
  readonly #isNamed: (url: string) => boolean;
  readonly #redactor: TraceRedactor;
  readonly #clock: () => number;
  #milliseconds: number | undefined;
  #status: number | undefined;
  #headers: TraceField[] | undefined;
  #contentType: string | null = null;
  #body: TraceField[] = [];
  /** What has come of a body that is still read; parsed only when somebody looks, or it ends. */
  #arriving: (() => string) | undefined;
  #seen = 0;
  #challenge: TokenChallenge | undefined;
  #code: ErrorCode | undefined;
  #fault: NetworkFault | undefined;
  #certificate: CertificateFacts | undefined;
  #verdict: TraceVerdict | undefined;
  #remedy: Remedy | undefined;

  constructor(
    request: TracedRequest,
    context: { number: number; clock: () => number; redactor: TraceRedactor; isNamed: (url: string) => boolean },
  ) {
    const { redactor, clock } = context;
    const headers = new Headers(request.headers);
    this.url = request.url;
    this.#redactor = redactor;
    this.#clock = clock;
    this.#isNamed = context.isNamed;
    this.#rpcMethod = request.purpose === 'mcp' ? readRpcMethod(request.body) : undefined;
    // Headers and body first: what they hide must not show in the address either.
    const described = {
      headers: redactor.headers(headers, 'request'),
      body: redactor.body(headers.get('content-type'), request.body ?? ''),
    };
    this.#entry = {
      number: context.number,
      purpose: request.purpose,
      method: request.method,
      url: redactor.url(request.url),
      startedAt: clock(),
      request: described,
    };
  }

  get purpose(): TracePurpose {
    return this.#entry.purpose;
  }

  get isJudged(): boolean {
    return this.#verdict !== undefined;
  }

  get challenge(): TokenChallenge | undefined {
    return this.#challenge;
  }

  /** Nothing more is expected of it, but perhaps the rest of a body. */
  get isOver(): boolean {
    return this.#milliseconds !== undefined;
  }

  get code(): ErrorCode | undefined {
    return this.#code;
  }

  answered(status: number, headers: Headers): void {
    this.#end();
    this.#status = status;
    this.#headers = this.#redactor.headers(headers, 'response');
    this.#contentType = headers.get('content-type');
    this.#challenge = parseTokenChallenge(headers);
  }

  /** A body that comes in pieces, perhaps without an end: `read` gives what there is of it. */
  receives(read: () => string): void {
    this.#arriving = read;
  }

  /** The whole body, or all that will be read of it. */
  received(body: string): void {
    this.#arriving = undefined;
    this.#body = this.#redactor.body(this.#contentType, body);
  }

  /** Looks at what has come of an open body since the last look; what it hides must not show elsewhere. */
  catchUp(): void {
    const text = this.#arriving?.();
    if (text === undefined || text.length === this.#seen) return;
    this.#seen = text.length;
    this.#body = this.#redactor.body(this.#contentType, text);
  }

  /** The callback came; the browser alone knows what status it was shown before. */
  answeredByBrowser(): void {
    this.#end();
  }

  failed(error: unknown): void {
    this.#end();
    this.#code = error instanceof PosternError ? error.code : 'INTERNAL';
    if (!(error instanceof RequestError)) return;
    this.#fault = error.fault;
    this.#certificate = error.certificate;
  }

  judge(verdict: TraceVerdict, code?: ErrorCode, remedy?: Remedy): void {
    this.#verdict = verdict;
    if (code !== undefined) this.#code = code;
    this.#remedy = remedy;
  }

  describe(): TraceEntry {
    this.catchUp();
    const { purpose } = this.#entry;
    const rule = ruleOf({
      purpose,
      url: this.url,
      status: this.#status,
      challenge: this.#challenge,
      isNamed: this.#isNamed(this.url),
      rpcMethod: this.#rpcMethod,
    });
    return {
      ...this.#entry,
      ...(this.#milliseconds !== undefined && { milliseconds: this.#milliseconds }),
      ...(this.#status !== undefined && { status: this.#status }),
      ...(this.#headers && { response: { headers: this.#headers, body: this.#body } }),
      ...rule,
      verdict: this.#verdict ?? this.#ownVerdict(purpose),
      ...(this.#certificate && { certificate: describeCertificate(this.#certificate) }),
      ...(this.#code !== undefined && { code: this.#code }),
      ...(this.#fault !== undefined && { fault: this.#fault }),
      ...(this.#remedy !== undefined && { remedy: this.#remedy }),
    };
  }

  /** Where nobody has said what became of the answer, its status does. */
  #ownVerdict(purpose: TracePurpose): TraceVerdict {
    if (this.#code !== undefined) return 'passed-over';
    if (purpose === 'authorization') return this.isOver ? 'used' : 'passed-over';
    if (this.#status === undefined) return 'passed-over';
    // A probe asks whether it is refused: any status is its answer.
    return purpose === 'probe' || this.#status < 400 ? 'used' : 'passed-over';
  }

  #end(): void {
    this.#milliseconds ??= this.#clock() - this.#entry.startedAt;
  }
}

/** Its values were made fit to be shown when they were read; nothing of a certificate is a secret. */
function describeCertificate(facts: CertificateFacts): TraceField[] {
  return [
    { name: 'subject', value: facts.subject },
    { name: 'issuer', value: facts.issuer },
    { name: 'valid from', value: facts.validFrom },
    { name: 'valid until', value: facts.validUntil },
    { name: 'names', value: facts.names },
    { name: 'SHA-256', value: facts.fingerprint },
  ];
}

function readRpcMethod(body: string | undefined): string | undefined {
  const found = /"method":"([\w/]{1,60})"/.exec(body ?? '');
  return found?.[1];
}
