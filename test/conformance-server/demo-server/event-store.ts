import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Events of one session, so that a stream can be resumed (MCP 2025-11-25, resumability). */
export function createEventStore(): EventStore {
  const events: { readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  const at = (id: string): number => Number(id) - 1;
  return {
    storeEvent: async (stream, message) => String(events.push({ stream, message })),
    getStreamIdForEventId: async (id) => events[at(id)]?.stream,
    async replayEventsAfter(lastId, { send }) {
      const stream = events[at(lastId)]?.stream ?? '';
      for (const [index, event] of events.entries()) {
        const isEmpty = !('jsonrpc' in event.message);
        if (index > at(lastId) && event.stream === stream && !isEmpty) await send(String(index + 1), event.message);
      }
      return stream;
    },
  };
}
