import { proofAlgorithm } from '../wire/proof-key.ts';
import type { Discovery } from './discovery.ts';

type Documents = Pick<Discovery, 'metadata' | 'resourceMetadata' | 'challenge'>;

/**
 * Whether tokens are asked for with a key that they are to be bound to (RFC 9449). `demanded`: others would be of no
 * use, since the registration (section 5.2), the service or the server say so; the server also by naming no other scheme.
 * `offered`: the service can bind them (section 5.1), and the server takes such tokens as far as it says what it takes:
 * one that names Bearer alone most likely knows no other scheme.
 */
export function wantedBinding(
  { metadata, resourceMetadata, challenge }: Documents,
  { bindsTokens }: { readonly bindsTokens?: boolean | undefined } = {},
): 'demanded' | 'offered' | undefined {
  const isDemanded =
    bindsTokens === true ||
    metadata?.dpop_bound_access_tokens === true ||
    resourceMetadata?.dpop_bound_access_tokens_required === true ||
    challenge?.dpop?.only === true;
  if (isDemanded) return 'demanded';
  if (!includesOurs(metadata?.dpop_signing_alg_values_supported)) return undefined;
  const taken = challenge?.dpop?.algs ?? resourceMetadata?.dpop_signing_alg_values_supported;
  if (taken !== undefined) return includesOurs(taken) ? 'offered' : undefined;
  return challenge !== undefined && challenge.dpop === undefined ? undefined : 'offered';
}

/** Whether the server that says how proofs may be signed leaves our way out. An empty list says nothing. */
export function excludesOurs(listed: readonly string[] | undefined): boolean {
  return listed !== undefined && listed.length > 0 && !listed.includes(proofAlgorithm);
}

function includesOurs(listed: readonly string[] | undefined): boolean {
  return listed?.includes(proofAlgorithm) === true;
}
