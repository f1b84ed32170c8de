// Header fields that are sent with a tool call to a stateless server, and how its tools are listed first.

import { isObject } from '../../../shared/json-object.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import { statedRevision } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { truncateResponse } from '../capabilities/filter-tools.ts';
import type { ServedServer } from './served-server.ts';

/** What is needed to list the tools first, if they are unknown. */
interface ListingContext {
  readonly server: Pick<ServedServer, 'own' | 'tools' | 'isLocal'>;
  readonly upstream: { readonly requestOwn: RequestOwn };
}

interface HeaderContext extends ListingContext {
  /** The server refused the call for missing header fields, so its cached tools are outdated. */
  readonly isRetry: boolean;
}

/** Sends one of Postern's own requests; resolves to the response, or `undefined` for an error. Errors: PosternError. */
export type RequestOwn = (request: RequestEnvelope) => Promise<ResponseEnvelope | undefined>;

/** Maximum pages of `tools/list` that are read for one call. */
const maxPages = 20;

/**
 * Header fields that repeat arguments of a call; lists the tools first if they are not known. Errors: UnsentRequest.
 */
export async function callHeaders(
  { server, upstream, isRetry }: HeaderContext,
  request: RequestEnvelope,
): Promise<Readonly<Record<string, string>>> {
  const meta = metaOf(request);
  // Local processes get no header fields.
  if (!meta || server.isLocal) return {};
  if (isRetry || !server.tools.parameters.isKnown) await learnTools({ server, upstream }, request);
  return server.tools.parameters.of(request);
}

/** Header fields of an app's HTTP request that are forwarded; all others are dropped. */
const forwardedFields = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The header fields of the app's request that may be forwarded. Errors: UnsentRequest. */
export async function forwardableFields(
  { capabilities, ...context }: ListingContext & { readonly capabilities: Capabilities },
  request: RequestEnvelope,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const names = capabilities.matchingFields(
    fields,
    await argumentFieldNames(context, request),
    context.server.tools.parameters.of(request),
  );
  return Object.fromEntries(
    [...forwardedFields, ...names].flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Names of the argument header fields that the called tool has. Errors: UnsentRequest. */
async function argumentFieldNames(
  { server, upstream }: ListingContext,
  request: RequestEnvelope,
): Promise<readonly string[]> {
  const meta = metaOf(request);
  if (!meta || server.isLocal) return [];
  if (!server.tools.parameters.isKnown) await learnTools({ server, upstream }, request);
  return server.tools.parameters.namesOf(request.params['name']);
}

/** Only stateless tool calls have such fields. */
function metaOf({ method, params }: RequestEnvelope): JsonObject | undefined {
  const meta = params['_meta'];
  return method === 'tools/call' && isObject(meta) && statedRevision(params) !== undefined ? meta : undefined;
}

/**
 * Lists the tools on behalf of the app, before its call. Most failures are ignored: the call may succeed anyway.
 * Errors: UnsentRequest, since then the call cannot be sent either.
 */
export async function learnTools({ server, upstream }: ListingContext, call: RequestEnvelope): Promise<void> {
  const { progressToken: _callToken, ..._meta } = metaOf(call) ?? {};
  let cursor: unknown;
  for (let page = 0; page < maxPages; page += 1) {
    const params = { ...(metaOf(call) && { _meta }), ...(cursor !== undefined && { cursor }) };
    const response = await upstream.requestOwn(server.own.listTools(params)).catch((error: unknown) => {
      if (error instanceof UnsentRequest) throw error;
    });
    if (!response) return;
    cursor = await server.tools.learn((await truncateResponse('tools/list', response)).bytes);
    if (typeof cursor !== 'string') return;
  }
}
