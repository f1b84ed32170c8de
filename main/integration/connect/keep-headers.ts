import type { Integration } from '../../../shared/integration.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { usesApiKey } from '../kept/api-key.ts';
import { connectWithKey } from './connect-with-key.ts';

/**
 * Whether it is used without any credential, so that headers of an entry for the same address are all that there is.
 */
export function lacksCredential(integration: Integration): boolean {
  return usesApiKey(integration) ? integration.state === 'signedOut' : integration.method === 'NoAuth';
}

/**
 * Headers that came for an integration which is there already: it keeps them where it has no credential, once the
 * server has taken them; else it goes on with what it has. Errors: as `connectWithKey`.
 */
export async function keepHeaders(
  ports: EnginePorts,
  integration: Integration,
  { name: headerName, value: key, further = [] }: FixedHeader & { readonly further?: readonly FixedHeader[] },
  signal: AbortSignal,
): Promise<'kept' | 'existing'> {
  if (!lacksCredential(integration)) return 'existing';
  const { url, name, options } = integration;
  const keyed = { url, name, options: { ...options, headerName }, again: integration, key, further };
  await connectWithKey(ports, keyed, signal);
  return 'kept';
}
