import type { ServerWords } from '../shared/error-codes.ts';
import { displayText, stripTerminalSequences } from './address/display-text.ts';
import { serverMessageLength } from './limits.ts';

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
