import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const hostileFiles = ['contract', 'contract/programs/hostile-files.test.ts'] as const;
const use = ['contract', 'contract/programs/use.test.ts'] as const;
const lists = ['unit', 'unit/main/programs/open-list.test.ts'] as const;

/** What guards files of other programs. */
export const removedProgramChecks: readonly Mutant[] = [
  removedCheck(
    'program-file-out-of-home',
    ['realPlace', 'if ($roots.some($$a)) return $real;', 'return $real;'],
    [...hostileFiles, 'where it leads out of home'],
  ),
  removedCheck(
    'secret-in-a-file-for-others',
    ['createProgramFiles', '($stats.mode & 0o044) !== 0', 'false'],
    ['contract', 'contract/programs/written-entry.test.ts', 'where others may read its secret'],
  ),
  removedCheck(
    'program-file-changed-since',
    ['createProgramFiles', 'let $isDone = await $isAsBefore();', 'let $isDone = true;'],
    [...hostileFiles, 'is known by its bytes'],
  ),
  removedCheck(
    'program-file-changed-in-the-middle',
    ['replaceText', 'if (!(await $isAsBefore())) return false;', ''],
    [...hostileFiles, 'while the new one is written'],
  ),
  removedCheck(
    'program-entry-of-another',
    ['planUse', 'if (!$names.has($name) || $ours.some($$a)) return;', 'return;'],
    [...use, 'refuses a name that another has'],
  ),
  removedCheck(
    'program-file-unproved',
    ['proveAddition', 'isDeepStrictEqual($before.rest, $after.rest)', 'true'],
    [...lists, 'is found where a splice did what it must not'],
  ),
  removedCheck(
    'program-file-bytes-lost',
    ['isWithin', 'return $at === $part.length;', 'return true;'],
    [...lists, 'is found where a splice did what it must not'],
  ),
  removedCheck(
    'undo-of-an-edited-copy',
    [
      'planUndo',
      '$change.undoneAt !== undefined || hashOf($before) !== $change.before',
      '$change.undoneAt !== undefined',
    ],
    [...hostileFiles, 'is not believed where somebody wrote into it'],
  ),
  removedCheck(
    'undo-over-an-entry-of-another',
    ['planUndo', 'if (!$isSafe) throw $stale;', ''],
    [...use, 'says where neither is safe'],
  ),
  removedCheck(
    'program-change-as-shown',
    ['makeShown', "if ($seal($planned) !== $shown.seal) throw new PosternError('PROGRAM_FILE_CHANGED', $changed);", ''],
    ['contract', 'contract/desktop-programs.test.ts', 'what a person was shown of a program'],
  ),
  removedCheck(
    'values-shown-by-an-undo',
    ['planUndo', '$edits.some(({ entry: $entry }) => $entry !== undefined)', 'false'],
    ['contract', 'contract/programs/import.test.ts', 'shows no value of what an undo brings back'],
  ),
  removedCheck(
    'take-over-of-another-address',
    [
      'wantedTakeOver',
      "if ($standing?.server.url !== $url) throw new PosternError('PROGRAM_FILE_CHANGED', $changed);",
      '',
    ],
    ['contract', 'contract/desktop-programs.test.ts', 'is not taken over where another address has come'],
  ),
  removedCheck(
    'entry-of-a-place-that-goes',
    [
      'entryFor',
      "if ($engine.isTranslocated === true) throw new PosternError('APP_TRANSLOCATED', { stage: 'programs' });",
      '',
    ],
    ['contract', 'contract/desktop-programs.test.ts', 'temporary place'],
  ),
];
