import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Streamable HTTP that does not let a list of tools wait until the server has confirmed `notifications/initialized`:
 * from its answer to `initialize` on, a client may ask (MCP 2025-11-25, lifecycle, initialization). Two messages that
 * are under way at once may arrive in either order, and some servers refuse what comes before the notification, so
 * that only a question goes ahead of it which may be put again; all else waits, a tool call above all.
 */
export class EagerTransport extends StreamableHTTPClientTransport {
  #greeting: Promise<void> | undefined;

  /** The notification that is under way; rejects with what became of it. */
  get greeting(): Promise<void> | undefined {
    return this.#greeting;
  }

  override async send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    const method = methodOf(message);
    if (method === 'notifications/initialized') {
      const greeting = super.send(message, options);
      this.#greeting = greeting;
      const confirm = (): void => void (this.#greeting = undefined);
      // A failed one stays: whatever waits for it fails as it did.
      greeting.then(confirm, () => {});
      return;
    }
    if (method !== 'tools/list') await this.#greeting;
    await super.send(message, options);
  }
}

function methodOf(message: JSONRPCMessage | JSONRPCMessage[]): string | undefined {
  return 'method' in message ? message.method : undefined;
}
