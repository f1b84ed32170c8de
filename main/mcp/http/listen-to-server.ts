import { setTimeout as pause } from 'node:timers/promises';
import { leftoverBytes, resumption } from '../../limits.ts';
import type { Holding } from '../../holding.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { mediaType } from '../messages/message-headers.ts';
import { readAtMost } from '../messages/read-document.ts';
import { readEvents } from '../messages/read-events.ts';
import type { StreamPosition } from '../messages/read-events.ts';

export interface Listening {
  /** The bytes are good until it has resolved. */
  readonly take: (data: Buffer) => Promise<void>;
  readonly signal: AbortSignal;
  /** Whether somebody still listens. */
  readonly wanted: () => boolean;
  /** Told what is held of each message. */
  readonly holding: Holding;
}

/**
 * What a server of the wire with sessions sends by itself, taken up again where it breaks off (MCP 2025-11-25,
 * listening for messages). Resolves when there is no such stream, or none any more.
 */
export async function listenToServer(
  endpoint: McpEndpoint,
  { take, signal, wanted, holding }: Listening,
): Promise<void> {
  const position: StreamPosition = {};
  const { shortest, longest, usual } = resumption.pause;
  for (let failures = 0; failures < resumption.failures && wanted();) {
    try {
      const { lastEventId } = position;
      const response = await endpoint.request('GET', lastEventId === undefined ? {} : { lastEventId });
      if (!response.ok || mediaType(response) !== 'text/event-stream' || !response.body) {
        // Many servers have no such stream (405).
        await readAtMost(response, leftoverBytes);
        return;
      }
      failures = 0;
      for await (const data of readEvents(response.body.getReader(), position, holding)) await take(data);
    } catch {
      failures += 1;
    }
    await pause(Math.min(Math.max(position.retry ?? usual, shortest), longest), undefined, { signal });
  }
}
