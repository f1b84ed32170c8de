import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const permissions = 'contract/gateway/permissions.test.ts';

/** What keeps programs from tools that a person has denied, or wants to be asked about. */
export const removedPermissionChecks: readonly Mutant[] = [
  removedCheck(
    'denied-tools-in-lists',
    ['CallPermits', "$method !== 'tools/list' || !this.#isRestricted", 'true'],
    ['contract', permissions, 'PM-01'],
  ),
  removedCheck(
    'calls-of-denied-tools',
    ['CallPermits', "if ($rule === 'deny') throw this.#denied();", ''],
    ['contract', permissions, 'neither lists nor passes on'],
  ),
  removedCheck(
    'calls-that-servers-read-otherwise',
    ['CallPermits', '$call || isAmbiguous($bytes)', '$call'],
    ['contract', permissions, 'PM-03'],
  ),
  removedCheck(
    'calls-without-an-id',
    ['CallPermits', "$message.kind === 'notification' && $message.method === 'tools/call'", 'false'],
    ['contract', permissions, 'PM-04'],
  ),
  removedCheck(
    'members-in-capitals',
    ['isAmbiguous', 'hasLookalike($message, $members) || $params', 'false'],
    ['contract', permissions, 'PM-04'],
  ),
  removedCheck(
    'other-spellings-of-a-denied-tool',
    ['ownRule', "$rule !== 'allow' && plain($tool) === plain($name)", 'false'],
    ['contract', permissions, 'another spelling'],
  ),
  removedCheck(
    'tools-without-a-hint',
    ['saysReadOnly', "isObject($annotations) && $annotations['readOnlyHint'] === true", 'true'],
    ['contract', permissions, 'PM-01'],
  ),
  removedCheck(
    'answer-to-a-call-that-was-denied-meanwhile',
    ['CallPermits', 'if ($changed.signal.aborted) return false;', ''],
    ['contract', permissions, 'PM-06'],
  ),
  removedCheck(
    'denial-lifted-by-a-program',
    ['decideTool', "if ($general === 'deny' || $particular === 'deny') return 'deny';", ''],
    ['unit', 'unit/shared/tool-permissions.test.ts', 'what becomes of a call'],
  ),
  removedCheck(
    'calls-over-http',
    ['HttpProgram', 'await $permits.admit($message, $waiting);', ''],
    ['contract', permissions, 'PM-07'],
  ),
  removedCheck(
    'hidden-characters-of-arguments',
    ['writeOut', '$text.replaceAll($pattern, $write)', '$text'],
    ['contract', 'contract/gateway/held-calls.test.ts', 'PM-08'],
  ),
  removedCheck(
    'always-without-an-offer',
    ['HeldCalls', "$open && ($answer !== 'always' || $open.view.canLast)", '$open'],
    ['unit', 'unit/main/desktop/asking/held-calls.test.ts', 'was not offered'],
  ),
  removedCheck(
    'words-to-the-model-in-a-schema',
    [
      'toolHints',
      'textsOf([$name, $title, $description, $label, $input, $output])',
      'textsOf([$name, $title, $description, $label])',
    ],
    ['unit', 'unit/main/mcp/tool-hints.test.ts', 'words to the model'],
  ),
  removedCheck(
    'tags-in-a-description',
    ['toolHints', "if ($unseen !== undefined) found.push({ kind: 'hidden', excerpt: $unseen });", ''],
    ['unit', 'unit/main/mcp/tool-hints.test.ts', 'what nobody sees'],
  ),
  removedCheck(
    'formulas-in-a-saved-table',
    [
      'activityCsv',
      '[$programName, $serverName, $method, $tool, $outcome].map(asText)',
      '[$programName, $serverName, $method, $tool, $outcome]',
    ],
    ['unit', 'unit/main/desktop/views/activity-csv.test.ts', 'lets no server write a formula'],
  ),
];
