import { mayBeTyped, remedyOfFault } from '../../shared/error-catalogue/network-errors.ts';
import type { NetworkFault } from '../../shared/error-catalogue/network-errors.ts';
import type { ErrorCode, ServerWords } from '../../shared/error-codes.ts';
import type { Blame } from '../../shared/error-facts.ts';
import type { NetworkRemedy } from '../../shared/remedy.ts';
import { displayText, withoutStyles } from '../address/display-text.ts';
import { serverWordsLength } from '../limits.ts';
import type { RequestPurpose } from '../ports.ts';
import { PosternError } from './postern-error.ts';
import type { PosternErrorOptions } from './postern-error.ts';

/** A certificate as it is shown: our names, and values of the certificate made fit to be printed, each in one line. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validUntil: string;
  /** The host names and addresses that it is for. */
  readonly names: string;
  /** SHA-256, in hexadecimal. */
  readonly fingerprint: string;
}

interface RequestErrorOptions extends PosternErrorOptions {
  /** What it was for; the HTTP client says so of each. */
  readonly purpose?: RequestPurpose | undefined;
  readonly fault?: NetworkFault | undefined;
  /** Where the fault lies: at the proxy, or at a server that is reached so. */
  readonly at?: 'http' | 'https' | 'proxy';
  readonly certificate?: CertificateFacts | undefined;
}

const otherProtocol: ReadonlySet<NetworkFault> = new Set(['not-http', 'tls-spoken']);

/** What answers in another protocol than the one of its address will do so the next time. */
function lasts(fault: NetworkFault | undefined, at: RequestErrorOptions['at']): boolean {
  return fault !== undefined && at !== 'proxy' && otherProtocol.has(fault);
}

/** What a document of the service would name wrongly; anything else at its address is a fault of the service. */
const wronglyNamed: ReadonlySet<NetworkFault> = new Set([
  'name-not-found',
  'not-http',
  'tls-spoken',
  'tls-not-spoken',
  'certificate-wrong-name',
]);
const ofService: ReadonlySet<NetworkFault> = new Set(['refused', 'closed', 'cut-off', 'broken-http', 'tls-handshake']);

/** Only the address of the server itself does not come from a document. */
function blameOfFault(
  fault: NetworkFault,
  at: RequestErrorOptions['at'],
  purpose: RequestPurpose | undefined,
): Blame | undefined {
  if (at === 'proxy') return 'network';
  if (purpose !== 'probe' && purpose !== 'mcp' && wronglyNamed.has(fault)) return 'document';
  return ofService.has(fault) ? 'answer' : undefined;
}

/** A request that brought no answer. The HTTP client throws it as one of the two below. */
export class RequestError extends PosternError {
  readonly purpose: RequestPurpose | undefined;
  readonly fault: NetworkFault | undefined;
  readonly at: 'http' | 'https' | 'proxy';
  /** The one that was shown where TLS failed. For the trace alone: a certificate's words are not ours. */
  readonly certificate: CertificateFacts | undefined;

  constructor(code: ErrorCode, { purpose, fault, at = 'https', certificate, ...options }: RequestErrorOptions) {
    super(code, {
      ...options,
      detail: { ...options.detail, ...(fault && { fault }) },
      remedy: options.remedy ?? (fault && remedyOfFault(fault, at, options.blame === 'input')),
      blame: options.blame ?? (fault && blameOfFault(fault, at, purpose)),
      retryable: options.retryable ?? (lasts(fault, at) ? false : undefined),
    });
    this.purpose = purpose;
    this.fault = fault;
    this.at = at;
    this.certificate = certificate;
  }

  /** What helps against the fault, where one is known. */
  get faultRemedy(): NetworkRemedy | undefined {
    return this.fault && remedyOfFault(this.fault, this.at, this.blame === 'input');
  }

  /** The same at an address that the user typed, and that has never worked. */
  atTypedAddress(): this {
    const { fault, at, purpose } = this;
    if (purpose !== 'probe' || fault === undefined || !mayBeTyped(fault, at)) return this;
    return this.with({ blame: 'input', remedy: remedyOfFault(fault, at, true) });
  }

  /** Whether it would be the same the next time. */
  get isLasting(): boolean {
    return lasts(this.fault, this.at);
  }

  override get options(): RequestErrorOptions {
    const { purpose, fault, at, certificate } = this;
    return { ...super.options, purpose, fault, at, certificate };
  }

  /** Of the same class: whether it has left this computer is still known of it. */
  override with({ detail, ...more }: Partial<RequestErrorOptions>): this {
    const Same = this.constructor as new (...told: ConstructorParameters<typeof RequestError>) => this;
    return new Same(this.code, { ...this.options, ...more, detail: { ...this.detail, ...detail } });
  }
}

/** It has surely not left this computer. */
export class UnsentRequest extends RequestError {
  readonly sent = 'no';
}

