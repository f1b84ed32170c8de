// Converts messages between the session revisions (up to 2025-11-25) and the stateless one (2026-07-28).

import { isObject } from '../../../shared/json-object.ts';
import { normalizeToolSchemas } from '../../mcp/messages/plain-entry.ts';
import { latestSessionRevision, statelessRevision, sessionRevisions } from '../../oauth/http/mcp-request.ts';
import { requestText } from '../responses/responses.ts';
import { isCacheable } from '../messages/catalog.ts';
import { asObject, exactMember, statedRevision } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';

/** Prefix of names that MCP reserves. */
export const reservedPrefix = 'io.modelcontextprotocol/';
/** Server-to-client requests that are allowed during a request, and the client capability that each needs. */
export const inputRequestCapabilities: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** What a session app declared with `initialize`, as each stateless request must repeat it. */
export interface SessionApp {
  readonly revision: string;
  readonly clientInfo: unknown;
  readonly capabilities: JsonObject;
}

export function readSessionApp({ protocolVersion, clientInfo, capabilities }: JsonObject): SessionApp {
  const known = sessionRevisions.find((revision) => revision === protocolVersion);
  const declared = asObject(capabilities);
  const rest = Object.values(inputRequestCapabilities).filter((name) => isObject(declared[name]));
  const extensions = extensionsIn(declared);
  return {
    revision: known ?? latestSessionRevision,
    clientInfo,
    capabilities: {
      ...Object.fromEntries(rest.map((name) => [name, name === 'roots' ? {} : declared[name]])),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    },
  };
}

/** Extensions that work in both kinds of revisions (SEP-2133). Tasks are left out: their messages differ. */
export function extensionsIn(capabilities: JsonObject | undefined): JsonObject {
  const { extensions } = capabilities ?? {};
  const { [`${reservedPrefix}tasks`]: _tasks, ...rest } = asObject(extensions);
  return rest;
}

/** Whether a server supports sessions, according to `server/discover`. */
export function readDiscovery(result: unknown): 'takes-initialize' | 'stateless-only' | 'unknown' {
  const versions: unknown = isObject(result) ? result['supportedVersions'] : undefined;
  if (!Array.isArray(versions)) return 'unknown';
  if (sessionRevisions.some((revision) => versions.includes(revision))) return 'takes-initialize';
  return versions.includes(statelessRevision) ? 'stateless-only' : 'unknown';
}

/**
 * Converts a `server/discover` result to an `initialize` result (MCP 2025-11-25, lifecycle). `name`: used if the server
 * reports none.
 */
export function toInitializeResult(discovered: JsonObject, { revision }: SessionApp, name: string): JsonObject {
  const { capabilities, instructions, _meta } = discovered;
  const { tasks: _others, extensions: _all, ...rest } = asObject(capabilities);
  const extensions = extensionsIn(isObject(capabilities) ? capabilities : undefined);
  const serverInfo = isObject(_meta) ? _meta[`${reservedPrefix}serverInfo`] : undefined;
  const isComplete =
    isObject(serverInfo) && typeof serverInfo['name'] === 'string' && typeof serverInfo['version'] === 'string';
  return {
    protocolVersion: revision,
    capabilities: { ...rest, ...(Object.keys(extensions).length > 0 && { extensions }) },
    serverInfo: isComplete ? serverInfo : { name, version: 'unknown' },
    ...(typeof instructions === 'string' && { instructions }),
  };
}

/** Adds the metadata that each request needs (MCP 2026-07-28, request metadata). */
export function withMeta(params: unknown, app: SessionApp, logLevel: string | undefined): JsonObject {
  // Only Postern may set these: session apps provide input in another way.
  const { inputResponses: _responses, requestState: _state, ...rest } = asObject(params);
  return {
    ...rest,
    _meta: {
      ...withoutReserved(rest['_meta']),
      [`${reservedPrefix}protocolVersion`]: statelessRevision,
      ...(app.clientInfo !== undefined && { [`${reservedPrefix}clientInfo`]: app.clientInfo }),
      [`${reservedPrefix}clientCapabilities`]: app.capabilities,
      ...(logLevel !== undefined && { [`${reservedPrefix}logLevel`]: logLevel }),
    },
  };
}

