import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { legacyVersion, modernVersion } from '../../oauth/wire/mcp-request.ts';

/** Revisions that begin with `initialize`. */
export const olderRevisions = [legacyVersion, '2025-06-18', '2025-03-26', '2024-11-05'];
const reserved = 'io.modelcontextprotocol/';
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
  const known = olderRevisions.find((revision) => revision === protocolVersion);
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
  if (olderRevisions.some((revision) => versions.includes(revision))) return 'takes-initialize';
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
  if (method === 'tools/list') return withOlderTools(plain);
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

/** Older revisions have objects alone for what a tool answers, and programs refuse a whole list for one that is not. */
function withOlderTools(result: JsonObject): JsonObject {
  const { tools } = result;
  if (!Array.isArray(tools)) return result;
  const isOlder = (schema: unknown): boolean => isObject(schema) && schema['type'] === 'object';
  return {
    ...result,
    tools: tools.map((tool: unknown) => {
      if (!isObject(tool) || tool['outputSchema'] === undefined || isOlder(tool['outputSchema'])) return tool;
      const { outputSchema: _other, ...kept } = tool;
      return kept;
    }),
  };
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
