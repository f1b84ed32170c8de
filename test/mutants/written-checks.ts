import { brokenClients } from './broken-clients.ts';
import type { Mutant } from './mutant.ts';
import { protocolRules } from './protocol-rules.ts';
import { unreachedChecks } from './unreached-checks.ts';

/** Tried by `npm test`. */
export const quickMutants: readonly Mutant[] = [...brokenClients, ...protocolRules];

/** All handwritten mutants. */
export const writtenMutants: readonly Mutant[] = [...quickMutants, ...unreachedChecks];
