/**
 * What the secrets of a sign-in service are kept under: its issuer, but with typed endpoints the token endpoint, and
 * under the sub-domain exception two issuers. It is compared with other keys alone; what is shown of it, or looked up
 * by it, is the `publishedIssuer`.
 */
export type IssuerKey = string;

/** The issuer as it was published, or the typed token endpoint: a `#` and another issuer may follow in the key. */
export function publishedIssuer(key: IssuerKey): string {
  return key.split('#', 1)[0] ?? '';
}
