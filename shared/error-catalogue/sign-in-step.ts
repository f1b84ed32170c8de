import type { CatalogueDetail } from './catalogue-entry.ts';

/**
 * What a person types to sign in: `detail.signIn`, which the command line fills in for the command at hand, else a
 * command that has the option wherever the error came up.
 */
export function signInStep(detail: CatalogueDetail, otherwise: 'refresh' | 'tools' = 'refresh'): string {
  return String(detail['signIn'] ?? `\`postern ${otherwise} NAME --sign-in browser\``);
}

/** What a person types to sign out: `detail.signOut`, which the command line fills in with the name at hand. */
export function signOutStep(detail: CatalogueDetail): string {
  return String(detail['signOut'] ?? '`postern sign-out NAME`');
}
