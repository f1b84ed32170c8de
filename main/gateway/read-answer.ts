import { mediaType } from '../mcp/message-headers.ts';
import { readDocument } from '../mcp/read-document.ts';
import { readEvents } from '../mcp/read-events.ts';
import { idKey, readEnvelope } from './envelope.ts';
import type { AnswerEnvelope } from './envelope.ts';

/** The answer to one request in what came for it, whatever came before; the rest is not waited for. Errors: of reading. */
export async function readAnswer(response: Response, key: string): Promise<AnswerEnvelope | undefined> {
  if (mediaType(response) !== 'text/event-stream' || !response.body) {
    return fitting(await readDocument(response), key);
  }
  const reader = response.body.getReader();
  try {
    for await (const data of readEvents(reader, {})) {
      const answer = fitting(Buffer.from(data), key);
      if (answer) return answer;
    }
    return undefined;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function fitting(bytes: Buffer, key: string): AnswerEnvelope | undefined {
  const envelope = readEnvelope(bytes);
  return envelope.kind === 'answer' && idKey(envelope.id) === key ? envelope : undefined;
}
