import { mayBeTypo, remedyOfFault } from '../../shared/error-catalog/network-errors.ts';
import type { NetworkFault } from '../../shared/error-catalog/network-errors.ts';
import type { ErrorCode, ServerWords } from '../../shared/error-codes.ts';
import type { Blame } from '../../shared/error-traits.ts';
import type { NetworkRemedy } from '../../shared/remedy.ts';
import { displayText, stripTerminalSequences } from '../address/display-text.ts';
import { serverMessageLength } from '../limits.ts';
import type { RequestPurpose } from '../ports.ts';
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

/** The last line that a command printed, sanitized; `undefined` if empty. */
export function lastPrintedLine(text: string): ServerWords | undefined {
  const last =
    text
      .trimEnd()
      .split(/[\r\n]/u)
      .at(-1) ?? '';
  const message = displayText(stripTerminalSequences(last), serverMessageLength);
  return message === '' ? undefined : { message };
}

/** Truncated and sanitized. Code 0 means no code. */
export function serverWords({ code, message }: { readonly code: number; readonly message: string }): ServerWords {
  const hasCode = Number.isSafeInteger(code) && code !== 0;
  return { ...(hasCode && { code }), message: displayText(message, serverMessageLength) };
}

const invalidTerms =
  'invalid|expired|revoked|missing|malformed|unknown|unrecognized|bad|no|wrong|rejected|inactive|not valid|not found';
const credentialTerms =
  '(?:(?:access|bearer|auth|authentication|authorization|security|api) ?)?(?:tokens?|credentials?|jwt|key|session|header)';
const signInPattern = new RegExp(
  String.raw`\b(?:(?:${invalidTerms})(?: or (?:${invalidTerms}))* ${credentialTerms}|${credentialTerms}(?: (?:is|was|has|have|been|were|are))* (?:${invalidTerms}|not provided)|unauthenticated|not authenticated|authenticat\w+ (?:required|failed|error|is required)|(?:sign|log|signed|logged) ?in|login)\b`,
  'u',
);
/** A message that only repeats the status. */
const uninformativePattern =
  /^(?:(?:error|http|request|status|403|402|payment required|access|permission|is|was|has|been|forbidden|denied|unauthorized|refused|not allowed|no) ?)+$/u;

/** What a refusal is about; `nothing` if it only repeats the status. */
export function refusalSubject({ message }: ServerWords): 'sign-in' | 'nothing' | 'request' {
  const plain = message
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, ' ')
    .trim();
  if (signInPattern.test(plain)) return 'sign-in';
  return uninformativePattern.test(plain) ? 'nothing' : 'request';
}

/** Members with an error message, the most specific first; includes RFC 9457 and RFC 6749 section 5.2. */
const messageMembers = [
  'error_description',
  'message',
  'detail',
  'details',
  'msg',
  'reason',
  'error',
  'errors',
  'title',
  'data',
];
/** Levels of objects and arrays to search. */
const maxDepth = 4;

/** The message of a refusal in JSON or plain text; the code only from JSON-RPC. */
export function readRefusalWords(text: string, type: string): ServerWords | undefined {
  try {
    const document: unknown = JSON.parse(text);
    const message = findMessage(document, maxDepth)?.trim();
    if (!message) return undefined;
    const { error } = document as { readonly error?: { readonly code?: unknown } | null };
    return serverWords({ code: Number(error?.code), message });
  } catch {
    const isPlain = type === 'text/plain' && text.trim() !== '' && !notPlainText.test(text);
    return isPlain ? serverWords({ code: 0, message: text.trim() }) : undefined;
  }
}

/** Markup, truncated JSON, or binary data. */
const notPlainText = /<[a-z!/?]|^\s*[[{]|[\0\ufffd]/iu;

/** The message of a JSON-RPC error, plus a more specific one from `data`. */
export function errorMessage({ message, data }: { readonly message: string; readonly data?: unknown }): string {
  const [specific = ''] =
    findMessage(data, maxDepth)
      ?.trim()
      .split(/[\r\n]/u) ?? [];
  if (specific === '' || message.includes(specific)) return message;
  return message === '' ? specific : `${message}: ${specific}`;
}

function findMessage(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  const children = Array.isArray(value)
    ? value.slice(0, 1)
    : messageMembers.map((name) => (value as Readonly<Record<string, unknown>>)[name]);
  for (const child of children) {
    const message = findMessage(child, levels - 1);
    if (message !== undefined && message !== '') return message;
  }
  return undefined;
}
