import { readEnvelope } from './envelope.ts';
import type { JsonObject, RequestEnvelope } from './envelope.ts';
import type { ParameterHeaders } from './parameter-headers.ts';
import type { Upstream } from './upstream.ts';

interface Asking {
  readonly server: { readonly parameters: ParameterHeaders };
  readonly upstream: Upstream;
  /** The server missed some: what is known of its tools is old. */
  readonly isAgain: boolean;
}

const claim = 'io.modelcontextprotocol/protocolVersion';
/** Pages of a list of tools that are read for one call. */
const mostPages = 20;

/** The header fields that repeat arguments of a call; the tools are asked for where they are not known. Errors: PosternError. */
export async function headersFor(
  { server: { parameters }, upstream, isAgain }: Asking,
  request: RequestEnvelope,
): Promise<Readonly<Record<string, string>>> {
  const meta = request.params['_meta'] as JsonObject | undefined;
  if (request.method !== 'tools/call' || typeof meta?.[claim] !== 'string') return {};
  if (isAgain || !parameters.isKnown) await learnTools(parameters, upstream, meta);
  return parameters.of(request);
}

/** In the name of the program, with an id that none of its own has. */
async function learnTools(parameters: ParameterHeaders, upstream: Upstream, meta: JsonObject): Promise<void> {
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