/** Converts a stateless result for a session app. */
export function resultForSession(method: string, result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _time, cacheScope: _scope, ...rest } = result;
  const plain = withoutReservedMeta(rest);
  if (method === 'tools/list' && Array.isArray(plain['tools'])) plain['tools'].forEach(normalizeToolSchemas);
  return method === 'tools/call' ? withSessionContent(plain) : plain;
}

/** The parameters or result without reserved `_meta` members. */
export function withoutReservedMeta({ _meta, ...rest }: JsonObject): JsonObject {
  const remaining = withoutReserved(_meta);
  return Object.keys(remaining).length > 0 ? { ...rest, _meta: remaining } : rest;
}

function withoutReserved(meta: unknown): JsonObject {
  if (!isObject(meta)) return {};
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith(reservedPrefix)));
}

/** Session revisions allow only objects as structured content; any other value is added as text. */
function withSessionContent(result: JsonObject): JsonObject {
  const { structuredContent, content, ...rest } = result;
  const pieces = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (structuredContent === undefined || isObject(structuredContent)) return result;
  const text = JSON.stringify(structuredContent);
  const hasText = pieces.some((piece) => isObject(piece) && piece['type'] === 'text');
  return { ...rest, content: hasText ? pieces : [...pieces, { type: 'text', text }] };
}

/** Not cacheable: members of the collection may change at any time. */
const uncacheable = { ttlMs: 0, cacheScope: 'private' } as const;

/** Converts a session result for a stateless app (MCP 2026-07-28, results and caching). */
export function resultForStateless(method: string, result: JsonObject): JsonObject {
  const needsCacheFields = isCacheable(method) || method === 'resources/read';
  return { resultType: 'complete', ...result, ...(needsCacheFields && uncacheable) };
}

/** Converts an `initialize` result to a `server/discover` result. */
export function toDiscoverResult({ capabilities, instructions, serverInfo }: JsonObject): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: [statelessRevision, ...sessionRevisions],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...uncacheable,
    _meta: { [`${reservedPrefix}serverInfo`]: serverInfo },
  };
}

/** Error data for an unsupported version (MCP 2026-07-28, versioning). */
export function unsupportedRevisionData(params: JsonObject): JsonObject {
  const requested = statedRevision(params);
  return { supported: [statelessRevision, ...sessionRevisions], ...(requested !== undefined && { requested }) };
}

/** True if the message names its revision, as stateless apps do. */
export function isStatelessMessage(message: Envelope): boolean {
  if (message.kind !== 'request') return false;
  return message.method === 'server/discover' || statedRevision(message.params) !== undefined;
}

/**
 * The app's request with another id and changed parameters (`undefined` removes one). The rest is copied as bytes,
 * since parsing a long request takes seconds.
 */
export function requestWith({ method, bytes, paramsAt }: RequestEnvelope, id: string, changed: JsonObject): Buffer {
  if (!paramsAt) {
    return requestText(id, method, { ...exactMember(bytes, 'params'), ...changed });
  }
  // If a name appears twice, the last one counts.
  const rest = new Map(
    paramsAt.map(({ name, start, end }) => [JSON.parse(`"${name}"`) as string, bytes.subarray(start, end)]),
  );
  for (const [name, value] of Object.entries(changed)) {
    const text = JSON.stringify(value);
    if (text === undefined) rest.delete(name);
    else rest.set(name, Buffer.from(text));
  }
  const members = [...rest].flatMap(([name, value], index) => [
    Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`),
    value,
  ]);
  const beginning = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{`);
  return Buffer.concat([beginning, ...members, Buffer.from('}}')]);
}
