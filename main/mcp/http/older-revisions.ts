import { refusalBytes } from '../../limits.ts';
import { sessionRevisions } from '../../oauth/wire/mcp-request.ts';
import { parseExactly } from '../messages/exact-json.ts';
import { mediaType } from '../messages/message-headers.ts';
import { firstAnswer, peek } from './ended-session.ts';
import { textOf } from './mcp-endpoint.ts';
import type { McpFetch } from './mcp-endpoint.ts';

/** Characters of a handshake that may be made once more. */
const longest = 64 * 1_024;

/**
 * Where the server refuses the revision of `initialize`, the one that it names is tried, else the next older one
 * (MCP 2025-11-25, lifecycle).
 */
export function withOlderRevisions(fetch: McpFetch): McpFetch {
  return async (url, init) => {
    const asked = readInitialize(init?.body);
    let response = await fetch(url, init);
    if (!asked) return response;
    let versions: readonly string[] = sessionRevisions.filter((version) => version <= asked.version);
    for (;;) {
      const { text, whole } = await readRefusal(response);
      const others = text === undefined ? [] : olderVersions(versions, text);
      const [next] = others;
      if (next === undefined || init?.signal?.aborted) return whole;
      await whole.body?.cancel().catch(() => {});
      versions = others;
      response = await fetch(url, { ...init, body: asked.withVersion(next) });
    }
  };
}

/** Those of `versions` to go on with; none where the refusal is about something else. */
function olderVersions(versions: readonly string[], text: string): readonly string[] {
  if (!/version/iu.test(text)) return [];
  const [refused, ...older] = versions;
  const named = (text.match(/\b20\d\d-\d\d-\d\d\b/gu) ?? []).filter((version) => version !== refused);
  const first = older.findIndex((version) => named.includes(version));
  // A server that names others alone, such as one that knows no `initialize`, takes none of these.
  if (first < 0) return named.length > 0 ? [] : older;
  return older.slice(first);
}

interface Initialize {
  readonly version: string;
  readonly withVersion: (version: string) => string;
}

function readInitialize(given: RequestInit['body']): Initialize | undefined {
  const length = given instanceof Uint8Array ? given.byteLength : typeof given === 'string' ? given.length : 0;
  const body = length > longest ? '' : textOf(given);
  if (!body.includes('"initialize"')) return undefined;
  try {
    const message = parseExactly(body) as {
      readonly method?: unknown;
      readonly params?: { protocolVersion?: unknown };
    };
    const { method, params } = message;
    const version = params?.protocolVersion;
    if (method !== 'initialize' || typeof version !== 'string') return undefined;
    return {
      version,
      withVersion: (protocolVersion) => JSON.stringify({ ...message, params: { ...params, protocolVersion } }),
    };
  } catch {
    return undefined;
  }
}

/** Statuses of a refusal that may be about the revision; of all but 400 in these words alone. */
const refusals: ReadonlySet<number> = new Set([400, 406, 409, 412, 422, 500, 501]);
/** Words of a refusal that is about it. */
export const ofRevision = /protocol[\s_-]?version/iu;

/** The words of a refusal, or of a JSON-RPC error; and the response, which still has all of it. */
async function readRefusal(
  response: Response,
): Promise<{ readonly text: string | undefined; readonly whole: Response }> {
  const { status } = response;
  const isRefusal = refusals.has(status);
  if (!isRefusal && status !== 200) return { text: undefined, whole: response };
  const isStream = mediaType(response) === 'text/event-stream';
  const { begun, whole } = await peek(response, refusalBytes, isStream);
  const body = (isStream ? firstAnswer(begun) : begun).toString('utf8');
  if (!isRefusal) return { text: errorIn(body), whole };
  return { text: status === 400 || ofRevision.test(body) ? body : undefined, whole };
}

function errorIn(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly message?: unknown; readonly data?: unknown } };
    return error ? `${String(error.message)} ${JSON.stringify(error.data ?? null)}` : undefined;
  } catch {
    return undefined;
  }
}
