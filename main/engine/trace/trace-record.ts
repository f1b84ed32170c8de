import type { NetworkFault } from '../../../shared/error-catalog/network-errors.ts';
import { errorCatalog } from '../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import type { TraceEntry, TraceField, TracePurpose, TraceVerdict } from '../../../shared/trace.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import type { CertificateFacts } from '../../errors/request-error.ts';
import { parseTokenChallenge } from '../../oauth/http/response-headers.ts';
import type { TokenChallenge } from '../../oauth/http/response-headers.ts';
import type { TraceRedactor } from './trace-redactor.ts';

/** A request as sent. */
export interface TracedRequest {
  readonly purpose: TracePurpose;
  readonly method: TraceEntry['method'];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** One traced request: what is known so far, already redacted. */
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
  /** Reads the partial body, which is parsed only on demand or once it is complete. */
  #readPartialBody: (() => string) | undefined;
  #seenLength = 0;
  #challenge: TokenChallenge | undefined;
  #code: ErrorCode | undefined;
  #fault: NetworkFault | undefined;
  #certificate: CertificateFacts | undefined;
  #verdict: TraceVerdict | undefined;
  #remedy: Remedy | undefined;
  /** Members of the document that could not be used. */
  unusableMembers: readonly string[] | undefined;

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
    // Headers and body first: what they hide must not show in the address.
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

  /** Ended, except perhaps for the rest of the body. */
  get isEnded(): boolean {
    return this.#milliseconds !== undefined;
  }

  get code(): ErrorCode | undefined {
    return this.#code;
  }

  onResponse(status: number, headers: Headers): void {
    this.#end();
    this.#status = status;
    this.#headers = this.#redactor.headers(headers, 'response');
    this.#contentType = headers.get('content-type');
    this.#challenge = parseTokenChallenge(headers);
  }

  /** A streamed body, perhaps endless: `read` returns what has arrived. */
  onPartialBody(read: () => string): void {
    this.#readPartialBody = read;
  }

  /** The whole body, or all that will be read of it. */
  onBody(body: string): void {
    this.#readPartialBody = undefined;
    this.#body = this.#redactor.body(this.#contentType, body);
  }

