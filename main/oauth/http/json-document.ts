import type * as z from 'zod/mini';
import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { JsonTokens, openArray, openObject, quote } from '../../json-tokens.ts';
import { jsonLimit } from '../../limits.ts';
import type { HttpResponse } from '../../ports.ts';

interface JsonDocumentOptions {
  readonly stage: Stage;
}

/** The text is not JSON: JSON_INVALID. */
export class InvalidJson extends PosternError {}

/** A name appears twice, so two parsers may read different values: JSON_DUPLICATE_KEY. */
export class AmbiguousJson extends PosternError {}

const errorClasses: Readonly<
  Record<JsonFault, new (...args: ConstructorParameters<typeof PosternError<JsonFault>>) => PosternError>
> = {
  JSON_INVALID: InvalidJson,
  JSON_DUPLICATE_KEY: AmbiguousJson,
  JSON_DEPTH: PosternError,
  SCHEMA_INVALID: PosternError,
};

/** Charsets whose ASCII range matches UTF-8. JSON is UTF-8 whatever the parameter says (RFC 8259 section 8.1). */
const charsets = new Set(['utf-8', 'utf8', 'us-ascii', 'iso-8859-1']);

/**
 * The JSON value of a response, whatever its content type: many servers send JSON as text, as PHP's HTML, or with the
 * type given twice.
 * Errors: CONTENT_TYPE for a page, and those of `readJson`.
 */
export function readJsonDocument({ headers, body }: HttpResponse, options: JsonDocumentOptions): unknown {
  if (isPage(body)) throw new PosternError('CONTENT_TYPE', { stage: options.stage });
  try {
    return readJson(body, options);
  } catch (error) {
    const isHtml = error instanceof InvalidJson && /html/iu.test(headers.get('content-type') ?? '');
    throw isHtml ? new PosternError('CONTENT_TYPE', { stage: options.stage }) : error;
  }
}

/** True if the body starts like HTML or XML. */
function isPage(body: Uint8Array): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s*</u.test(Buffer.from(body.subarray(0, 1_024)).toString('latin1'));
}

/**
 * The JSON value of a body. A byte order mark is skipped, as browsers do (RFC 8259 section 8.1).
 * Errors: JSON_INVALID, and those of `readJsonText`.
 */
export function readJson(body: Uint8Array, options: JsonDocumentOptions): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalidJson(options.stage);
  }
  return readJsonText(text, options);
}

/**
 * The JSON value of a text. Depth, key count, key length and duplicate keys are checked before anything is built. A
 * value may be as long as the body; callers bound it. The result is untyped until `readMessage`.
 * Errors: JSON_INVALID, JSON_DEPTH, JSON_DUPLICATE_KEY, SCHEMA_INVALID.
 */
export function readJsonText(text: string, { stage }: JsonDocumentOptions): unknown {
  const fault = findJsonFault(text, jsonLimit);
  if (fault !== undefined) throw new errorClasses[fault](fault, { stage });
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(stage);
  }
}

/** No cause on purpose: the messages of TextDecoder and JSON.parse quote the server. */
function invalidJson(stage: Stage): InvalidJson {
  return new InvalidJson('JSON_INVALID', { stage });
}

/**
 * Validates a JSON value against `schema`. Errors: SCHEMA_INVALID with our name of the member as `field`, never a name
 * or value from the server.
 */
export function readMessage<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  stage: Stage,
): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const member = result.error.issues[0]?.path[0];
  throw new PosternError('SCHEMA_INVALID', { stage, detail: member === undefined ? {} : { field: String(member) } });
}

/** `application/json` or a structured suffix of it (RFC 6839 section 3.1), in an ASCII-compatible charset. */
export function isJsonType(contentType: string | null): boolean {
  const [essence = '', ...parameters] = (contentType ?? '').toLowerCase().split(';', 10);
  const type = essence.trim();
  const subtype = type.startsWith('application/') ? type.slice('application/'.length) : '';
  if (subtype !== 'json' && !/^[a-z0-9!#$&^_.-]+\+json$/.test(subtype)) return false;
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || charsets.has(charset.slice('charset='.length).replaceAll('"', ''));
}

interface JsonBounds {
  readonly depth: number;
  readonly keys: number;
  /** UTF-16 code units of one name after unescaping. */
  readonly text: number;
}

type JsonFault = 'JSON_INVALID' | 'JSON_DEPTH' | 'JSON_DUPLICATE_KEY' | 'SCHEMA_INVALID';

/**
 * The first fault that `JSON.parse` would accept and we do not, found in one pass without recursion: `JSON.parse`
 * allows millions of levels, lets the last of two equal names win and keeps `__proto__`. Does not check syntax.
 */
export function findJsonFault(text: string, bounds: JsonBounds): JsonFault | undefined {
  const tokens = new JsonTokens(Buffer.from(text));
  /** Names seen so far in the object at each level. */
  const seen: Set<string>[] = [];
  let names = 0;
  while (tokens.next()) {
    const { kind, depth, isName } = tokens;
    // JSON.parse will reject the text.
    if (tokens.fault >= 0) return undefined;
    if (kind === openObject || kind === openArray) {
      if (depth > bounds.depth) return 'JSON_DEPTH';
      seen[depth] = new Set();
    }
    if (kind !== quote) continue;
    const unescaped = tokens.text(Infinity);
    if (unescaped.includes('\0') || !unescaped.isWellFormed()) return 'SCHEMA_INVALID';
    if (!isName) continue;
    names += 1;
    if (names > bounds.keys || unescaped.length > bounds.text || unescaped === '__proto__') return 'SCHEMA_INVALID';
    // OAuth members are at the top level: a case-insensitive second parser must not see another `issuer` there.
    const key = depth === 1 ? unescaped.toLowerCase() : unescaped;
    if (seen[depth]?.has(key)) return 'JSON_DUPLICATE_KEY';
    seen[depth]?.add(key);
  }
  return undefined;
}
