import type { Integration } from '../../../shared/integration.ts';
import { refusalIn } from '../../mcp/http/refused-request.ts';
import type { TokenChallenge } from '../../oauth/wire/token-challenge.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { unpublished } from '../sign-in/discover-server.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { openServer } from '../use/open-server.ts';
import type { ServerAddress } from '../server-address.ts';
import { readTools } from '../use/use-server.ts';

export type TriedWithoutSignIn =
  NonNullable<Inspection['open']> | { readonly challenge: TokenChallenge } | { readonly refusal: PosternError };

/**
 * Lists a server's tools without a token (spec 3.1, NoAuth): the one proof that it needs no sign-in. A refusal with a
 * challenge that names its metadata leads back to discovery; any other says why no metadata could be had.
 * Errors: MCP_FAILED and those of HTTP.
 */
export async function tryWithoutSignIn(
  ports: EnginePorts,
  address: ServerAddress,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<TriedWithoutSignIn> {
  let icons: unknown;
  // It may never be added.
  const checking = { ...ports, onGreeting: (_server: ServerAddress, named: unknown) => void (icons = named) };
  const server = openServer(checking, address, { current: async () => undefined, renew: async () => undefined });
  try {
    return { ...(await readTools(server, discovery.era, signal)), icons };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal?.challenge?.resourceMetadata !== undefined) return { challenge: refusal.challenge };
    if (refusal) return { refusal: unpublished(discovery) };
    throw error;
  }
}

/** The list entry of a server that needs no sign-in. `now` in milliseconds since 1970. */
export function describeOpenServer(
  entry: Pick<Integration, 'id' | 'name' | 'url' | 'options'>,
  { reason, notes }: Pick<Discovery, 'reason' | 'notes'>,
  now: number,
): Integration {
  return {
    ...entry,
    method: 'NoAuth',
    state: 'integrated',
    ...(reason && { reason }),
    createdAt: now,
    notes: [...notes],
  };
}
