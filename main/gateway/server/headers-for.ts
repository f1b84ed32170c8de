import { statedRevision, isObject, readEnvelope } from '../messages/envelope.ts';
import type { JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { ParameterHeaders } from '../messages/parameter-headers.ts';

interface Asking {
  readonly server: { readonly parameters: ParameterHeaders };
  readonly upstream: { readonly ask: Ask };
  /** The server missed some: what is known of its tools is old. */
  readonly isAgain: boolean;
}

/** Asks a question of our own: its result, or `undefined` for an error. Errors: PosternError. */
export type Ask = (question: RequestEnvelope) => Promise<JsonObject | undefined>;

/** Pages of a list of tools that are read for one call. */
const mostPages = 20;

/**
 * The header fields that repeat arguments of a call; the tools are asked for where they are not known. Errors:
 * PosternError.
 */
export async function headersFor(
  { server: { parameters }, upstream, isAgain }: Asking,
  request: RequestEnvelope,
): Promise<Readonly<Record<string, string>>> {
  const meta = metaOf(request);
  if (!meta) return {};
  if (isAgain || !parameters.isKnown) await learnTools(parameters, upstream, meta);
  return parameters.of(request);
}

/** Of the fields that a program sent with a call itself, those that the tool has. Errors: PosternError. */
export async function namesFor(
  { server: { parameters }, upstream }: Omit<Asking, 'isAgain'>,
  request: RequestEnvelope,
): Promise<readonly string[]> {
  const meta = metaOf(request);
  if (!meta) return [];
  if (!parameters.isKnown) await learnTools(parameters, upstream, meta);
  return parameters.namesOf(request.params['name']);
}

/** Only calls of tools have such fields, and only on the newer wire. */
function metaOf({ method, params }: RequestEnvelope): JsonObject | undefined {
  const meta = params['_meta'];
  return method === 'tools/call' && isObject(meta) && statedRevision(params) !== undefined ? meta : undefined;
}

/** In the name of the program, with an id that none of its own has. */
async function learnTools(parameters: ParameterHeaders, upstream: Asking['upstream'], meta: JsonObject): Promise<void> {
  const { progressToken: _ofTheCall, ...about } = meta;
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const params = { _meta: about, ...(cursor !== undefined && { cursor }) };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 'postern:tools', method: 'tools/list', params });
    const question = readEnvelope(Buffer.from(text));
    if (question.kind !== 'request') return;
    const result = await upstream.ask(question);
    if (!result) return;
    parameters.learn(result);
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string') return;
  }
}
