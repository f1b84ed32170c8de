import { deadline, leftoverBytes, refusalBytes } from '../../limits.ts';
import { isOfEndedSession } from '../../mcp/http/ended-session.ts';
import { followStream } from '../../mcp/http/follow-stream.ts';
import type { McpEndpoint } from '../../mcp/http/mcp-endpoint.ts';
import { mediaType, readSessionId } from '../../mcp/messages/message-headers.ts';
import { meansId } from '../../mcp/messages/message-id.ts';
import { readAtMost, readDocument } from '../../mcp/messages/read-document.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import { PosternError } from '../../postern-error.ts';
import { rpcCode } from '../answers/answers.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { isObject, readEnvelope, withIdOf } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import type { SessionBuffer } from '../limits/session-buffer.ts';
import { saysNothingOfEra } from './era-evidence.ts';

type Message = NonNullable<NonNullable<Parameters<McpEndpoint['request']>[1]>['message']>;

/** Gets each message of the server; reading goes on when it has resolved. */
export type Take = (message: Envelope) => Promise<void>;

export interface Exchange {
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Only the older wire takes a stream up again. */
  readonly canResume: boolean;
  /** Of its session, for what comes. */
  readonly buffer: SessionBuffer;
}

/** `session-ended`: the server does not know the session any more, and has not acted on the request. */
export type Exchanged = 'taken' | 'session-ended';

/** Sends a request as it came and takes all that comes with its answer. Errors: PosternError. */
export async function exchange(endpoint: McpEndpoint, request: RequestEnvelope, options: Exchange): Promise<Exchanged> {
  const { signal, headers } = options;
  const { id, method, params, bytes } = request;
  const response = await endpoint.request('POST', {
    message: { jsonrpc: '2.0', id, method, params } as Message,
    bytes,
    headers,
    // Only what a server does may take its time: a handshake keeps others waiting.
    deadline: isCatalogued(method) ? deadline.mcpHeaders : undefined,
    signal,
  });
  if (method === 'initialize' && response.ok) {
    endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
  }
  if (method !== 'initialize' && isOfEndedSession(response, endpoint.sessionId)) {
    await response.body?.cancel();
    return 'session-ended';
  }
  if (response.ok) await takeAnswer(endpoint, response, request, options);
  else await takeRefusal(response, request, options);
  return 'taken';
}

async function takeAnswer(
  endpoint: McpEndpoint,
  response: Response,
  request: RequestEnvelope,
  { take, signal, canResume, buffer }: Exchange,
): Promise<void> {
  let isOpen = true;
  const takeOne = async (envelope: Envelope): Promise<void> => {
    const isAnswer = envelope.kind === 'answer' || envelope.kind === 'unusable';
    const isWanted = isAnswer && meansId(envelope.id ?? '', request.id);
    if (isWanted) isOpen = false;
    await take(isWanted && envelope.kind === 'answer' ? withIdOf(request, envelope) : envelope);
  };
  const holding = buffer.open();
  switch (mediaType(response)) {
    case 'text/event-stream':
      return await followStream(response, {
        take: (data) => takeOne(readEnvelope(data)),
        isOpen: () => isOpen,
        resume: canResume ? (lastEventId) => endpoint.request('GET', { lastEventId, signal }) : undefined,
        refusal: async (refused) => {
          await readAtMost(refused, leftoverBytes);
          return new PosternError('SESSION_LOST', { stage: 'gateway' });
        },
        signal,
        holding,
      });
    case 'application/json':
      try {
        const envelope = readEnvelope(await readDocument(response, { holding, endsAtLength: true }));
        // Nothing else comes, whoever it is for.
        return await takeOne(envelope.kind === 'unusable' ? { ...envelope, id: request.id } : envelope);
      } finally {
        void holding.hold(0);
      }
    default:
      if (response.status === 202) return void (await readAtMost(response, leftoverBytes));
      try {
        // An answer under a type that says something else; of a page nothing is taken.
        const envelope = readEnvelope(await readDocument(response, { holding, endsAtLength: true }));
        if (envelope.kind === 'answer') await takeOne(envelope);
      } finally {
        void holding.hold(0);
      }
  }
}

/** Sends a notification or an answer as it came. Errors: PosternError. */
export async function tell(
  endpoint: McpEndpoint,
  message: Exclude<Envelope, { kind: 'unusable' | 'request' }>,
  signal: AbortSignal,
): Promise<void> {
  // Header fields repeat what a request says; of these nothing.
  const plain = message.kind === 'answer' ? { jsonrpc: '2.0' } : { jsonrpc: '2.0', method: message.method };
  const response = await endpoint.request('POST', { message: plain as Message, bytes: message.bytes, signal });
  await readAtMost(response, leftoverBytes);
}

/** A status that says no may have an answer with it, and one without an id is to the request that it came for. */
async function takeRefusal(response: Response, request: RequestEnvelope, { take, host }: Exchange): Promise<void> {
  const { id, method } = request;
  const { status } = response;
  const body = await readAtMost(response, refusalBytes);
  // Its words would be taken for those of a server that has never heard of the method.
  if (method === 'server/discover' && saysNothingOfEra(status)) throw noMcp('connection', { host, status });
  const envelope = readEnvelope(body);
  if (envelope.kind === 'answer' && meansId(envelope.id, id)) return await take(withIdOf(request, envelope));
  const error = errorWithoutId(body) ?? errorOf(request, response);
  if (error === undefined) {
    throw noMcp('connection', { host, status });
  }
  await take(readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)));
}

/** Older servers have no other answer to a method that they do not know. */
function errorOf({ method }: RequestEnvelope, { status }: Response): unknown {
  return method === 'server/discover' && status === 400
    ? { code: rpcCode.unknownMethod, message: 'Method not found' }
    : undefined;
}

function errorWithoutId(body: Buffer): unknown {
  try {
    const message: unknown = JSON.parse(body.toString('utf8'));
    const isAboutRequest = isObject(message) && isObject(message['error']) && (message['id'] ?? null) === null;
    return isAboutRequest ? message['error'] : undefined;
  } catch {
    return undefined;
  }
}
