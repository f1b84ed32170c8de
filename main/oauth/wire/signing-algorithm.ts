/** What Postern signs assertions with (RFC 7518 section 3.1); FAPI 2.0 section 5.4.1 takes all but RS256. */
export const signingAlgorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** What a key of Postern's own is made for: the first of these that the service takes. */
const ownAlgorithms = ['ES256', 'PS256', 'RS256'] as const satisfies readonly SigningAlgorithm[];

interface Listed {
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[] | undefined;
}

/** `undefined`: the service takes no signature that Postern makes. A list that is empty or absent says nothing. */
export function ownSigningAlgorithm({
  token_endpoint_auth_signing_alg_values_supported: listed = [],
}: Listed): (typeof ownAlgorithms)[number] | undefined {
  return listed.length === 0 ? 'ES256' : ownAlgorithms.find((algorithm) => listed.includes(algorithm));
}

/** For an RSA key, which may be used with either: the stronger one where the service lists it, else the usual one. */
export function rsaAlgorithm(metadata: Listed | undefined): 'PS256' | 'RS256' {
  return metadata?.token_endpoint_auth_signing_alg_values_supported?.includes('PS256') === true ? 'PS256' : 'RS256';
}
