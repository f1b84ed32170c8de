import { withObjectSchemas } from '../../mcp/messages/plain-entry.ts';
import { latestSessionRevision, statelessRevision, sessionRevisions } from '../../oauth/http/mcp-request.ts';
import { isCatalogd } from '../messages/catalog.ts';
import { exactMember, isObject, statedRevision } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';

/** Prefix of names that MCP reserves. */
export const reserved = 'io.modelcontextprotocol/';
/** Questions that an app may be asked during its request, and the capability that each needs. */
export const askableMethods: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** An app that began with `initialize`, described as each stateless request does. */
export interface SessionApp {
  readonly revision: string;
  readonly clientInfo: unknown;
  readonly capabilities: JsonObject;
}

export function readApp({ protocolVersion, clientInfo, capabilities }: JsonObject): SessionApp {
  const known = sessionRevisions.find((revision) => revision === protocolVersion);
  const declared = isObject(capabilities) ? capabilities : {};
  const rest = Object.values(askableMethods).filter((name) => isObject(declared[name]));
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

/** Extensions that both forms share (SEP-2133). Tasks differ in their messages. */
export function extensionsIn(capabilities: JsonObject | undefined): JsonObject {
  const { extensions } = capabilities ?? {};
  const { [`${reserved}tasks`]: _tasks, ...rest } = isObject(extensions) ? extensions : {};
  return rest;
}

/** Whether, and how, `server/discover` lets session apps use the server. */
export function readDiscovery(result: unknown): 'takes-initialize' | 'stateless-only' | 'unknown' {
  const versions: unknown = isObject(result) ? result['supportedVersions'] : undefined;
  if (!Array.isArray(versions)) return 'unknown';
  if (sessionRevisions.some((revision) => versions.includes(revision))) return 'takes-initialize';
  return versions.includes(statelessRevision) ? 'stateless-only' : 'unknown';
}

/**
 * The response to `initialize`, made from that to `server/discover` (MCP 2025-11-25, lifecycle). `name`: if the server
 * reports none.
 */
export function handshakeOf(discovered: JsonObject, { revision }: SessionApp, name: string): JsonObject {
  const { capabilities, instructions, _meta } = discovered;
  const { tasks: _others, extensions: _all, ...rest } = isObject(capabilities) ? capabilities : {};
  const extensions = extensionsIn(isObject(capabilities) ? capabilities : undefined);
  const serverInfo = isObject(_meta) ? _meta[`${reserved}serverInfo`] : undefined;
  const isWhole =
    isObject(serverInfo) && typeof serverInfo['name'] === 'string' && typeof serverInfo['version'] === 'string';
  return {
    protocolVersion: revision,
    capabilities: { ...rest, ...(Object.keys(extensions).length > 0 && { extensions }) },
    serverInfo: isWhole ? serverInfo : { name, version: 'unknown' },
    ...(typeof instructions === 'string' && { instructions }),
  };
}

/** Adds the metadata that each request needs (MCP 2026-07-28, request metadata). */
export function withMeta(params: unknown, app: SessionApp, logLevel: string | undefined): JsonObject {
  // Only Postern may set these: a session app is asked in another way.
  const { inputResponses: _answers, requestState: _state, ...rest } = isObject(params) ? params : {};
  return {
    ...rest,
    _meta: {
      ...withoutReserved(rest['_meta']),
      [`${reserved}protocolVersion`]: statelessRevision,
      ...(app.clientInfo !== undefined && { [`${reserved}clientInfo`]: app.clientInfo }),
      [`${reserved}clientCapabilities`]: app.capabilities,
      ...(logLevel !== undefined && { [`${reserved}logLevel`]: logLevel }),
    },
  };
}

/** The same result in the form of an older revision. */
export function resultForSession(method: string, result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _time, cacheScope: _scope, ...rest } = result;
  const plain = withoutReservedMeta(rest);
  if (method === 'tools/list' && Array.isArray(plain['tools'])) plain['tools'].forEach(withObjectSchemas);
  return method === 'tools/call' ? withSessionContent(plain) : plain;
}

/** The same for parameters of a notification. */
export function withoutReservedMeta({ _meta, ...rest }: JsonObject): JsonObject {
  const left = withoutReserved(_meta);
  return Object.keys(left).length > 0 ? { ...rest, _meta: left } : rest;
}

function withoutReserved(meta: unknown): JsonObject {
  if (!isObject(meta)) return {};
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith(reserved)));
}

/** Structured content that is no object is added to the content as text, so that nothing is lost. */
function withSessionContent(result: JsonObject): JsonObject {
  const { structuredContent, content, ...rest } = result;
  const pieces = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (structuredContent === undefined || isObject(structuredContent)) return result;
  const text = JSON.stringify(structuredContent);
  const hasText = pieces.some((piece) => isObject(piece) && piece['type'] === 'text');
  return { ...rest, content: hasText ? pieces : [...pieces, { type: 'text', text }] };
}

/** Postern's response may be outdated at once: each member may change. */
const uncacheable = { ttlMs: 0, cacheScope: 'private' } as const;

/** A result in the stateless form (MCP 2026-07-28, results and caching). */
export function resultForStateless(method: string, result: JsonObject): JsonObject {
  const isCacheable = isCatalogd(method) || method === 'resources/read';
  return { resultType: 'complete', ...result, ...(isCacheable && uncacheable) };
}

/** The response to `server/discover`, made from that to `initialize`. */
export function discoveryOf({ capabilities, instructions, serverInfo }: JsonObject): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: [statelessRevision, ...sessionRevisions],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...uncacheable,
    _meta: { [`${reserved}serverInfo`]: serverInfo },
  };
}

/** Error data for an unsupported version (MCP 2026-07-28, versioning). */
export function revisionsFor(params: JsonObject): JsonObject {
  const requested = statedRevision(params);
  return { supported: [statelessRevision, ...sessionRevisions], ...(requested !== undefined && { requested }) };
}

/** Without a handshake, each request names its version. */
export function isStatelessMessage(message: Envelope): boolean {
  if (message.kind !== 'request') return false;
  return message.method === 'server/discover' || statedRevision(message.params) !== undefined;
}

/** Messages of Postern's own, whose ids are JSON text already. */

export function requestText(id: string, method: string, params: JsonObject): Buffer {
  const members = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${members}}`);
}

/**
 * The app's request with another id and changed parameters (`undefined` removes one). The rest stays as written:
 * parsing a long one takes seconds.
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

export function cancelText(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
}
