import { mediaType } from '../../mcp/messages/message-headers.ts';
import { readDocument } from '../../mcp/messages/read-document.ts';
import { readEvents } from '../../mcp/messages/read-events.ts';
import { meansId } from '../../mcp/messages/message-id.ts';
import { readEnvelope } from './envelope.ts';
import type { AnswerEnvelope, Envelope } from './envelope.ts';

/** What a server says before it answers. */
export type Other = Extract<Envelope, { kind: 'notification' | 'request' }>;

/**
 * The answer to the request with this id, as JSON, in what came for it; the rest is not waited for. `onOther` is told
 * what came before it. Errors: of reading.
 */
export async function readAnswer(
  response: Response,
  id: string,
  onOther: (message: Other) => void = () => {},
): Promise<AnswerEnvelope | undefined> {
  if (mediaType(response) !== 'text/event-stream' || !response.body) {
    return fitting(await readDocument(response), id);
  }
  const reader = response.body.getReader();
  try {
    for await (const data of readEvents(reader, {})) {
      const answer = fitting(data, id);
      if (answer) return answer;
      const other = readEnvelope(data);
      if (other.kind === 'notification' || other.kind === 'request') onOther(other);
    }
    return undefined;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function fitting(bytes: Buffer, id: string): AnswerEnvelope | undefined {
  const envelope = readEnvelope(bytes);
  return envelope.kind === 'answer' && meansId(envelope.id, id) ? envelope : undefined;
}