  /** Processes what has newly arrived of an open body, whose hidden values must not show elsewhere. */
  parseArrived(): void {
    const text = this.#readPartialBody?.();
    if (text === undefined || text.length === this.#seenLength) return;
    this.#seenLength = text.length;
    this.#body = this.#redactor.body(this.#contentType, text);
  }

  /** The callback arrived; only the browser knows the page's status. */
  onCallback(): void {
    this.#end();
  }

  onError(error: unknown): void {
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
    this.parseArrived();
    const { purpose } = this.#entry;
    const verdict = this.#verdict ?? this.#ownVerdict(purpose);
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
      verdict,
      ...(this.#certificate && { certificate: describeCertificate(this.#certificate) }),
      ...(this.#code !== undefined && { code: this.#code }),
      ...(verdict === 'skipped' && this.#isCanceled && { isNeedless: true as const }),
      ...(this.#fault !== undefined && { fault: this.#fault }),
      ...(this.#remedy !== undefined && { remedy: this.#remedy }),
      ...(this.unusableMembers && { unusableMembers: [...this.unusableMembers] }),
    };
  }

  get #isCanceled(): boolean {
    return this.#code !== undefined && hasTrait(errorCatalog[this.#code], 'cancelled');
  }

  /** Derived from the status when nothing judged the response. */
  #ownVerdict(purpose: TracePurpose): TraceVerdict {
    if (this.#code !== undefined) return 'skipped';
    if (purpose === 'authorization') return this.isEnded ? 'used' : 'skipped';
    if (this.#status === undefined) return 'skipped';
    // A probe tests for a refusal, so any status is useful.
    return purpose === 'probe' || this.#status < 400 ? 'used' : 'skipped';
  }

  #end(): void {
    this.#milliseconds ??= this.#clock() - this.#entry.startedAt;
  }
}

/** The values were made safe for display when they were read; a certificate contains no secret. */
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

export interface RuleSubject {
  readonly purpose: TracePurpose;
  readonly url: string;
  readonly status: number | undefined;
  /** The response's token challenge, and the metadata address it names. */
  readonly challenge: { readonly resourceMetadata?: string } | undefined;
  /** A challenge in the same trace names this address as its metadata. */
  readonly isNamed: boolean;
  /** Only for an MCP request. */
  readonly rpcMethod: string | undefined;
}

interface TraceRule {
  readonly rule: string;
  readonly clause: string;
}

type SwitchedPurpose = 'probe' | 'protected-resource-metadata' | 'authorization-server-metadata' | 'mcp';

const fixedRules: Readonly<Record<Exclude<TracePurpose, SwitchedPurpose>, TraceRule>> = {
  registration: { rule: 'Client registration', clause: 'RFC 7591 3.1' },
  'device-authorization': { rule: 'Device authorization request', clause: 'RFC 8628 3.1' },
  'pushed-request': { rule: 'Pushed authorization request', clause: 'RFC 9126 2.1' },
  authorization: { rule: 'Authorization request, answered at the callback', clause: 'RFC 6749 4.1.1, RFC 9207' },
  token: { rule: 'Code for tokens', clause: 'RFC 6749 4.1.3, RFC 7636 4.5' },
  refresh: { rule: 'New tokens by refresh token', clause: 'RFC 6749 6' },
  revocation: { rule: 'Token revocation', clause: 'RFC 7009 2.1' },
  'registration-update': { rule: 'Update of the registration', clause: 'RFC 7592 2.2' },
  'registration-deletion': { rule: 'Deletion of the registration', clause: 'RFC 7592 2.3' },
  icon: { rule: 'Picture of the server', clause: 'MCP 2025-11-25, icons' },
  registry: { rule: 'Search of the MCP registry', clause: 'MCP registry API v0.1' },
};

/** The rule that applies to a response, and its clause. */
export function ruleOf(subject: RuleSubject): TraceRule {
  switch (subject.purpose) {
    case 'probe':
      return probeRule(subject);
    case 'protected-resource-metadata':
      return resourceMetadataRule(subject);
    case 'authorization-server-metadata':
      return serverMetadataRule(subject);
    case 'mcp':
      return { rule: `MCP ${subject.rpcMethod ?? 'stream'}`, clause: 'MCP streamable HTTP, RFC 6750 2.1' };
    default:
      return fixedRules[subject.purpose];
  }
}

function probeRule({ status, challenge }: RuleSubject): TraceRule {
  if (challenge?.resourceMetadata !== undefined) {
    return { rule: 'Sign-in needed: the challenge names the metadata', clause: 'RFC 9728 5.1' };
  }
  if (status === 401 || challenge) {
    return { rule: 'Sign-in needed, without an address: the well-known forms', clause: 'RFC 9728 3.1' };
  }
  return { rule: 'No challenge: the well-known forms say whether there is a sign-in', clause: 'RFC 9728 3.1' };
}

function resourceMetadataRule({ url, isNamed }: RuleSubject): TraceRule {
  if (isNamed) return { rule: 'PRM, named by the challenge', clause: 'RFC 9728 5.1' };
  const isRoot = URL.parse(url)?.pathname === '/.well-known/oauth-protected-resource';
  return { rule: isRoot ? 'PRM, root form' : 'PRM, path form', clause: 'RFC 9728 3.1' };
}

function serverMetadataRule({ url }: RuleSubject): TraceRule {
  const path = URL.parse(url)?.pathname ?? '';
  if (path.startsWith('/.well-known/oauth-authorization-server')) return { rule: 'ASM', clause: 'RFC 8414 3.1' };
  if (path.startsWith('/.well-known/openid-configuration/')) {
    return { rule: 'ASM, OpenID form with the path inserted', clause: 'RFC 8414 5' };
  }
  const form = path === '/.well-known/openid-configuration' ? 'OpenID form' : 'OpenID form with the path in front';
  return { rule: `ASM, ${form}`, clause: 'OpenID Connect Discovery 1.0 4' };
}
