import { UnsentRequest } from '../../errors/request-error.ts';
import { isObject, statedRevision } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { boundResponse } from '../capabilities/without-tools.ts';
import type { ServedServer } from './served-server.ts';

interface Asking {
  readonly server: Pick<ServedServer, 'own' | 'parameters' | 'learnTools' | 'isLocal'>;
  readonly upstream: { readonly ask: Ask };
  /** The server missed header fields, so what is known of its tools is outdated. */
  readonly isAgain: boolean;
}

/** Sends a request of Postern's own; resolves to the response, or `undefined` for an error. Errors: PosternError. */
export type Ask = (question: RequestEnvelope) => Promise<ResponseEnvelope | undefined>;

/** Pages of `tools/list` that are read for one call. */
const mostPages = 20;

/**
 * Header fields that repeat arguments of a call; lists the tools first if they are not known. Errors: UnsentRequest.
 */
export async function headersFor(
  { server, upstream, isAgain }: Asking,
  request: RequestEnvelope,
): Promise<Readonly<Record<string, string>>> {
  const meta = metaOf(request);
  // Local processes get no header fields.
  if (!meta || server.isLocal) return {};
  if (isAgain || !server.parameters.isKnown) await learnTools(server, upstream, meta);
  return server.parameters.of(request);
}

/** Header fields of an app's HTTP request that are passed on; all others are dropped. */
const passedThrough = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The app's own header fields, as far as they are passed on. Errors: UnsentRequest. */
export async function passedFields(
  { capabilities, ...asking }: Omit<Asking, 'isAgain'> & { readonly capabilities: Capabilities },
  request: RequestEnvelope,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const names = capabilities.matchingFields(
    fields,
    await namesFor(asking, request),
    asking.server.parameters.of(request),
  );
  return Object.fromEntries(
    [...passedThrough, ...names].flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Names of the argument header fields that the called tool has. Errors: UnsentRequest. */
async function namesFor(
  { server, upstream }: Omit<Asking, 'isAgain'>,
  request: RequestEnvelope,
): Promise<readonly string[]> {
  const meta = metaOf(request);
  if (!meta || server.isLocal) return [];
  if (!server.parameters.isKnown) await learnTools(server, upstream, meta);
  return server.parameters.namesOf(request.params['name']);
}

/** Only stateless tool calls have such fields. */
function metaOf({ method, params }: RequestEnvelope): JsonObject | undefined {
  const meta = params['_meta'];
  return method === 'tools/call' && isObject(meta) && statedRevision(params) !== undefined ? meta : undefined;
}

/**
 * On behalf of the app. The call may succeed without them. Errors: UnsentRequest, since then the call could not be sent
 * either.
 */
async function learnTools(server: Asking['server'], upstream: Asking['upstream'], meta: JsonObject): Promise<void> {
  const { progressToken: _ofTheCall, ...about } = meta;
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const params = { _meta: about, ...(cursor !== undefined && { cursor }) };
    const response = await upstream.ask(server.own.tools(params)).catch((error: unknown) => {
      if (error instanceof UnsentRequest) throw error;
    });
    if (!response) return;
    cursor = await server.learnTools((await boundResponse('tools/list', response)).bytes);
    if (typeof cursor !== 'string') return;
  }
}
