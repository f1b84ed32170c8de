import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { isUnknownMethod } from '../http/mcp-failure.ts';
import type { McpConnection } from './connect-mcp.ts';

/** What change notifications are for: a list the server exposes, or one resource. */
export type SubscriptionTarget = { readonly list: 'tools' | 'resources' | 'prompts' } | { readonly resource: string };

/** An accepted subscription. */
interface Subscription {
  /** Resolves when the subscription ends on this connection. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Unsubscribes. Errors: the library's. */
  stop(signal: AbortSignal): Promise<void>;
}

type Connection = Pick<McpConnection, 'client' | 'watchChanges'>;

/**
 * Subscribes. In a session a list needs only the stream, a resource `resources/subscribe` (MCP 2025-11-25,
 * resources); the stateless protocol uses `subscriptions/listen` for both (MCP 2026-07-28). `onChange` is called for
 * every resource update, since it may concern a part of the one subscribed to. `undefined`: the server does not support
 * it, or has no stream for it. Errors: the library's, and those of `fetch`.
 */
export async function subscribe(
  connection: Connection,
  target: SubscriptionTarget,
  onChange: () => void,
  signal: AbortSignal,
): Promise<Subscription | undefined> {
  const { client } = connection;
  if (!isSupported(client, target)) return undefined;
  const method = 'list' in target ? (`${target.list}/list_changed` as const) : 'resources/updated';
  client.setNotificationHandler(`notifications/${method}`, onChange);
  const stream = await connection.watchChanges();
  signal.throwIfAborted();
  try {
    if (client.getProtocolEra() === 'modern') return await listen(client, filterOf(target), signal);
    if (!stream) return undefined;
    if ('list' in target) return { ended: stream.ended, stop: async () => {} };
    const uri = target.resource;
    await client.subscribeResource({ uri }, { signal });
    const stop = async (stopSignal: AbortSignal): Promise<void> => {
      await client.unsubscribeResource({ uri }, { signal: stopSignal });
    };
    return { ended: stream.ended, stop };
  } catch (error) {
    if (isUnknownMethod(error)) return undefined;
    throw error;
  }
}

function isSupported(client: Connection['client'], target: SubscriptionTarget): boolean {
  const capabilities = client.getServerCapabilities();
  if ('list' in target) return capabilities?.[target.list]?.listChanged === true;
  return capabilities?.resources?.subscribe === true;
}

function filterOf(target: SubscriptionTarget): SubscriptionFilter {
  return 'list' in target ? { [`${target.list}ListChanged`]: true } : { resourceSubscriptions: [target.resource] };
}

/** `undefined`: the server accepted no part of it. */
async function listen(
  client: Connection['client'],
  filter: SubscriptionFilter,
  signal: AbortSignal,
): Promise<Subscription | undefined> {
  const { honoredFilter, closed, close } = await client.listen(filter, { signal });
  const isHonored = Object.values(honoredFilter).some((part) =>
    Array.isArray(part) ? part.length > 0 : part === true,
  );
  if (isHonored) return { ended: closed, stop: close };
  await close();
  return undefined;
}
