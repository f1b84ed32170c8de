import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const changes = 'contract/gateway/changed-tools.test.ts';
const permissions = 'contract/gateway/permissions.test.ts';

/** What keeps programs from tools that a person has denied, or wants to be asked about. */
export const removedPermissionChecks: readonly Mutant[] = [
  removedCheck(
    'denied-tools-in-lists',
    ['CallPermits', "this.#decide($tool) === 'deny' || $held", '$held'],
    ['contract', permissions, 'PM-01'],
  ),
  removedCheck(
    'calls-of-denied-tools',
    ['CallPermits', "if ($rule === 'deny') throw this.#denied($code, $tool);", ''],
    ['contract', permissions, 'neither lists nor passes on'],
  ),
  removedCheck(
    'calls-that-servers-read-otherwise',
    ['CallPermits', '$call || isAmbiguous($bytes)', '$call'],
    ['contract', permissions, 'PM-03'],
  ),
  removedCheck(
    'calls-without-an-id',
    ['CallPermits', "$message.kind === 'notification' && !$message.method.startsWith('notifications/')", 'false'],
    ['contract', permissions, 'PM-22 refuses'],
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
    ['hasLeft', 'if (!$isAgain) await $permits.admit($request, $waiting);', ''],
    ['contract', permissions, 'PM-07'],
  ),
  removedCheck(
    'hidden-characters-of-arguments',
    ['writeOutHidden', '$text.replaceAll($pattern, $write)', '$text'],
    ['contract', 'contract/gateway/held-calls.test.ts', 'PM-08'],
  ),
  removedCheck(
    'always-without-an-offer',
    ['HeldCalls', "$open && ($answer !== 'always' || $open.view.canLast)", '$open'],
    ['unit', 'unit/main/window/asking/held-calls.test.ts', 'was not offered'],
  ),
  removedCheck(
    'changed-tools-in-lists',
    ['CallPermits', '$denied || $unseen?.inList($tool, $raw) === true', '$denied'],
    ['contract', changes, 'PM-11'],
  ),
  removedCheck(
    'calls-of-changed-tools',
    ['CallPermits', "if ((await this.#held())?.called($name)) throw new PosternError('TOOL_CHANGED', $options);", ''],
    ['contract', changes, 'PM-11'],
  ),
  removedCheck(
    'calls-of-tools-that-were-never-listed',
    ['SeenTools', '$pins?.isWhole === true && !$pins.tools.some($find)', 'false'],
    ['contract', changes, 'PM-12'],
  ),
  removedCheck(
    'own-calls-of-changed-tools',
    ['callTool', 'if ($isHeld) await refuseUnseen($$all);', ''],
    ['contract', changes, 'calls of Postern itself'],
  ),
  removedCheck(
    'tools-that-do-not-say-what-they-do',
    ['saysReadOnly', "$annotations['readOnlyHint'] === true", "$annotations['readOnlyHint'] !== false"],
    ['contract', permissions, 'PM-05'],
  ),
  removedCheck(
    'each-round-of-a-call',
    [
      'CallPermits',
      "if ($rule === 'allow' || $isGoingOn === true || $isAllowed) return true;",
      "if ($rule === 'allow' || $isAllowed) return true;",
    ],
    ['contract', 'contract/gateway/eras.test.ts', 'PM-19'],
  ),
  removedCheck(
    'changed-tools-of-all-servers',
    ['withChangedToolRule', 'forAll === undefined ? $own : $merged', 'permissions'],
    ['contract', changes, 'PM-18'],
  ),
  removedCheck(
    'members-of-a-tool-that-stand-twice',
    ['seeTool', '$raw && isTwofold($tool, $raw)', 'false'],
    ['contract', changes, 'PM-13'],
  ),
  removedCheck(
    'forms-that-nobody-has-looked-at',
    ['pinsAccepted', '$each.name === $name && $each.form === $form', '$each.name === $name'],
    ['unit', 'unit/main/engine/kept/tool-pins.test.ts', 'PM-11'],
  ),
  removedCheck(
    'tools-that-change-each-time',
    ['pinsAfter', '$known.form === $form || $at - $known.at < $again', '$known.form === $form'],
    ['contract', changes, 'PM-14'],
  ),
  removedCheck(
    'texts-of-thousands-of-tools',
    [
      'pinsAfter',
      'if ($text === undefined || $text.length > this.#left) return undefined;',
      'if ($text === undefined) return undefined;',
    ],
    ['unit', 'unit/main/engine/kept/tool-pins.test.ts', 'PM-14'],
  ),
  removedCheck(
    'damaged-words-of-tools',
    ['openPinStore', 'return unreadable;', 'return undefined;'],
    ['unit', 'unit/main/storage/profile/pin-store.test.ts', 'PM-15'],
  ),
  removedCheck(
    'lost-words-of-tools',
    ['readPins', '$toolReview?.reviewedAt === undefined ? undefined : nothingPinned', 'undefined'],
    ['contract', changes, 'PM-15'],
  ),
  removedCheck(
    'links-to-words-of-tools',
    ['openPinStore', 'follow: false', 'follow: true'],
    ['unit', 'unit/main/storage/profile/pin-store.test.ts', 'PM-15'],
  ),
  removedCheck(
    'hidden-characters-of-changes',
    ['toolChanges', '[writeOutHidden($old), writeOutHidden($next)]', '[$old, $next]'],
    ['unit', 'unit/main/operations/permissions.test.ts', 'what nobody sees'],
  ),
  removedCheck(
    'resources-that-are-off',
    [
      'CallPermits',
      "if (!isListing($method) && !this.#offers($request)) throw this.#denied('OFFER_DENIED', $request);",
      '',
    ],
    ['contract', permissions, 'PM-16'],
  ),
  removedCheck(
    'listings-that-are-off',
    ['CallPermits', 'if (isListing($method) && !this.#offers($request)) return withoutEntries($method, $answer);', ''],
    ['contract', permissions, 'PM-16'],
  ),
  removedCheck(
    'denial-while-a-call-waits-to-leave',
    ['forwardRequest', 'if (isChanged()) throw new ChangedMeanwhile();', ''],
    ['contract', permissions, 'PM-06'],
  ),
  removedCheck(
    'fields-that-name-another-tool',
    ['CallPermits', "if ($message.kind === 'request' && namesAnother($message, $fields)) return true;", ''],
    ['contract', permissions, 'PM-17'],
  ),
  removedCheck(
    'first-of-two-rules',
    ['ownRule', 'toolRules.findLast($$all)', 'exact[0]'],
    ['unit', 'unit/shared/tool-permissions.test.ts', 'the strictest of several'],
  ),
  removedCheck(
    'words-to-the-model-in-a-schema',
    [
      'toolHints',
      'textsOf([$name, $title, $description, $label, $input, $output])',
      'textsOf([$name, $title, $description, $label])',
    ],
    ['unit', 'unit/main/mcp/client/tool-hints.test.ts', 'words to the model'],
  ),
  removedCheck(
    'tags-in-a-description',
    ['toolHints', "if ($unseen !== undefined) found.push({ kind: 'hidden', excerpt: $unseen });", ''],
    ['unit', 'unit/main/mcp/client/tool-hints.test.ts', 'what nobody sees'],
  ),
  removedCheck(
    'formulas-in-a-saved-table',
    [
      'activityCsv',
      '[$programName, $serverName, $method, $tool, $outcome].map(asText)',
      '[$programName, $serverName, $method, $tool, $outcome]',
    ],
    ['unit', 'unit/main/window/views/activity-csv.test.ts', 'lets no server write a formula'],
  ),
];
