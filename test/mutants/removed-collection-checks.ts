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
    ['Addresses', 'isCatchAll($address)', 'false'],
    ['hostile', hostile, 'GW-71'],
  ),
  removedCheck(
    'templates-that-several-members-have',
    ['Addresses', 'const $isShared = this.#all().some($check);', 'const $isShared = false;'],
    ['hostile', hostile, 'GW-80'],
  ),
  removedCheck(
    'progress-of-what-another-member-does',
    [
      'CollectionSession',
      'const $of = $token === undefined ? undefined : this.#requests.aboutOf($member, $token);',
      "const $of = '0';",
    ],
    ['hostile', hostile, 'GW-81'],
  ),
  removedCheck(
    'questions-of-a-member-that-nobody-calls',
    [
      'CollectionSession',
      "if ($method !== 'roots/list') return await this.#refuse($member, $question);",
      "if ($method !== 'roots/list') return await this.#ask($member, $question, '0');",
    ],
    ['hostile', hostile, 'GW-81'],
  ),
  removedCheck(
    'lines-of-a-member-without-its-name',
    [
      'attributed',
      '$paragraphs.map(($line) => `${$alias}: ${$line}`.trimEnd()).join($end)',
      '`${$alias}: ${$paragraphs.join($end)}`',
    ],
    ['hostile', hostile, 'GW-82'],
  ),
  removedCheck(
    'views-of-several-members',
    ['Addresses', 'isView($meta) ? ownForm($member, $meta) : $meta', '$meta'],
    ['hostile', hostile, 'GW-83'],
  ),
  removedCheck(
    'states-of-other-requests',
    ['NewerRequests', '!$asked || !$isSame', '!$asked'],
    ['hostile', hostile, 'GW-72'],
  ),
  removedCheck(
    'headers-of-another-tool-of-a-collection',
    ['HttpPrograms', 'namesAnother($message, $headers)', 'false'],
    ['contract', permissions, 'PM-20'],
  ),
  removedCheck(
    'collections-of-programs-that-lost-them',
    ['OpenCollections', 'if ($program && $isAllowed) $hangUp();', ''],
    ['contract', permissions, 'PM-21'],
  ),
];
