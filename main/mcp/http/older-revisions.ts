import { errorBodyBytes } from '../../limits.ts';
import { sessionRevisions } from '../../oauth/http/mcp-request.ts';
import { parseExactly } from '../messages/exact-json.ts';
import { mediaType } from '../messages/message-headers.ts';
import { firstResponse, peek } from './ended-session.ts';
import { bodyText } from './mcp-endpoint.ts';
import type { McpFetch } from './mcp-endpoint.ts';

/** Maximum length of a handshake that may be repeated. */
const maxLength = 64 * 1_024;

/**
 * If the server refuses the revision of `initialize`, tries the one it names, else the next older one (MCP 2025-11-25,
 * lifecycle).
 */
export function withOlderSessionRevisions(fetch: McpFetch): McpFetch {
  return async (url, init) => {
    const handshake = readInitialize(init?.body);
    let response = await fetch(url, init);
    if (!handshake) return response;
    let versions: readonly string[] = sessionRevisions.filter((version) => version <= handshake.version);
    for (;;) {
      const { text, whole } = await readRefusal(response);
      const olderVersions = text === undefined ? [] : olderRevisions(versions, text);
      const [next] = olderVersions;
      if (next === undefined || init?.signal?.aborted) return whole;
      await whole.body?.cancel().catch(() => {});
      versions = olderVersions;
      response = await fetch(url, { ...init, body: handshake.withVersion(next) });
    }
  };
}

/** Revisions left to try; none if the refusal is about something else. */
function olderRevisions(versions: readonly string[], text: string): readonly string[] {
  if (!/version/iu.test(text)) return [];
  const [refused, ...older] = versions;
  const namedRevisions = (text.match(/\b20\d\d-\d\d-\d\d\b/gu) ?? []).filter((version) => version !== refused);
  const first = older.findIndex((version) => namedRevisions.includes(version));
  // A server that names only others, such as one without `initialize`, accepts none of these.
  if (first < 0) return namedRevisions.length > 0 ? [] : older;
  return older.slice(first);
}

interface Initialize {
  readonly version: string;
  readonly withVersion: (version: string) => string;
}

function readInitialize(requestBody: RequestInit['body']): Initialize | undefined {
  const length =
    requestBody instanceof Uint8Array
      ? requestBody.byteLength
      : typeof requestBody === 'string'
        ? requestBody.length
        : 0;
  const body = length > maxLength ? '' : bodyText(requestBody);
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

/** Statuses that may refuse the revision; except for 400 only with matching text. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 406, 409, 412, 422, 500, 501]);
/** Matches a refusal about the protocol revision. */
export const revisionPattern = /protocol[\s_-]?version/iu;

/** The text of a refusal or JSON-RPC error, and the response, still unread. */
async function readRefusal(
  response: Response,
): Promise<{ readonly text: string | undefined; readonly whole: Response }> {
  const { status } = response;
  const isRefusal = refusalStatuses.has(status);
  if (!isRefusal && status !== 200) return { text: undefined, whole: response };
  const isStream = mediaType(response) === 'text/event-stream';
  const { start, whole } = await peek(response, errorBodyBytes, isStream);
  const body = (isStream ? firstResponse(start) : start).toString('utf8');
  if (!isRefusal) return { text: errorText(body), whole };
  return { text: status === 400 || revisionPattern.test(body) ? body : undefined, whole };
}

function errorText(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly message?: unknown; readonly data?: unknown } };
    return error ? `${String(error.message)} ${JSON.stringify(error.data ?? null)}` : undefined;
  } catch {
    return undefined;
  }
}
