import { modernVersion } from '../../oauth/wire/mcp-request.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { olderRevisions } from '../bridge/both-eras.ts';
import { statedRevision } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** What names of the wire itself begin with. */
export const reserved = 'io.modelcontextprotocol/';
/** What we say may be out of date at once: each member may change. */
const notKept = { ttlMs: 0, cacheScope: 'private' } as const;

/** A result in the words of the newer wire (MCP 2026-07-28, results and caching). */
export function newerResult(method: string, result: JsonObject): JsonObject {
  const isKept = isCatalogued(method) || method === 'resources/read';
  return { resultType: 'complete', ...result, ...(isKept && notKept) };
}

/** The answer to `server/discover`, from that to `initialize`. */
export function discoveryOf({ capabilities, instructions, serverInfo }: JsonObject): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: [modernVersion, ...olderRevisions],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...notKept,
    _meta: { [`${reserved}serverInfo`]: serverInfo },
  };
}

/** What is said of another revision than ours (MCP 2026-07-28, versioning). */
export function revisionsFor(params: JsonObject): JsonObject {
  const requested = statedRevision(params);
  return { supported: [modernVersion, ...olderRevisions], ...(requested !== undefined && { requested }) };
}
