import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const hostile = 'hostile/collections.test.ts';
const permissions = 'contract/gateway/collection-permissions.test.ts';

/** What keeps the members of a collection, and the rights to them, apart. */
export const removedCollectionChecks: readonly Mutant[] = [
  removedCheck(
    'questions-that-another-member-cancels',
    ['Questions', '$question.member === $member && $question.id === $id', '$question.id === $id'],
    ['hostile', hostile, 'GW-71'],
  ),
  removedCheck(
    'ids-of-questions-of-members',
    ['Questions', 'const $own = this.#newId();', 'const $own = $id;'],
    ['hostile', hostile, 'GW-71'],
  ),
  removedCheck(
    'templates-that-fit-everything',
    ['Members', 'said($other) - said($one)', '0'],
    ['hostile', hostile, 'GW-71'],
  ),
  removedCheck(
    'states-of-other-requests',
    ['NewerRequests', '!$asked || !$isSame', '!$asked'],
    ['hostile', hostile, 'GW-72'],
  ),
  removedCheck(
    'headers-of-another-tool-of-a-collection',
    ['HttpCollection', "$message?.kind === 'request' && namesAnother($message, $headers)", 'false'],
    ['contract', permissions, 'PM-20'],
  ),
  removedCheck(
    'collections-of-programs-that-lost-them',
    ['OpenCollections', 'if ($program && $isAllowed) $hangUp();', ''],
    ['contract', permissions, 'PM-21'],
  ),
];
