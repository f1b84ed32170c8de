/**
 * What the secrets of a sign-in service are kept under: its issuer, but with typed endpoints the token endpoint, and
 * under the sub-domain exception two issuers. It is compared with other keys alone; shown as an issuer is only its
 * `publishedIssuer`.
 */
export type IssuerKey = string;
