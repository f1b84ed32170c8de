/** The issuer as it was published, in what secrets are keyed by (`issuerKey`): a `#` and another issuer may follow. */
export function publishedIssuer(key: string): string {
  return key.split('#', 1)[0] ?? '';
}
