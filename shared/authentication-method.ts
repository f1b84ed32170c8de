/**
 * How a server wants to be signed in to, as discovery decides it (spec 2.1).
 * `OAuthWithCIMD` is ours: MCP 2026-07-28 client id metadata documents.
 */
export const authenticationMethods = ['NoAuth', 'OAuth', 'OAuthWithDCR', 'OAuthWithCIMD'] as const;

export type AuthenticationMethod = (typeof authenticationMethods)[number];
