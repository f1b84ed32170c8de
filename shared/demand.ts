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
