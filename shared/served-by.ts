import type { Integration } from './integration.ts';

/** The servers that an identity provider signs in for. */
export function servedBy<Kept extends Pick<Integration, 'options'>>(
  { id }: Pick<Integration, 'id'>,
  all: readonly Kept[],
): readonly Kept[] {
  return all.filter(({ options }) => options.grant === 'enterprise' && options.identityProvider === id);
}
