import { withObjectSchemas } from '../../mcp/messages/plain-entry.ts';
import { legacyVersion, modernVersion, sessionRevisions } from '../../oauth/wire/mcp-request.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { exactMember, isObject, statedRevision } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';

/** What names of the wire itself begin with. */
export const reserved = 'io.modelcontextprotocol/';
/** What a program may be asked in the middle of its request, and what it says it can do for that. */
export const askable: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** A program that began with `initialize`, as each of its requests says on the wire without a handshake. */
export interface OlderProgram {
  readonly revision: string;
  readonly clientInfo: unknown;
  readonly capabilities: JsonObject;
}

export function readProgram({ protocolVersion, clientInfo, capabilities }: JsonObject): OlderProgram {
  const known = sessionRevisions.find((revision) => revision === protocolVersion);
  const declared = isObject(capabilities) ? capabilities : {};
  const kept = Object.values(askable).filter((name) => isObject(declared[name]));
  const extensions = extensionsIn(declared);
  return {
    revision: known ?? legacyVersion,
    clientInfo,
    capabilities: {
      ...Object.fromEntries(kept.map((name) => [name, name === 'roots' ? {} : declared[name]])),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    },
  };
}

/** Extensions that are the same on both wires (SEP-2133). Tasks are not: their messages differ. */
export function extensionsIn(capabilities: JsonObject | undefined): JsonObject {
  const { extensions } = capabilities ?? {};
  const { [`${reserved}tasks`]: _tasks, ...kept } = isObject(extensions) ? extensions : {};
  return kept;
}

/** What a server says with `server/discover` that decides whether, and how, older programs can use it. */
export function readDiscovery(result: unknown): 'takes-initialize' | 'newer-alone' | 'unknown' {
  const versions: unknown = isObject(result) ? result['supportedVersions'] : undefined;
  if (!Array.isArray(versions)) return 'unknown';
  if (sessionRevisions.some((revision) => versions.includes(revision))) return 'takes-initialize';
  return versions.includes(modernVersion) ? 'newer-alone' : 'unknown';
}

/** The answer to `initialize`, from that to `server/discover` (MCP 2025-11-25, lifecycle). `name`: where it says none. */
export function handshakeOf(discovered: JsonObject, { revision }: OlderProgram, name: string): JsonObject {
  const { capabilities, instructions, _meta } = discovered;
  const { tasks: _others, extensions: _all, ...kept } = isObject(capabilities) ? capabilities : {};
  const extensions = extensionsIn(isObject(capabilities) ? capabilities : undefined);
  const said = isObject(_meta) ? _meta[`${reserved}serverInfo`] : undefined;
  const isWhole = isObject(said) && typeof said['name'] === 'string' && typeof said['version'] === 'string';
  return {
    protocolVersion: revision,
    capabilities: { ...kept, ...(Object.keys(extensions).length > 0 && { extensions }) },
    serverInfo: isWhole ? said : { name, version: 'unknown' },
    ...(typeof instructions === 'string' && { instructions }),
  };
}

/** What each request says of who asks (MCP 2026-07-28, request metadata), with what the program says itself. */
export function withMeta(params: unknown, program: OlderProgram, logLevel: string | undefined): JsonObject {
  // Answers to questions are ours to give: a program of an older revision was asked them in another way.
  const { inputResponses: _answers, requestState: _state, ...kept } = isObject(params) ? params : {};
  return {
    ...kept,
    _meta: {
      ...withoutReserved(kept['_meta']),
      [`${reserved}protocolVersion`]: modernVersion,
      ...(program.clientInfo !== undefined && { [`${reserved}clientInfo`]: program.clientInfo }),
      [`${reserved}clientCapabilities`]: program.capabilities,
      ...(logLevel !== undefined && { [`${reserved}logLevel`]: logLevel }),
    },
  };
}

/** The same result in the words of an older revision. */
export function resultForOlder(method: string, result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _time, cacheScope: _scope, ...kept } = result;
  const plain = withoutReservedMeta(kept);
  if (method === 'tools/list' && Array.isArray(plain['tools'])) plain['tools'].forEach(withObjectSchemas);
  return method === 'tools/call' ? withOlderContent(plain) : plain;
}

/** The same for what a notification says. */
export function withoutReservedMeta({ _meta, ...kept }: JsonObject): JsonObject {
  const left = withoutReserved(_meta);
  return Object.keys(left).length > 0 ? { ...kept, _meta: left } : kept;
}

function withoutReserved(meta: unknown): JsonObject {
  if (!isObject(meta)) return {};
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith(reserved)));
}

/** What is no object has its place in the content: nothing that the tool says is lost. */
function withOlderContent(result: JsonObject): JsonObject {
  const { structuredContent, content, ...kept } = result;
  const pieces = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (structuredContent === undefined || isObject(structuredContent)) return result;
  const text = JSON.stringify(structuredContent);
  const isSaid = pieces.some((piece) => isObject(piece) && piece['type'] === 'text');
  return { ...kept, content: isSaid ? pieces : [...pieces, { type: 'text', text }] };
}

/** What we say may be out of date at once: each member may change. */
const notKept = { ttlMs: 0, cacheScope: 'private' } as const;

/** A result in the words of the newer wire (MCP 2026-07-28, results and caching). */
export function resultForNewer(method: string, result: JsonObject): JsonObject {
  const isKept = isCatalogued(method) || method === 'resources/read';
  return { resultType: 'complete', ...result, ...(isKept && notKept) };
}

/** The answer to `server/discover`, from that to `initialize`. */
export function discoveryOf({ capabilities, instructions, serverInfo }: JsonObject): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: [modernVersion, ...sessionRevisions],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...notKept,
    _meta: { [`${reserved}serverInfo`]: serverInfo },
  };
}

/** What is said of another revision than ours (MCP 2026-07-28, versioning). */
export function revisionsFor(params: JsonObject): JsonObject {
  const requested = statedRevision(params);
  return { supported: [modernVersion, ...sessionRevisions], ...(requested !== undefined && { requested }) };
}

/** Without a handshake each request says which revision it is of. */
export function isOfNewerWire(message: Envelope): boolean {
  if (message.kind !== 'request') return false;
  return message.method === 'server/discover' || statedRevision(message.params) !== undefined;
}

/** Messages of ours, whose ids are JSON text already. */

export function requestText(id: string, method: string, params: JsonObject): Buffer {
  const said = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${said}}`);
}

/**
 * A request of the program with another id, and with other members of its parameters (`undefined`: without them). The
 * rest stands as it was written: to build the values of a long one takes seconds.
 */
export function requestWith({ method, bytes, paramsAt }: RequestEnvelope, id: string, changed: JsonObject): Buffer {
  if (!paramsAt) {
    return requestText(id, method, { ...exactMember(bytes, 'params'), ...changed });
  }
  // Of two of one name the last counts.
  const kept = new Map(
    paramsAt.map(({ name, start, end }) => [JSON.parse(`"${name}"`) as string, bytes.subarray(start, end)]),
  );
  for (const [name, value] of Object.entries(changed)) {
    const text = JSON.stringify(value);
    if (text === undefined) kept.delete(name);
    else kept.set(name, Buffer.from(text));
  }
  const members = [...kept].flatMap(([name, value], index) => [
    Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`),
    value,
  ]);
  const beginning = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{`);
  return Buffer.concat([beginning, ...members, Buffer.from('}}')]);
}

export function cancelText(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
}
