import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { isUnknownMethod } from '../http/mcp-failure.ts';
import type { McpConnection } from './connect-mcp.ts';

/** What a server may say by itself that it has changed: a list of what it offers, or one resource. */
export type Followed = { readonly list: 'tools' | 'resources' | 'prompts' } | { readonly resource: string };

/** What a server has promised to say by itself. */
export interface Following {
  /** Resolves when it says no more of it on this connection. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Tells the server that nobody wants to know any more. Errors: the library's. */
  stop(signal: AbortSignal): Promise<void>;
}

type Connection = Pick<McpConnection, 'client' | 'hearChanges'>;

/**
 * Subscribes: in a session a list needs no more than its stream, a resource `resources/subscribe` (MCP 2025-11-25,
 * resources); without one it is `subscriptions/listen` for both (MCP 2026-07-28). `changed` is called for whatever the
 * server then says of resources, since it may be a part of the one that is followed. `undefined`: the server offers
 * none, or no stream to say it on. Errors: the library's, and those of `fetch`.
 */
export async function subscribe(
  connection: Connection,
  followed: Followed,
  changed: () => void,
  signal: AbortSignal,
): Promise<Following | undefined> {
  const { client } = connection;
  if (!isOffered(client, followed)) return undefined;
  const notice = 'list' in followed ? (`${followed.list}/list_changed` as const) : 'resources/updated';
  client.setNotificationHandler(`notifications/${notice}`, changed);
  const stream = await connection.hearChanges();
  signal.throwIfAborted();
  try {
    if (client.getProtocolEra() === 'modern') return await listen(client, filterOf(followed), signal);
    if (!stream) return undefined;
    if ('list' in followed) return { ended: stream.ended, stop: async () => {} };
    const uri = followed.resource;
    await client.subscribeResource({ uri }, { signal });
    const stop = async (leaving: AbortSignal): Promise<void> => {
      await client.unsubscribeResource({ uri }, { signal: leaving });
    };
    return { ended: stream.ended, stop };
  } catch (error) {
    if (isUnknownMethod(error)) return undefined;
    throw error;
  }
}

function isOffered(client: Connection['client'], followed: Followed): boolean {
  const capabilities = client.getServerCapabilities();
  if ('list' in followed) return capabilities?.[followed.list]?.listChanged === true;
  return capabilities?.resources?.subscribe === true;
}

function filterOf(followed: Followed): SubscriptionFilter {
  return 'list' in followed
    ? { [`${followed.list}ListChanged`]: true }
    : { resourceSubscriptions: [followed.resource] };
}

/** `undefined`: the server has agreed to nothing of it. */
async function listen(
  client: Connection['client'],
  filter: SubscriptionFilter,
  signal: AbortSignal,
): Promise<Following | undefined> {
  const { honoredFilter, closed, close } = await client.listen(filter, { signal });
  const isHonored = Object.values(honoredFilter).some((part) =>
    Array.isArray(part) ? part.length > 0 : part === true,
  );
  if (isHonored) return { ended: closed, stop: close };
  await close();
  return undefined;
}
