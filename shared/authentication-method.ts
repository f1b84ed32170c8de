/**
 * How a server wants to be signed in to, as discovery decides it (spec 2.1).
 * `OAuthWithCIMD` is ours: MCP 2026-07-28 client id metadata documents.
 */
export const authenticationMethods = ['NoAuth', 'OAuth', 'OAuthWithDCR', 'OAuthWithCIMD'] as const;

export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** What a service may want of every sign-in that Postern cannot do. */
export const demands = [
  'pushed-request',
  'signed-request',
  'dpop',
  'certificate',
  'client-key',
  'secret-signature',
  'response-type',
  'grant-type',
  'client-grant',
  'assertion-grant',
  'response-mode',
] as const;

export type Demand = (typeof demands)[number];
