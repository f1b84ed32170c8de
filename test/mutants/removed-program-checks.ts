import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const hostileFiles = ['contract', 'contract/programs/hostile-files.test.ts'] as const;
const use = ['contract', 'contract/programs/use.test.ts'] as const;
const atOnce = ['contract', 'contract/programs/at-once.test.ts'] as const;
const severalFiles = ['contract', 'contract/programs/several-files.test.ts'] as const;
const wholeProfile = ['contract', 'contract/delete-whole-profile.test.ts'] as const;
const doctor = ['contract', 'contract/programs/doctor.test.ts'] as const;
const newPort = ['contract', 'contract/programs/renew-port.test.ts'] as const;
const writtenEntry = ['contract', 'contract/programs/written-entry.test.ts'] as const;
const changedLines = 'unit/main/apps/list/changed-lines.test.ts';
const lists = ['unit', 'unit/main/apps/list/open-list.test.ts'] as const;

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
    'entry-of-a-record-that-is-not-the-programs',
    ['withUses', 'if ($standing !== $id) throw new PosternError($$a);', ''],
    [...atOnce, 'by its own command, while the other waits'],
  ),
  removedCheck(
    'revoked-only-until-a-change-fails',
    ['revokeProgram', "await $locks.hold('programs', $revoke)", 'await $revoke()'],
    [...atOnce, 'stays revoked'],
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
    ['planUndo', "if (hashOf($before) !== $change.before) throw stale($change, 'no-copy');", ''],
    [...hostileFiles, 'is not believed where somebody wrote into it'],
  ),
  removedCheck(
    'right-gone-with-one-of-two-entries',
    ['planUnuse', '!$others.some($$a)', 'true'],
    [...severalFiles, 'keeps the right of a program'],
  ),
  removedCheck(
    'right-gone-with-one-of-two-changes',
    ['planUndo', 'const $left = [...$here, ...$elsewhere].map($used);', 'const $left = $here.map($used);'],
    [...severalFiles, 'keeps it when one of the two'],
  ),
  removedCheck(
    'undo-over-an-entry-of-another',
    ['planUndo', "if ($edits.some($others)) throw stale($change, 'changed', $copy);", ''],
    [...use, 'says where neither is safe'],
  ),
  removedCheck(
    'program-change-as-shown',
    [
      'makeShown',
      "if ($isAsShown?.($planned) === false) throw new PosternError('PROGRAM_FILE_CHANGED', $changed);",
      '',
    ],
    ['contract', 'contract/desktop-programs.test.ts', 'what a person was shown of a program'],
  ),
  removedCheck(
    'entries-as-shown-before-deletion',
    ['removeWithEntries', 'for (const $make of await scope.agreeOnEntries($leaving, $shown)) $$made', ''],
    ['contract', 'contract/desktop-leaving.test.ts', 'are taken out as they were shown, or integration:remove'],
  ),
  removedCheck(
    'entries-as-shown-before-all-is-deleted',
    [
      'removeEverything',
      'const $deleted = $servers ? await removeWithEntries($$a) : await $remove();',
      'const $deleted = await $remove();',
    ],
    ['contract', 'contract/desktop-leaving.test.ts', 'are taken out as they were shown, or storage:deleteEverything'],
  ),
  removedCheck(
    'files-of-programs-that-were-not-allowed',
    ['filesOfLeaving', '$leaving.servers.some(({ id: $id }) => $own.some($$a))', 'true'],
    ['contract', 'contract/desktop-leaving.test.ts', 'are not looked for in files of programs that were not allowed'],
  ),
  removedCheck(
    'secret-of-a-program-that-is-gone',
    ['createForgetfulRecords', 'await forgetWith(await $records.list(), $work, $vault);', ''],
    ['unit', 'unit/main/apps/records/forgetful-records.test.ts', 'before its record goes'],
  ),
  removedCheck(
    'removed-server-in-records',
    ['openIntegrationStore', 'programs: withoutServers($$removed)', 'programs: $document.programs'],
    ['contract', 'contract/desktop-leaving.test.ts', 'leaves the records of programs'],
  ),
  removedCheck(
    'left-over-of-a-gateway',
    ['openGateway', 'emptyRunFolder($folder);', ''],
    [...wholeProfile, 'takes all of section 12'],
  ),
  removedCheck(
    'socket-deleted-under-a-window',
    ['createKeptData', 'if ($held instanceof Error) throw $held;', ''],
    [...wholeProfile, 'names the window that serves'],
  ),
  removedCheck(
    'gateway-at-work-while-all-is-deleted',
    ['deletionHandler', 'await $gateway?.stop();', ''],
    [...wholeProfile, 'ends what the window serves meanwhile'],
  ),
  removedCheck(
    'entry-of-another-profile',
    ['ourEntries', '$pipe.profileFolder === $profileFolder', 'true'],
    [...doctor, 'takes an entry of another profile'],
  ),
  removedCheck(
    'entry-of-a-revoked-program',
    [
      'checkEntries',
      "return $own.length > 0 && $standing.length === 0 ? 'revoked' : 'not-allowed';",
      'return undefined;',
    ],
    [...doctor, 'whose program was revoked'],
  ),
  removedCheck(
    'address-that-we-did-not-write',
    ['ourEntries', 'if ($record === undefined && !$isSecretOurs && !$isNoted) return [];', ''],
    [...newPort, 'renews the entries that hold it'],
  ),
  removedCheck(
    'entry-at-the-port-of-before',
    [
      'ourEntries',
      'if ($record === undefined && !$isSecretOurs && !$isNoted) return [];',
      'if ($record === undefined) return [];',
    ],
    [...newPort, 'knows its entries at another port'],
  ),
  removedCheck(
    'value-in-a-preview-of-json',
    ['maskJson', 'const $shown = show($value);', 'const $shown = $value;'],
    ['unit', changedLines, 'are those of the file itself'],
  ),
  removedCheck(
    'value-in-a-preview-of-toml',
    ['maskToml', 'const $shown = show(readText($written));', 'const $shown = readText($written);'],
    ['unit', changedLines, 'are those of the file itself'],
  ),
  removedCheck(
    'value-in-a-preview-of-yaml',
    ['maskYaml', 'const $shown = show(String($value));', 'const $shown = String($value);'],
    ['unit', changedLines, 'are those of the file itself'],
  ),
  removedCheck(
    'secret-of-a-change-that-failed',
    ['makeWanted', 'await $giveBack?.();', ''],
    [...writtenEntry, 'leaves no right and no secret behind'],
  ),
  removedCheck(
    'entry-with-a-lost-secret',
    ['ourEntries', 'const $old = $bearer !== undefined && !$isSecretOurs;', 'const $old = false;'],
    [...writtenEntry, 'has a new secret where nothing shows'],
  ),
  removedCheck(
    'address-under-a-name-of-ours',
    ['ourEntries', '$port === $address.port && $names.includes($name)', '$names.includes($name)'],
    [...newPort, 'takes no address of the person'],
  ),
  removedCheck(
    'import-of-an-entry-of-ours',
    ['importableEntries', 'readPipeWords($entry) ?? $ours.some($$a)', 'readPipeWords($entry)'],
    [...newPort, 'knows its entries at another port'],
  ),
  removedCheck(
    'secret-shown-by-a-renewal',
    ['planNewPort', 'return { ...$planned, shown: showChange($$a) };', 'return $planned;'],
    [...newPort, 'renews the entries that hold it'],
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
      '$server.project !== undefined || !isDeepStrictEqual($standing?.server, $server)',
      '$server.project !== undefined',
    ],
    ['contract', 'contract/desktop-programs.test.ts', 'is not taken over where another address has come'],
  ),
  removedCheck(
    'pasted-lines-that-are-refused',
    [
      'makeChange',
      "const $written = await writeChange($engine, $planned, $ruled).catch($undo); if ($written.kind === 'paste') { await $noted; throw $written.error; }",
      "const $written = await writeChange($engine, $planned, $ruled).catch($undo); if ($written.kind === 'paste') await ($undo)($written.error);",
    ],
    [...use, 'says that it did not take it'],
  ),
  removedCheck(
    'lines-to-paste-for-an-entry-that-goes',
    ['linesToPaste', 'return $adds && !$restores ? $shown.after : undefined;', 'return $shown.after;'],
    [...use, 'says that it did not take it'],
  ),
  removedCheck(
    'taken-over-otherwise-than-shown',
    ['isPartOf', 'return $isShown && $before === $shown.before && $way === $shown.way;', 'return true;'],
    ['contract', 'contract/programs/import.test.ts', 'takes over nothing else than it showed'],
  ),
  removedCheck(
    'key-of-a-connected-server-replaced',
    ['keepHeaders', "if (!lacksCredential($integration)) return 'existing';", ''],
    ['contract', 'contract/programs/import.test.ts', 'says what becomes of the header'],
  ),
  removedCheck(
    'project-that-is-not-there',
    ['projectFolder', 'if (!$isThere) throw new UsageError($$a);', ''],
    [...severalFiles, 'makes no project'],
  ),
  removedCheck(
    'folder-that-was-there-before',
    [
      'createProgramFiles',
      'if ($folder !== undefined) await removeFolders($$a, $folder);',
      'await removeFolders($$a, "");',
    ],
    ['contract', 'contract/programs/leaving.test.ts', 'shows the entries of all files at once'],
  ),
  removedCheck(
    'secret-without-a-record',
    ['HttpAccess', 'if (this.#secret) await giveBackSecret($$a);', ''],
    ['contract', 'contract/desktop-other-program.test.ts', 'keeps no secret'],
  ),
  removedCheck(
    'headers-given-without-asking',
    ['importEntries', '$taking ? [] : await headersToGive($wanted, $servers)', '[]'],
    ['contract', 'contract/programs/import.test.ts', 'says what becomes of the header'],
  ),
  removedCheck(
    'command-that-is-not-there',
    ['findOwnCommand', 'if (!(await isFile($started))) return undefined;', ''],
    ['unit', 'unit/main/apps/files/own-command.test.ts', 'gives no batch file to a shell'],
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
  removedCheck(
    'link-replaced-by-a-file',
    ['createProgramFiles', 'replaceText({ file: $real, $$rest })', 'replaceText({ file: file.path, $$rest })'],
    [...hostileFiles, 'GW-40'],
  ),
  removedCheck(
    'program-file-of-any-size',
    ['readText', 'limit: programFileBytes', 'limit: Infinity'],
    [...hostileFiles, 'is left as it is, and not waited for: more than 4 MiB'],
  ),
  removedCheck(
    'program-file-in-any-encoding',
    ['readText', 'fatal: true', 'fatal: false'],
    [...hostileFiles, 'is left as it is, and not waited for: a letter of before UTF-8'],
  ),
  removedCheck(
    'note-of-another-program',
    ['createProgramBackups', '$change.program === $program', 'true'],
    [...hostileFiles, 'GW-44'],
  ),
  removedCheck(
    'copy-of-any-kind',
    [
      'createProgramBackups',
      'await readText(copyOf($change))',
      "await (await import('node:fs/promises')).readFile(copyOf($change), 'utf8')",
    ],
    [...hostileFiles, 'a copy that is a pipe'],
  ),
];
