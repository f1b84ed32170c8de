import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const storage = 'unit/main/storage';
const store = ['unit', `${storage}/settings/integration-store.test.ts`] as const;
const undo = ['unit', 'unit/main/operations/undo.test.ts'] as const;
const sweeping = ['unit', 'unit/main/engine/leave/sweep-orphans.test.ts'] as const;

/** The settings file that people edit, and the folder that everything is kept in. */
export const removedSettingsChecks: readonly Mutant[] = [
  removedCheck(
    'unreadable-settings-taken-for-none',
    [
      'openIntegrationStore',
      "if ($reading.state === 'unreadable') throw await settingsFaultError($folder, $fault);",
      "if ($reading.state === 'unreadable') return { state: 'read', document: { version: 1, settings: {}, integrations: [], programs: [] }, unread: [], newer: false, hasList: true };",
    ],
    [...store, 'leaves a file that cannot be read as it is'],
  ),
  removedCheck(
    'member-of-a-collection-that-is-gone',
    [
      'openIntegrationStore',
      'collections: withoutMembers($after.collections, $gone)',
      'collections: $after.collections',
    ],
    [...store, 'takes a server out of its collections once'],
  ),
  removedCheck(
    'member-that-may-come-back',
    [
      'openIntegrationStore',
      '[...$integrations, ...$pendingDeletions.map(({ integration }) => integration)]',
      '[...$integrations]',
    ],
    [...store, 'takes a server out of its collections once'],
  ),
  removedCheck(
    'right-of-a-removed-collection',
    [
      'openIntegrationStore',
      'withoutCollections($document.programs, $document.collections, $checked)',
      '$document.programs',
    ],
    [...store, 'takes the right to use a collection'],
  ),
  removedCheck(
    'right-to-another-collection-of-that-name',
    [
      'withoutCollections',
      '[...newCollections($before, $after), ...newCollections($after, $before)]',
      'newCollections($after, $before)',
    ],
    [...undo, 'gives the name of a removed collection'],
  ),
  removedCheck(
    'two-collections-of-one-name-by-undo',
    [
      'openIntegrationStore',
      '$document.removedCollections.filter(({ collection: { name } }) => !$fresh.has(name))',
      '$document.removedCollections',
    ],
    [...undo, 'gives the name of a removed collection'],
  ),
  removedCheck(
    'entries-of-apps-lost-by-a-crash',
    ['undoDeletions', "$isBack && $changes.size > 0 ? [{ ...$each, kind: 'back' }] : []", '[]'],
    [...undo, 'goes on with entries of apps'],
  ),
  removedCheck(
    'two-names-that-differ-in-case',
    ['renameIntegration', "$one.name.toLocaleLowerCase('en') === $plain", '$one.name === $plain'],
    ['unit', 'unit/main/operations/servers.test.ts', 'refuses a name that another one has'],
  ),
  removedCheck(
    'name-of-one-that-may-come-back',
    ['renameIntegration', '[...(await $store.list()), ...$leaving]', '(await $store.list())'],
    ['unit', 'unit/main/operations/servers.test.ts', 'refuses the name of one that may still'],
  ),
  removedCheck(
    'one-failure-ends-them-all',
    [
      'refreshAll',
      '$renewed.push(await tryOne($$args));',
      'const one = await tryOne($$args); if (one.failure) throw one.failure; $renewed.push(one);',
    ],
    ['contract', 'contract/list-commands.test.ts', 'goes on after one that fails'],
  ),
  removedCheck(
    'header-file-that-others-read',
    ['exec', "{ mode: 0o600, flag: 'wx' }", '{ mode: 0o644 }'],
    ['contract', 'contract/token-for-others.test.ts', 'keeps it out of the environment'],
  ),
  removedCheck(
    'header-file-that-stays',
    ['exec', 'onEnd(async () => rmSync($folder, $options));', ''],
    ['contract', 'contract/token-for-others.test.ts', 'keeps it out of the environment'],
  ),
  removedCheck(
    'switches-of-somebody-else',
    ['runProcess', "$ours.includes('--json')", "argv.includes('--json')"],
    ['contract', 'contract/token-for-others.test.ts', 'puts the token into the environment'],
  ),
  removedCheck(
    'new-token-renewed-again',
    ['lastingTokens', '$left >= $leastLife || $left >= $stillNew * $life', '$left >= $leastLife'],
    ['contract', 'contract/token-for-others.test.ts', 'is renewed once for twenty'],
  ),
  removedCheck(
    'lost-list-taken-for-none',
    ['readSettingsFile', '!(await holdsServers($folder))', 'true'],
    [...store, 'takes a list that is gone'],
  ),
  removedCheck(
    'unread-entries-dropped',
    ['SettingsDocument', '...($unread?.integrations ?? [])', ''],
    [...store, 'gives it back with every write'],
  ),
  removedCheck(
    'unread-programs-dropped',
    ['SettingsDocument', '...($unread?.programs ?? [])', ''],
    ['unit', `${storage}/settings/settings-document.test.ts`, 'does without a program that does not fit'],
  ),
  removedCheck(
    'unread-settings-dropped',
    ['SettingsDocument', '{ ...$unread?.settings, ...$settings }', '{ ...$settings }'],
    [...store, 'gives it back with every write'],
  ),
  removedCheck(
    'broken-settings-not-kept',
    ['restoreSettings', 'await copySettingsAside($folder, settingsPath($folder))', "''"],
    ['contract', 'contract/settings-command.test.ts', 'is exchanged for the last good copy'],
  ),
  removedCheck(
    'restored-over-what-can-be-read',
    ['restoreSettings', "if ($reading.state === 'read' && $reading.unread.length === 0) return undefined;", ''],
    ['contract', 'contract/settings-command.test.ts', 'is exchanged for the last good copy'],
  ),
  removedCheck(
    'swept-by-a-partial-list',
    ['openIntegrationStore', '$hasList && !$newer && $unread.every($$a)', '$hasList || $unread.every($$a)'],
    [...sweeping, 'deletes nothing where the list'],
  ),
  removedCheck(
    'registration-of-an-unread-entry',
    ['forgetIntegration', '!$isWhole || $others.some($$a)', '$others.some($$a)'],
    [...sweeping, 'keeps a registration'],
  ),
  removedCheck(
    'write-for-each-lost-sign-in',
    ['RefreshScheduler', 'await endLostSignIns(this.$ports, $integrations);', ''],
    ['unit', 'unit/main/engine/refresh/end-sign-in.test.ts', 'of a thousand'],
  ),
  removedCheck(
    'damaged-vault-taken-for-lost-sign-ins',
    ['endLostSignIns', 'if (!$first || (await loadTokens($$all))) return;', 'if (!$first) return;'],
    ['unit', 'unit/main/engine/refresh/end-sign-in.test.ts', 'is not what a damaged vault means'],
  ),
  removedCheck(
    'deletion-that-nobody-agreed-to',
    ['deletionHandler', 'if (!(await $user.confirm($$a))) return undefined;', ''],
    ['contract', 'contract/desktop.test.ts', 'is asked by main first'],
  ),
  removedCheck(
    'removal-that-nobody-agreed-to',
    ['removeServers', 'if (!(await $user.confirm($$a))) return null;', ''],
    ['contract', 'contract/desktop.test.ts', 'is asked by main first'],
  ),
  removedCheck(
    'sign-out-that-nobody-agreed-to',
    ['signOutServers', 'if (!(await $user.confirm($$a))) return null;', ''],
    ['contract', 'contract/desktop.test.ts', 'is asked by main first'],
  ),
  removedCheck(
    'questions-without-end',
    ['AskPerson', 'if ($isOpen) return false;', ''],
    ['contract', 'contract/desktop.test.ts', 'is asked one question at a time'],
  ),
  removedCheck(
    'settings-by-a-link',
    [
      'readText',
      'readPlainFile($file, { limit: fileBytes.settings, follow: false })',
      'readPlainFile($file, { limit: fileBytes.settings, follow: true })',
    ],
    [...store, 'refuses a file that is a link'],
  ),
  removedCheck(
    'lock-by-a-link',
    [
      'refuseUnlessFileOrNothing',
      'refuseLinks($file); const $stats = lstatSync($$all);',
      'const $stats = lstatSync($$all);',
    ],
    ['contract', 'contract/unusual-files.test.ts', 'of a link that stands for a lock'],
  ),
  removedCheck(
    'lock-with-a-second-name',
    ['refuseSecondNames', 'if ($stats.nlink > 1) throw $isALink($file);', ''],
    ['contract', 'contract/unusual-files.test.ts', 'a lock, as a second name of it'],
  ),
  removedCheck(
    'folder-of-locks-by-a-link',
    ['tryLockFile', 'refuseLinks(path.dirname($file));', ''],
    ['contract', 'contract/unusual-files.test.ts', 'the folder of locks'],
  ),
  removedCheck(
    'folder-of-another',
    ['refuseSharedFolder', "if ($own.uid !== process.geteuid?.()) throw $shared('owner', $real);", ''],
    ['unit', `${storage}/profile/profile-folder.test.ts`, 'refuses a folder that belongs to another'],
  ),
  removedCheck(
    'folder-that-others-write-to',
    [
      'refuseSharedFolder',
      "if (($own.mode & ($writableByGroup | $writableByOthers)) !== 0) throw $shared('writable', $real);",
      '',
    ],
    ['unit', `${storage}/profile/profile-folder.test.ts`, 'refuses a folder that belongs to another'],
  ),
  removedCheck(
    'folder-on-the-way-of-another',
    ['refuseSharedFolder', '$stats.uid !== 0 && $stats.uid !== process.geteuid?.()', '$stats.uid < 0'],
    ['unit', `${storage}/profile/profile-folder.test.ts`, 'that another user could turn'],
  ),
  removedCheck(
    'folder-that-a-group-exchanges',
    [
      'refuseSharedFolder',
      '($stats.mode & $writableByOthers) !== 0 || $isWritableByGroup($stats)',
      '($stats.mode & $writableByOthers) !== 0',
    ],
    ['unit', `${storage}/profile/profile-folder.test.ts`, 'that another user could turn'],
  ),
  removedCheck(
    'certificate-file-unread',
    ['requireCertificates', 'if ($found.length === 0) throw $invalid("empty");', ''],
    ['contract', 'contract/settings-command.test.ts', 'holds a key alone'],
  ),
  removedCheck(
    'folder-that-others-exchange',
    [
      'refuseSharedFolder',
      '($stats.mode & $writableByOthers) !== 0 || $isWritableByGroup($stats)',
      '$isWritableByGroup($stats)',
    ],
    ['unit', `${storage}/profile/profile-folder.test.ts`, 'refuses a folder that belongs to another'],
  ),
];
