import type { Integration } from '../../shared/integration.ts';
import { checkAddress } from '../address/check-address.ts';
import { parseTypedAddress } from '../address/parse-typed-address.ts';
import type { Secret } from '../secret.ts';
import { keySource } from './api-key.ts';
import type { Connected, ConnectRequest } from './connect-server.ts';
import type { EnginePorts } from './engine-ports.ts';
import { freeName } from './free-name.ts';
import { integrationLock } from './sign-in/install.ts';
import { integrationPolicy } from './integration-policy.ts';
import { saveHeaderValue } from './stored-secrets.ts';
import { openServer } from './open-server.ts';
import { readTools } from './use-server.ts';

export interface KeyRequest extends Pick<ConnectRequest, 'url' | 'name' | 'options' | 'again' | 'takesName'> {
  readonly key: Secret;
}

/**
 * Connects a server that wants a fixed header instead of a sign-in (`options.headerName`): lists its tools with the
 * key, and keeps both only when that worked. Errors: those of the address rule, API_KEY_REFUSED, MCP_FAILED, those
 * of HTTP, KC_*, CFG_*; then nothing is left behind.
 */
export async function connectWithKey(
  ports: EnginePorts,
  { url, name, options, again, takesName, key }: KeyRequest,
  signal: AbortSignal,
): Promise<Connected> {
  const address = parseTypedAddress(url);
  checkAddress(address, integrationPolicy(address.href, options), 'address');
  const vault = await ports.vault();
  await vault.ready();
  const integration: Integration = {
    id: again?.id ?? crypto.randomUUID(),
    name: again?.name ?? (await freeName(ports, name, address.href, { takesName })),
    url: address.href,
    method: 'NoAuth',
    state: 'integrated',
    createdAt: again?.createdAt ?? ports.clock.now(),
    notes: [],
    options,
  };
  const server = openServer(
    ports,
    integration,
    keySource(integration, async () => key),
  );
  const { tools, era } = await readTools(server, undefined, signal);
  const installed = { ...integration, era };
  // The secret first: an entry must never claim a key that is not there.
  await ports.locks.hold(integrationLock(integration.id), async () => {
    await saveHeaderValue(vault, integration.id, integration.url, key);
    await ports.store.write(installed);
  });
  return { integration: installed, tools, warnings: [] };
}
