import type { IntegrationOptions } from '../../shared/integration.ts';

/** The two addresses as they are typed; both empty: what the service publishes. */
export type TypedEndpoints = NonNullable<IntegrationOptions['endpoints']>;
export type EndpointMistakes = { readonly [Name in keyof TypedEndpoints]?: 'missing' | 'incomplete' };

export const noEndpoints: TypedEndpoints = { authorization: '', token: '' };

/** What can be seen in the form already; whether an address may be used is main's to say. */
export function findEndpointMistakes({ authorization, token }: TypedEndpoints): EndpointMistakes | undefined {
  if (authorization.trim() === '' && token.trim() === '') return undefined;
  const [first, second] = [mistakeOf(authorization), mistakeOf(token)];
  return (first ?? second) && { ...(first && { authorization: first }), ...(second && { token: second }) };
}

function mistakeOf(typed: string): 'missing' | 'incomplete' | undefined {
  if (typed.trim() === '') return 'missing';
  return /^https?:\/\//i.test(typed.trim()) && URL.canParse(typed.trim()) ? undefined : 'incomplete';
}

/** `null`: none were typed. */
export function givenEndpoints({ authorization, token }: TypedEndpoints): TypedEndpoints | null {
  const given = { authorization: authorization.trim(), token: token.trim() };
  return given.authorization === '' && given.token === '' ? null : given;
}
