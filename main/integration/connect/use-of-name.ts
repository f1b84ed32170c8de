import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import { usesApiKey } from '../kept/api-key.ts';
import type { EnginePorts } from '../engine-ports.ts';

/**
 * Whose the name is that a person gives to a new connection: nobody's, the same server's, which is signed in `again`
 * under its id, or another one's. With an API key and with a sign-in a server is not the same.
 */
export type UseOfName =
  | { readonly kind: 'free' }
  | { readonly kind: 'again'; readonly existing: Integration }
  | { readonly kind: 'taken'; readonly existing: Integration };

/** Errors: those of the address rule, CFG_*. */
export async function useOfName(
  { store }: Pick<EnginePorts, 'store'>,
  wanted: { readonly name: string | undefined; readonly url: string; readonly options: IntegrationOptions },
): Promise<UseOfName> {
  if (wanted.name === undefined) return { kind: 'free' };
  const { href } = parseTypedAddress(wanted.url);
  const name = displayText(wanted.name);
  const existing = (await store.list()).find((one) => one.name === name);
  if (existing === undefined) return { kind: 'free' };
  const isSame = existing.url === href && usesApiKey(existing) === usesApiKey(wanted);
  return { kind: isSame ? 'again' : 'taken', existing };
}
