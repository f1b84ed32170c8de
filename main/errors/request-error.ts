import { mayBeTypo, remedyOfFault } from '../../shared/error-catalog/network-errors.ts';
import type { NetworkFault } from '../../shared/error-catalog/network-errors.ts';
import type { ErrorCode, ServerWords } from '../../shared/error-codes.ts';
import type { Blame } from '../../shared/error-traits.ts';
import type { NetworkRemedy } from '../../shared/remedy.ts';
import type { RequestPurpose } from '../../shared/trace.ts';
import { PosternError } from './postern-error.ts';
import type { PosternErrorOptions } from './postern-error.ts';

/** A certificate for display; each value is sanitized to one line. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validUntil: string;
  /** The host names and IP addresses it is valid for. */
  readonly names: string;
  /** Hex SHA-256. */
  readonly fingerprint: string;
}

interface RequestErrorOptions extends PosternErrorOptions {
  /** What the request was for; the HTTP client always sets it. */
  readonly purpose?: RequestPurpose | undefined;
  readonly fault?: NetworkFault | undefined;
  /** Where the fault occurred: at the proxy, or at a server reached over HTTP or HTTPS. */
  readonly at?: 'http' | 'https' | 'proxy';
  readonly certificate?: CertificateFacts | undefined;
}

const wrongProtocolFaults: ReadonlySet<NetworkFault> = new Set(['not-http', 'tls-spoken']);

/** A server that speaks another protocol than its URL says will not change that on a retry. */
function isPermanent(fault: NetworkFault | undefined, at: RequestErrorOptions['at']): boolean {
  return fault !== undefined && at !== 'proxy' && wrongProtocolFaults.has(fault);
}

/** Faults of a URL that came from a document of the service: the document is wrong. */
const wrongAddressFaults: ReadonlySet<NetworkFault> = new Set([
  'name-not-found',
  'not-http',
  'tls-spoken',
  'tls-not-spoken',
  'certificate-wrong-name',
]);
const serviceFaults: ReadonlySet<NetworkFault> = new Set([
  'refused',
  'closed',
  'cut-off',
  'broken-http',
  'tls-handshake',
]);

/** Every URL except the server's own comes from a document. */
function blameOfFault(
  fault: NetworkFault,
  at: RequestErrorOptions['at'],
  purpose: RequestPurpose | undefined,
): Blame | undefined {
  if (at === 'proxy') return 'network';
  if (purpose !== 'probe' && purpose !== 'mcp' && wrongAddressFaults.has(fault)) return 'document';
  return serviceFaults.has(fault) ? 'answer' : undefined;
}

/** A request without a response. The HTTP client throws `UnsentRequest` or `LostRequest`. */
export class RequestError extends PosternError {
  readonly purpose: RequestPurpose | undefined;
  readonly fault: NetworkFault | undefined;
  readonly at: 'http' | 'https' | 'proxy';
  /** The server's certificate if TLS failed. Only for the trace: its text is not trusted. */
  readonly certificate: CertificateFacts | undefined;

  constructor(code: ErrorCode, { purpose, fault, at = 'https', certificate, ...options }: RequestErrorOptions) {
    super(code, {
      ...options,
      detail: { ...options.detail, ...(fault && { fault }) },
      remedy: options.remedy ?? (fault && remedyOfFault(fault, at, options.blame === 'input')),
      blame: options.blame ?? (fault && blameOfFault(fault, at, purpose)),
      retryable: options.retryable ?? (isPermanent(fault, at) ? false : undefined),
    });
    this.purpose = purpose;
    this.fault = fault;
    this.at = at;
    this.certificate = certificate;
  }

  get faultRemedy(): NetworkRemedy | undefined {
    return this.fault && remedyOfFault(this.fault, this.at, this.blame === 'input');
  }

  /** The same error for a URL that the user typed and that has never worked. */
  atTypedAddress(): this {
    const { fault, at, purpose } = this;
    if (purpose !== 'probe' || fault === undefined || !mayBeTypo(fault, at)) return this;
    return this.with({ blame: 'input', remedy: remedyOfFault(fault, at, true) });
  }

  /** Whether a retry would fail the same way. */
  get isPermanent(): boolean {
    return isPermanent(this.fault, this.at);
  }

  override get options(): RequestErrorOptions {
    const { purpose, fault, at, certificate } = this;
    return { ...super.options, purpose, fault, at, certificate };
  }

  /** Keeps the class, which says whether the request may have been sent. */
  override with({ detail, ...more }: Partial<RequestErrorOptions>): this {
    const Same = this.constructor as new (...args: ConstructorParameters<typeof RequestError>) => this;
    return new Same(this.code, { ...this.options, ...more, detail: { ...this.detail, ...detail } });
  }
}

/** The request has certainly not left this computer. */
export class UnsentRequest extends RequestError {
  readonly sent = 'no';
}

/** The network works, but this host does not respond. */
export class HostUnreachable extends UnsentRequest {}

/** A command that is not on this computer (POSIX.1-2024 `env`, exit status 127). */
export class CommandNotFound extends UnsentRequest {}

/** A command that exists but cannot be executed (exit status 126). */
export class CommandNotRunnable extends UnsentRequest {}

/** The server may have received and processed the request. */
export class LostRequest extends RequestError {
  readonly sent = 'maybe';
}

/** The server returned a JSON-RPC error (JSON-RPC 2.0 section 5.1). */
export class ServerError extends PosternError {
  declare readonly words: ServerWords;

  constructor(code: ErrorCode, { words, ...options }: PosternErrorOptions & { readonly words: ServerWords }) {
    super(code, { ...options, words });
  }

  override with(more: Partial<PosternErrorOptions>): this {
    const Same = this.constructor as new (...args: ConstructorParameters<typeof ServerError>) => this;
    return new Same(this.code, { ...super.with(more).options, words: this.words });
  }
}

/** Concerns a single call, not later calls or the server as a whole. */
export class FailedCall extends ServerError {}
