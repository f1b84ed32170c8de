import { UnsentRequest } from '../../errors/request-error.ts';
import { isObject, statedRevision } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { CallPermits } from '../permissions/call-permits.ts';
import { boundedAnswer } from '../permissions/without-tools.ts';
import type { ServedServer } from './served-server.ts';

interface Asking {
  readonly server: Pick<ServedServer, 'own' | 'parameters' | 'learnTools' | 'isLocal'>;
  readonly upstream: { readonly ask: Ask };
  /** The server missed some: what is known of its tools is old. */
  readonly isAgain: boolean;
}

/** Asks a question of our own: its answer, or `undefined` for an error. Errors: PosternError. */
export type Ask = (question: RequestEnvelope) => Promise<AnswerEnvelope | undefined>;

/** Pages of a list of tools that are read for one call. */
const mostPages = 20;

/**
 * The header fields that repeat arguments of a call; the tools are asked for where they are not known. Errors:
 * UnsentRequest.
 */
export async function headersFor(
  { server, upstream, isAgain }: Asking,
  request: RequestEnvelope,
): Promise<Readonly<Record<string, string>>> {
  const meta = metaOf(request);
  // A process is sent no header fields.
  if (!meta || server.isLocal) return {};
  if (isAgain || !server.parameters.isKnown) await learnTools(server, upstream, meta);
  return server.parameters.of(request);
}

/** Fields of an app's request by HTTP that go on as they came; nothing else of it does. */
const passed = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Those with which an app that speaks HTTP sent a request, as they go on. Errors: UnsentRequest. */
export async function passedFields(
  { permits, ...asking }: Omit<Asking, 'isAgain'> & { readonly permits: CallPermits },
  request: RequestEnvelope,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const names = permits.fieldsOf(fields, await namesFor(asking, request), asking.server.parameters.of(request));
  return Object.fromEntries(
    [...passed, ...names].flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Of the fields that a program sent with a call itself, those that the tool has. Errors: UnsentRequest. */
async function namesFor(
  { server, upstream }: Omit<Asking, 'isAgain'>,
  request: RequestEnvelope,
): Promise<readonly string[]> {
  const meta = metaOf(request);
  if (!meta || server.isLocal) return [];
  if (!server.parameters.isKnown) await learnTools(server, upstream, meta);
  return server.parameters.namesOf(request.params['name']);
}

/** Only calls of tools have such fields, and only on the newer wire. */
function metaOf({ method, params }: RequestEnvelope): JsonObject | undefined {
  const meta = params['_meta'];
  return method === 'tools/call' && isObject(meta) && statedRevision(params) !== undefined ? meta : undefined;
}

/** On behalf of the program. Without them the call may do as well. Errors: UnsentRequest, since that would not leave either. */
async function learnTools(server: Asking['server'], upstream: Asking['upstream'], meta: JsonObject): Promise<void> {
  const { progressToken: _ofTheCall, ...about } = meta;
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const params = { _meta: about, ...(cursor !== undefined && { cursor }) };
    const answer = await upstream.ask(server.own.tools(params)).catch((error: unknown) => {
      if (error instanceof UnsentRequest) throw error;
    });
    if (!answer) return;
    cursor = await server.learnTools((await boundedAnswer('tools/list', answer)).bytes);
    if (typeof cursor !== 'string') return;
  }
}
