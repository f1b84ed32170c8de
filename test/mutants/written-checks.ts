import { brokenClients } from './broken-clients.ts';
import type { Mutant } from './mutant.ts';
import { protocolRules } from './protocol-rules.ts';
import { unreachedChecks } from './unreached-checks.ts';

/** What `npm test` tries. */
export const quickMutants: readonly Mutant[] = [...brokenClients, ...protocolRules];

/** Every mutant that is written by hand; the others are generated. */
export const writtenMutants: readonly Mutant[] = [...quickMutants, ...unreachedChecks];
