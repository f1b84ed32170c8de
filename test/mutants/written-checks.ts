import { brokenClients } from './broken-clients.ts';
import type { Mutant } from './mutant.ts';
import { protocolRules } from './protocol-rules.ts';
import { unreachedChecks } from './unreached-checks.ts';

/** Tried by `npm test`: the protocol rules, and one broken client, which shows that the official suite can fail. */
export const quickMutants: readonly Mutant[] = [
  ...brokenClients.filter(({ name }) => name === 'no-pkce'),
  ...protocolRules,
];

/** All handwritten mutants. */
export const writtenMutants: readonly Mutant[] = [...brokenClients, ...protocolRules, ...unreachedChecks];
