import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const storage = 'unit/main/storage';
const listener = ['contract', 'contract/callback-listener.test.ts'] as const;

/**
 * Files, keychain, log, text, browser and callback listener. What a test can only show in a process of its own, under a
 * limit on file sizes (the settings cut short), is out of reach here: that process reads the healthy sources.
 */
export const removedStorageChecks: readonly Mutant[] = [
  removedCheck(
    'sign-in-without-a-keychain',
    ['integration/sign-in/sign-in.ts', '      await keeping;\n', ''],
    ['contract', 'contract/sign-in.test.ts', 'opens no browser without a keychain'],
  ),
  removedCheck(
    'secret-typed-without-a-keychain',
    ['integration/sign-in/ask-for-credentials.ts', '  await keeping;\n', ''],
    ['contract', 'contract/sign-in.test.ts', 'asks nobody for a client without a keychain'],
  ),
  removedCheck(
    'registration-without-a-keychain',
    ['integration/sign-in/obtain-credentials.ts', '  await keeping;\n', ''],
    ['contract', 'contract/sign-in.test.ts', 'registers no client without a keychain'],
  ),
  removedCheck(
    'record-of-another-integration',
    ['storage/sealed-record.ts', '  decipher.setAAD', '  if (key.kind === undefined) decipher.setAAD'],
    ['unit', `${storage}/sealed-record.test.ts`, ''],
  ),
  removedCheck(
    'unbound-records',
    [
      'storage/sealed-record.ts',
      "JSON.stringify(['postern-vault-1', kind, owner, issuer])",
      "JSON.stringify(['postern-vault-1', kind])",
    ],
    ['unit', `${storage}/sealed-record.test.ts`, 'refuses a record that was sealed for'],
  ),
  removedCheck(
    'short-write-of-the-vault',
    ['storage/replace-file.ts', 'if (!(await readFile(temporary)).equals(bytes))', 'if (bytes.length < 0)'],
    ['unit', `${storage}/replace-file.test.ts`, 'believes what is on the disk'],
  ),
  removedCheck(
    'full-disk-at-a-lock',
    ['storage/lock-file.ts', 'if (code === diskFull)', 'if (code < 0)'],
    ['hostile', 'hostile/disk.test.ts', 'keeps the old file or has the whole new one'],
  ),
  removedCheck(
    'claim-of-a-newer-sign-in',
    ['storage/sign-in-claims.ts', 'readClaim(file) === own) rmSync', "readClaim(file) !== '') rmSync"],
    ['unit', `${storage}/sign-in-claims.test.ts`, 'is not taken away by an older one'],
  ),
  removedCheck(
    'file-mode',
    ['storage/replace-file.ts', "'wx', 0o600", "'wx', 0o644"],
    ['unit', `${storage}/replace-file.test.ts`, 'for this person only'],
  ),
  removedCheck(
    'vault-by-a-link',
    ['storage/vault-file.ts', 'limit: fileBytes.vault, follow: false', 'limit: fileBytes.vault, follow: true'],
    ['unit', `${storage}/vault.test.ts`, 'refuses a symbolic link'],
  ),
  removedCheck(
    'files-that-are-none',
    ['plain-file.ts', 'if (!stats.isFile()) throw', 'if (stats.size < 0) throw'],
    ['unit', 'unit/main/plain-file.test.ts', 'refuses'],
    ['contract', 'contract/unusual-files.test.ts', 'of a folder as the settings'],
  ),
  removedCheck(
    'waiting-for-a-pipe',
    ['plain-file.ts', 'constants.O_RDONLY | unblocking', 'constants.O_RDONLY'],
    // The program waits in a process of its own, not in the test's.
    ['contract', 'contract/unusual-files.test.ts', 'of a pipe as the vault'],
  ),
  removedCheck(
    'files-that-grow',
    ['plain-file.ts', 'this.#length > this.#limit ? undefined :', 'this.#length < 0 ? undefined :'],
    ['unit', 'unit/main/plain-file.test.ts', 'stops at the limit'],
  ),
  removedCheck(
    'pipe-as-a-lock',
    ['storage/lock-file.ts', 'refuseUnlessFileOrNothing(`${file}${part}`);', 'continue;'],
    ['contract', 'contract/unusual-files.test.ts', 'of a pipe as a lock'],
  ),
  removedCheck(
    'pipe-as-the-log',
    ['engine/log.ts', 'openSync(file, flags | unblocking, 0o600)', 'openSync(file, flags, 0o600)'],
    ['contract', 'contract/unusual-files.test.ts', 'where the log is a pipe'],
  ),
  removedCheck(
    'log-with-another-name',
    ['engine/log.ts', '    refuseSecondNames(stats, file);\n', ''],
    ['unit', 'unit/main/engine/log.test.ts', 'that has another name'],
  ),
  removedCheck(
    'newer-vault',
    ['storage/vault-file.ts', "if (typeof version === 'number' && version > vaultVersion) {", 'if (version === -1) {'],
    ['unit', `${storage}/vault.test.ts`, 'CFG_NEWER'],
  ),
  removedCheck(
    'newer-settings',
    [
      'storage/settings-document.ts',
      'newer = (version as number) > settingsVersion',
      'newer = (version as number) < 0',
    ],
    ['unit', `${storage}/settings-document.test.ts`, 'says that it is newer'],
  ),
  removedCheck(
    'unverified-write',
    ['storage/vault.ts', '      await verify(texts, cipherKey);\n', ''],
    ['unit', `${storage}/vault.test.ts`, 'when the disk does not keep the record'],
  ),
  removedCheck(
    'another-keychain',
    ['storage/vault-key.ts', 'if (backend !== currentBackend) {', "if (backend === '') {"],
    ['unit', `${storage}/vault.test.ts`, 'another kind of keychain'],
  ),
  removedCheck(
    'missing-key-is-no-key',
    [
      'storage/vault-key.ts',
      "if (text === null) throw new PosternError('KC_LOCKED', { stage: 'storage', detail: { file: 'vault' } });",
      'if (text === null) return makeVaultKey(keychain, { bytes: (length) => new Uint8Array(length) });',
    ],
    ['unit', `${storage}/vault.test.ts`, 'says KC_LOCKED and makes no new key'],
  ),
  removedCheck(
    'unkept-key',
    ['storage/vault-key.ts', 'if ((await keychain.read(account)) !== text)', "if (text === '')"],
    ['unit', `${storage}/vault.test.ts`, 'when the keychain does not keep the key'],
  ),
  removedCheck(
    'null-means-absent',
    ['storage/keytar-keychain.ts', 'if (first !== null) return first;', 'return first;'],
    ['unit', `${storage}/keytar-keychain.test.ts`, 'takes null for'],
  ),
  removedCheck(
    'profile-lock-of-the-vault',
    [
      'storage/vault.ts',
      'await locks.hold(profileLock, async () => {\n      const content = await readOrStart();',
      'await (async (work: () => Promise<void>) => await work())(async () => {\n      const content = await readOrStart();',
    ],
    ['unit', `${storage}/vault.test.ts`, 'loses none of both'],
  ),

  removedCheck(
    'log-fields',
    ['engine/log.ts', "allowedFields.has(name) ? plainValue(value) : '[removed]'", 'plainValue(value)'],
    ['unit', 'unit/main/engine/log.test.ts', 'writes no value of a field that is not on its list'],
  ),
  removedCheck(
    'log-queries',
    ['engine/log.ts', "    .replace(/[?#]\\S*/g, '')\n", ''],
    ['unit', 'unit/main/engine/log.test.ts', 'cuts query and fragment'],
  ),
  removedCheck(
    'log-lines',
    ['engine/log.ts', "    .replace(/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]/gu, ' ')\n", ''],
    ['unit', 'unit/main/engine/log.test.ts', 'lets no value forge a line'],
  ),
  removedCheck(
    'secrets-in-renderings',
    ['secret.ts', "  toJSON(): string {\n    return '[secret]';", '  toJSON(): string {\n    return this.#value;'],
    ['unit', 'unit/main/oauth/token-set.test.ts', 'is the only rendering'],
  ),
  removedCheck(
    'foreign-errors',
    ['plain-error.ts', 'error instanceof PosternError ? error :', 'error instanceof Error ? (error as PosternError) :'],
    ['unit', 'unit/main/plain-error.test.ts', 'shows nothing of'],
  ),
  removedCheck(
    'control-characters',
    ['address/display-text.ts', "    .replace(invisible, '')\n", ''],
    ['unit', 'unit/main/address/display-text.test.ts', 'shows'],
  ),
  removedCheck(
    'long-names',
    [
      'address/display-text.ts',
      'return characters.length <= maximum ? clean :',
      'return characters.length >= 0 ? clean :',
    ],
    ['unit', 'unit/main/address/display-text.test.ts', ''],
  ),
  removedCheck(
    'terminal-escapes',
    [
      'cli/output/printable.ts',
      ".replaceAll('\\t', '    '), dangerousInText)",
      ".replaceAll('\\t', '    '), /(?!)/gu)",
    ],
    ['unit', 'unit/main/cli/output/printable.test.ts', 'writes out what moves the cursor'],
  ),
  removedCheck(
    'browser-schemes',
    [
      'address/browser-address.ts',
      "if (url.protocol !== 'https:' && classifyHost(url.hostname) !== 'loopback')",
      "if (url.protocol === '')",
    ],
    ['contract', 'contract/system-browser.test.ts', 'opens nothing for'],
  ),
  removedCheck(
    'entry-left-in-the-keychain',
    [
      'storage/kept-data.ts',
      '        for (const each of [keychain, ...otherKeychains]) await each.delete(account);\n',
      '',
    ],
    ['unit', `${storage}/kept-data.test.ts`, 'deletes every entry that a file names'],
  ),
  removedCheck(
    'index-deleted-before-the-entries',
    [
      'storage/kept-data.ts',
      '    const { stuck, failure } = await deleteEntries(accounts);\n',
      '    for (const { file } of copies) await remove(file);\n    const { stuck, failure } = await deleteEntries(accounts);\n',
    ],
    ['unit', `${storage}/kept-data.test.ts`, 'deletes each entry before the file that names it'],
  ),
  removedCheck(
    'entry-of-a-damaged-vault-forgotten',
    ['storage/vault-copies.ts', '\\.corrupt-\\d+|', ''],
    ['unit', `${storage}/kept-data.test.ts`, 'deletes every entry that a file names'],
  ),
  removedCheck(
    'records-kept-behind-a-locked-keychain',
    [
      'storage/kept-data.ts',
      'await replaceFile(file, renderVaultFile({ version: vaultVersion, account, backend, records: [] }));',
      '',
    ],
    ['unit', `${storage}/kept-data.test.ts`, 'keeps the name of an entry'],
  ),
  removedCheck(
    'newer-data-deleted',
    ['storage/kept-data.ts', '        await refuseNewer(folder);\n', ''],
    ['unit', `${storage}/kept-data.test.ts`, 'touches nothing that a newer version has written'],
  ),
  removedCheck(
    'key-whose-entry-is-gone',
    ['storage/vault.ts', 'const kept = await stillKept(known);', 'const kept = known;'],
    ['unit', `${storage}/kept-data.test.ts`, 'never use one whose entry is gone'],
  ),
  removedCheck(
    'deletion-waits-for-services',
    [
      'integration/leave/delete-everything.ts',
      '    // The key of those that stay must stay with them.\n',
      '    await telling.idle();\n',
    ],
    ['contract', 'contract/delete-everything.test.ts', 'waits for no service'],
  ),
  removedCheck(
    'key-deleted-under-what-stays',
    ['integration/leave/delete-everything.ts', 'failures.length > 0 ? 0 : await', 'await'],
    ['contract', 'contract/delete-everything.test.ts', 'keeps the key and the rest'],
  ),
  removedCheck(
    'secrets-for-the-browser',
    ['user-agent/browser/system-browser.ts', 'withoutSecrets(env)', '{ ...env }'],
    ['contract', 'contract/system-browser.test.ts', 'gives the browser no secret'],
  ),
  removedCheck(
    'shell-for-the-browser',
    ['user-agent/browser/system-browser.ts', 'shell: false', 'shell: true'],
    ['contract', 'contract/system-browser.test.ts', 'one literal argument'],
  ),

  removedCheck(
    'callback-method',
    [
      'user-agent/callback/callback-request.ts',
      "if (request.method !== 'GET' || request.headers.upgrade !== undefined) return { refusal: 405 };",
      '',
    ],
    [...listener, 'with 405'],
  ),
  removedCheck(
    'callback-host',
    ['user-agent/callback/callback-request.ts', 'if (hosts[0] !== host) return { refusal: 421 };', ''],
    [...listener, 'answers only its exact Host'],
  ),
  removedCheck(
    'callback-target',
    [
      'user-agent/callback/callback-request.ts',
      "if (!target.startsWith('/') || target.startsWith('//')) return { refusal: 400 };",
      '',
    ],
    [...listener, 'refuses the request target'],
  ),
  removedCheck(
    'callback-length',
    ['user-agent/callback/callback-request.ts', 'if (target.length > longestTarget) return { refusal: 414 };', ''],
    [...listener, 'refuses long targets'],
  ),
  removedCheck(
    'name-of-a-key-before-its-entry',
    ['storage/new-vault-key.ts', 'await replace(path.join(folder, draftName), draft);', ''],
    ['unit', 'unit/main/storage/new-vault-key.test.ts', 'stands in a file before'],
  ),
  removedCheck(
    'key-that-no-vault-names',
    ['storage/new-vault-key.ts', 'await keychain.delete(draft.account);', ''],
    ['unit', 'unit/main/storage/new-vault-key.test.ts', 'wherever its maker is killed'],
    ['unit', 'unit/main/storage/new-vault-key.test.ts', 'is deleted again'],
  ),
  removedCheck(
    'half-written-files-of-a-reader',
    ['storage/vault.ts', 'if (!(await hasVaultLeftovers(folder))) return;', 'if (isSwept) return;'],
    ['unit', 'unit/main/storage/new-vault-key.test.ts', 'only reads'],
  ),
];
