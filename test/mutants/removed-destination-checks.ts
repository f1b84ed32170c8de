import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** What keeps a secret that a person gave for one server or service from another one. */
export const removedDestinationChecks: readonly Mutant[] = [
  removedCheck(
    'key-of-another-server',
    [
      'desktop/key-header.ts',
      'own.origin === other.origin && own.pathname === other.pathname ? header : undefined',
      'header',
    ],
    ['contract', 'contract/key-destination.test.ts', 'stays there'],
    ['contract', 'contract/key-destination.test.ts', 'is not taken for'],
  ),
];
