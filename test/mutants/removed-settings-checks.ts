import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const storage = 'unit/main/storage';
const store = ['unit', `${storage}/integration-store.test.ts`] as const;
const sweeping = ['unit', 'unit/main/integration/leave/sweep-orphans.test.ts'] as const;

/** The settings file that people edit, and the folder that everything is kept in. */
export const removedSettingsChecks: readonly Mutant[] = [
  removedCheck(
    'unreadable-settings-taken-for-none',
    [
      'storage/integration-store.ts',
      "if (reading.state === 'unreadable') throw await settingsFaultError(folder, reading.fault);",
      "if (reading.state === 'unreadable')\n      return { state: 'read', document: { version: 1, settings: {}, integrations: [] }, unread: [], newer: false, hasList: true };",
    ],
    [...store, 'leaves a file that cannot be read as it is'],
  ),
  removedCheck(
    'lost-list-taken-for-none',
    ['storage/settings-file.ts', '!(await holdsServers(folder))', 'true'],
    [...store, 'takes a list that is gone'],
  ),
  removedCheck(
    'unread-entries-dropped',
    ['storage/settings-document.ts', '...(unread?.integrations ?? [])', ''],
    [...store, 'gives it back with every write'],
  ),
  removedCheck(
    'unread-settings-dropped',
    ['storage/settings-document.ts', '{ ...unread?.settings, ...settings }', '{ ...settings }'],
    [...store, 'gives it back with every write'],
  ),
  removedCheck(
    'broken-settings-not-kept',
    ['storage/restore-settings.ts', 'return await copySettingsAside(folder, settingsPath(folder));', "return '';"],
    ['contract', 'contract/settings-command.test.ts', 'is exchanged for the last good copy'],
  ),
  removedCheck(
    'restored-over-what-can-be-read',
    [
      'storage/restore-settings.ts',
      "if (reading.state === 'read' && reading.unread.length === 0) return { outcome: 'not-needed' };",
      '',
    ],
    ['contract', 'contract/settings-command.test.ts', 'is exchanged for the last good copy'],
  ),
  removedCheck(
    'swept-by-a-partial-list',
    ['storage/integration-store.ts', 'return hasList && !newer && unread.every', 'return hasList || unread.every'],
    [...sweeping, 'deletes nothing where the list'],
  ),
  removedCheck(
    'registration-of-an-unread-entry',
    ['integration/leave/forget-integration.ts', 'const isShared = !isWhole || others', 'const isShared = others'],
    [...sweeping, 'keeps a registration'],
  ),
  removedCheck(
    'write-for-each-lost-sign-in',
    ['integration/refresh/refresh-scheduler.ts', '    await endLostSignIns(this.#ports, integrations);\n', ''],
    ['unit', 'unit/main/integration/refresh/end-lost-sign-ins.test.ts', 'of a thousand'],
  ),
  removedCheck(
    'damaged-vault-taken-for-lost-sign-ins',
    ['integration/refresh/end-lost-sign-ins.ts', "|| (await loadTokens(vault, first.id, first.issuer ?? ''))", ''],
    ['unit', 'unit/main/integration/refresh/end-lost-sign-ins.test.ts', 'is not what a damaged vault means'],
  ),
  removedCheck(
    'deletion-that-nobody-agreed-to',
    ['desktop/calls/deletion-handler.ts', 'if (!(await ask(', 'if (!(await (async (..._question: unknown[]) => true)('],
    ['contract', 'contract/desktop.test.ts', 'is asked by main first'],
  ),
  removedCheck(
    'removal-that-nobody-agreed-to',
    [
      'desktop/calls/integration-handlers.ts',
      'if (!(await ask(windowWords.ask.remove(displayText(integration.name))))) return null;',
      '',
    ],
    ['contract', 'contract/desktop.test.ts', 'is asked by main first'],
  ),
  removedCheck(
    'sign-out-that-nobody-agreed-to',
    [
      'desktop/calls/integration-handlers.ts',
      'if (!(await ask(windowWords.ask.signOut(displayText(integration.name))))) return null;',
      '',
    ],
    ['contract', 'contract/desktop.test.ts', 'is asked by main first'],
  ),
  removedCheck(
    'questions-without-end',
    ['desktop/ask-person.ts', 'if (isOpen) return false;', ''],
    ['contract', 'contract/desktop.test.ts', 'is asked one question at a time'],
  ),
  removedCheck(
    'settings-by-a-link',
    ['storage/settings-file.ts', 'limit: fileBytes.settings, follow: false', 'limit: fileBytes.settings, follow: true'],
    [...store, 'refuses a file that is a link'],
  ),
  removedCheck(
    'lock-by-a-link',
    ['plain-file.ts', '  refuseLinks(file);\n  const stats', '  const stats'],
    ['contract', 'contract/unusual-files.test.ts', 'of a link that stands for a lock'],
  ),
  removedCheck(
    'lock-with-a-second-name',
    ['plain-file.ts', 'if (stats.nlink > 1) throw isALink(file);', ''],
    ['contract', 'contract/unusual-files.test.ts', 'a lock, as a second name of it'],
  ),
  removedCheck(
    'folder-of-locks-by-a-link',
    ['storage/lock-file.ts', 'refuseLinks(path.dirname(file));', ''],
    ['contract', 'contract/unusual-files.test.ts', 'the folder of locks'],
  ),
  removedCheck(
    'folder-of-another',
    ['storage/refuse-shared-folder.ts', "if (own.uid !== process.geteuid?.()) throw shared('owner', real);", ''],
    ['unit', `${storage}/profile-folder.test.ts`, 'refuses a folder that belongs to another'],
  ),
  removedCheck(
    'folder-that-others-write-to',
    [
      'storage/refuse-shared-folder.ts',
      "if ((own.mode & (writableByGroup | writableByOthers)) !== 0) throw shared('writable', real);",
      '',
    ],
    ['unit', `${storage}/profile-folder.test.ts`, 'refuses a folder that belongs to another'],
  ),
  removedCheck(
    'folder-on-the-way-of-another',
    [
      'storage/refuse-shared-folder.ts',
      'if (stats.uid !== 0 && stats.uid !== process.geteuid?.())',
      'if (stats.uid < 0)',
    ],
    ['unit', `${storage}/profile-folder.test.ts`, 'that another user could turn'],
  ),
  removedCheck(
    'folder-that-a-group-exchanges',
    ['storage/refuse-shared-folder.ts', ' || isWritableByGroup(stats)', ''],
    ['unit', `${storage}/profile-folder.test.ts`, 'that another user could turn'],
  ),
  removedCheck(
    'certificate-file-unread',
    [
      'cli/commands/settings.ts',
      "typeof value === 'string' ? settingSpecs[name].refuse?.(value) : undefined",
      'undefined',
    ],
    ['contract', 'contract/settings-command.test.ts', 'holds a key alone'],
  ),
  removedCheck(
    'folder-that-others-exchange',
    ['storage/refuse-shared-folder.ts', '(stats.mode & writableByOthers) !== 0 ||', ''],
    ['unit', `${storage}/profile-folder.test.ts`, 'refuses a folder that belongs to another'],
  ),
];
