import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const store = 'unit/main/storage/profile/activity-store.test.ts';
const log = 'unit/main/gateway/answers/call-log.test.ts';

/** What keeps the list of calls from saying too much, to too many, or for too long. */
export const removedActivityChecks: readonly Mutant[] = [
  removedCheck(
    'names-of-prompts-in-activity',
    ['CallLog', "$method === 'tools/call' && typeof $name === 'string'", "typeof $name === 'string'"],
    ['unit', log, 'notes the name of a tool alone'],
  ),
  removedCheck(
    'arguments-in-activity',
    ['CallLog', 'fitName($tool, activityBounds.tool)', 'JSON.stringify(params)'],
    ['unit', log, 'nothing that was said'],
    ['contract', 'contract/gateway/activity.test.ts', 'notes each request at the socket once'],
  ),
  removedCheck(
    'names-without-a-bound-in-activity',
    ['CallLog', 'displayText($name, $length)', '$name'],
    ['unit', log, 'keeps every name short'],
    ['contract', 'contract/gateway/activity.test.ts', 'bounds what programs call'],
  ),
  removedCheck(
    'activity-for-everybody',
    ['openActivityStore', 'open($file, $flags, 0o600)', 'open($file, $flags, 0o644)'],
    ['unit', store, 'keeps calls in files of 0600'],
  ),
  removedCheck(
    'activity-without-another-file',
    ['openActivityStore', '$stats.size > 0 && $stats.size + $bytes.byteLength > activityFiles.bytes', 'false'],
    ['unit', store, 'begins another file'],
  ),
  removedCheck(
    'activity-files-that-stay',
    ['openActivityStore', 'await rm(activityFile($folder, $old), { force: true });', ''],
    ['unit', store, 'keeps four'],
  ),
  removedCheck(
    'activity-against-a-wish',
    ['openActivityStore', 'if (!(await isOn().catch(() => false))) return;', ''],
    ['unit', store, 'wants nothing noted'],
  ),
  removedCheck(
    'activity-that-comes-back',
    ['openActivityStore', '$current !== undefined && !$numbers.includes($current)', 'false'],
    ['unit', store, 'brings nothing back'],
  ),
  removedCheck(
    'activity-through-a-link',
    ['openActivityStore', 'refuseSecondNames($stats, $file);', ''],
    ['unit', store, 'a second name'],
  ),
];