/** The network is there, and one host of it is not. */
export class HostAway extends UnsentRequest {}

/** A command that is not on this computer (POSIX.1-2024 `env`, exit status 127). */
export class CommandNotFound extends UnsentRequest {}

/** A command that is there and cannot be run (exit status 126). */
export class CommandNotRunnable extends UnsentRequest {}

/** The server may have received and obeyed it. */
export class LostRequest extends RequestError {
  readonly sent = 'maybe';
}

/** A server answered with a JSON-RPC error (JSON-RPC 2.0 section 5.1). */
export class ServerError extends PosternError {
  declare readonly words: ServerWords;

  constructor(code: ErrorCode, { words, ...options }: PosternErrorOptions & { readonly words: ServerWords }) {
    super(code, { ...options, words });
  }

  override with(more: Partial<PosternErrorOptions>): this {
    const Same = this.constructor as new (...told: ConstructorParameters<typeof ServerError>) => this;
    return new Same(this.code, { ...super.with(more).options, words: this.words });
  }
}

/** One call was answered so: that says nothing of the next call, or of the server. */
export class FailedCall extends ServerError {}

/** What a command printed last, the same way; `undefined`: nothing. */
export function printedWords(text: string): ServerWords | undefined {
  const last =
    text
      .trimEnd()
      .split(/[\r\n]/u)
      .at(-1) ?? '';
  const message = displayText(withoutStyles(last), serverWordsLength);
  return message === '' ? undefined : { message };
}

/** Bounded and cleaned. A code of 0 is none. */
export function serverWords({ code, message }: { readonly code: number; readonly message: string }): ServerWords {
  const isSent = Number.isSafeInteger(code) && code !== 0;
  return { ...(isSent && { code }), message: displayText(message, serverWordsLength) };
}

const bad =
  'invalid|expired|revoked|missing|malformed|unknown|unrecognized|bad|no|wrong|rejected|inactive|not valid|not found';
const proof =
  '(?:(?:access|bearer|auth|authentication|authorization|security|api) ?)?(?:tokens?|credentials?|jwt|key|session|header)';
const signInWords = new RegExp(
  String.raw`\b(?:(?:${bad})(?: or (?:${bad}))* ${proof}|${proof}(?: (?:is|was|has|have|been|were|are))* (?:${bad}|not provided)|unauthenticated|not authenticated|authenticat\w+ (?:required|failed|error|is required)|(?:sign|log|signed|logged) ?in|login)\b`,
  'u',
);
/** Words that say no more than the status. */
const bareWords =
  /^(?:(?:error|http|request|status|403|402|payment required|access|permission|is|was|has|been|forbidden|denied|unauthorized|refused|not allowed|no) ?)+$/u;

/** What the words of a refusal are about: `nothing` that the status does not say as well. */
export function subjectOf({ message }: ServerWords): 'sign-in' | 'nothing' | 'request' {
  const plain = message
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, ' ')
    .trim();
  if (signInWords.test(plain)) return 'sign-in';
  return bareWords.test(plain) ? 'nothing' : 'request';
}

/** Members in which servers say why, the most telling first; RFC 9457 and RFC 6749 section 5.2 are among them. */
const members = [
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
/** Levels of objects and lists that words are looked for in. */
const deepest = 4;

/** What the server says no with, where that is JSON or plain text; its code only of JSON-RPC. */
export function readRefusalWords(text: string, type: string): ServerWords | undefined {
  try {
    const document: unknown = JSON.parse(text);
    const message = sentenceIn(document, deepest)?.trim();
    if (!message) return undefined;
    const { error } = document as { readonly error?: { readonly code?: unknown } | null };
    return serverWords({ code: Number(error?.code), message });
  } catch {
    const isPlain = type === 'text/plain' && text.trim() !== '' && !notPlain.test(text);
    return isPlain ? serverWords({ code: 0, message: text.trim() }) : undefined;
  }
}

/** Markup, JSON that broke off, and bytes that are no text. */
const notPlain = /<[a-z!/?]|^\s*[[{]|[\0\ufffd]/iu;

/** What the server says with an error of JSON-RPC: its `data` may say more than its message, or all of it. */
export function wordsOfError({ message, data }: { readonly message: string; readonly data?: unknown }): string {
  const [more = ''] =
    sentenceIn(data, deepest)
      ?.trim()
      .split(/[\r\n]/u) ?? [];
  if (more === '' || message.includes(more)) return message;
  return message === '' ? more : `${message}: ${more}`;
}

function sentenceIn(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  const within = Array.isArray(value)
    ? value.slice(0, 1)
    : members.map((name) => (value as Readonly<Record<string, unknown>>)[name]);
  for (const each of within) {
    const sentence = sentenceIn(each, levels - 1);
    if (sentence !== undefined && sentence !== '') return sentence;
  }
  return undefined;
}
