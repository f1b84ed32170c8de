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
    'session-bus-of-anybody',
    [
      'withSessionBus',
      "process.platform !== 'linux' || $named || !isClosed($usual)",
      "process.platform !== 'linux' || $named",
    ],
    ['unit', `${storage}/keychain/keychain-process.test.ts`, 'takes none that others can put there'],
  ),
  removedCheck(
    'record-of-another-integration',
    ['openRecord', '$decipher.setAAD($data); $decipher.setAuthTag($tag);', '$decipher.setAuthTag($tag);'],
    ['unit', `${storage}/vault/sealed-record.test.ts`, ''],
  ),
  removedCheck(
    'unbound-records',
    ['openRecord', "['postern-vault-1', $kind, $owner, $issuer]", "['postern-vault-1', $kind]"],
    ['unit', `${storage}/vault/sealed-record.test.ts`, 'refuses a record that was sealed for'],
  ),
  removedCheck(
    'history-of-a-server-that-is-gone',
    ['openHistoryStore', '$listed.has($id)', 'true'],
    ['unit', `${storage}/profile/history-store.test.ts`, 'goes with its server'],
  ),
  removedCheck(
    'history-left-behind',
    ['notingHistory', 'await (await $history()).forget($id);', ''],
    ['unit', `${storage}/profile/history-store.test.ts`, 'goes with its server'],
  ),
  removedCheck(
    'history-through-a-link',
    ['openServerFiles', "makeFolder($folder, 'storage'); refuseLinks($folder);", "makeFolder($folder, 'storage');"],
    ['unit', `${storage}/profile/history-store.test.ts`, 'never follows a link'],
  ),
  removedCheck(
    'history-of-a-list-that-is-not-whole',
    ['sweepServerFiles', 'await $list.listIsWhole()', 'true'],
    ['unit', `${storage}/profile/history-store.test.ts`, 'cannot be read whole'],
  ),
  removedCheck(
    'short-write-of-the-vault',
    ['replaceFile', '!(await readFile($temporary)).equals($bytes)', '$bytes.length < 0'],
    ['unit', `${storage}/files/replace-file.test.ts`, 'believes what is on the disk'],
  ),
  removedCheck(
    'full-disk-at-a-lock',
    [
      'tryLockFile',
      'if ($code === $diskFull) throw new PosternError($$a);',
      'if ($code < 0) throw new PosternError($$a);',
    ],
    ['hostile', 'hostile/disk.test.ts', 'keeps the old file or has the whole new one'],
  ),
  removedCheck(
    'lease-of-a-newer-sign-in',
    [
      'createSignInLeases',
      '!$sharing.has($name) && $readLease($file) === $own',
      "!$sharing.has($name) && $readLease($file) !== ''",
    ],
    ['unit', `${storage}/profile/sign-in-leases.test.ts`, 'is not taken away by an older one'],
  ),
  removedCheck(
    'file-mode',
    ['replaceFile', '0o600', '0o644'],
    ['unit', `${storage}/files/replace-file.test.ts`, 'for this person only'],
  ),
  removedCheck(
    'vault-by-a-link',
    ['setVaultAside', 'follow: false', 'follow: true'],
    ['unit', `${storage}/vault/vault.test.ts`, 'refuses a symbolic link'],
  ),
  removedCheck(
    'files-that-are-none',
    ['refuseOthers', '!$stats.isFile()', '$stats.size < 0'],
    ['unit', 'unit/main/plain-file.test.ts', 'refuses'],
    ['contract', 'contract/unusual-files.test.ts', 'of a folder as the settings'],
  ),
  removedCheck(
    'waiting-for-a-pipe',
    ['readPlainFile', 'constants.O_RDONLY | unblocking', 'constants.O_RDONLY'],
    // The program waits in a process of its own, not in the test's.
    ['contract', 'contract/unusual-files.test.ts', 'of a pipe as the vault'],
  ),
  removedCheck(
    'files-that-grow',
    ['readPlainFile', 'this.#length > this.#limit', 'this.#length < 0'],
    ['unit', 'unit/main/plain-file.test.ts', 'stops at the limit'],
  ),
  removedCheck(
    'pipe-as-a-lock',
    ['tryLockFile', 'refuseUnlessFileOrNothing(`${$file}${$part}`);', 'continue;'],
    ['contract', 'contract/unusual-files.test.ts', 'of a pipe as a lock'],
  ),
  removedCheck(
    'pipe-as-the-log',
    ['createLog', 'openSync($file, $flags | unblocking, 0o600)', 'openSync($file, $flags, 0o600)'],
    ['contract', 'contract/unusual-files.test.ts', 'where the log is a pipe'],
  ),
  removedCheck(
    'log-with-another-name',
    ['createLog', 'refuseSecondNames($stats, $file);', ''],
    ['unit', 'unit/main/host/log.test.ts', 'that has another name'],
  ),
  removedCheck(
    'newer-vault',
    ['setVaultAside', "typeof $version === 'number' && $version > vaultVersion", '$version === -1'],
    ['unit', `${storage}/vault/vault.test.ts`, 'CFG_NEWER'],
  ),
  removedCheck(
    'newer-settings',
    ['SettingsDocument', '($version as number) > settingsVersion', '($version as number) < 0'],
    ['unit', `${storage}/settings/settings-document.test.ts`, 'says that it is newer'],
  ),
  removedCheck(
    'unverified-write',
    [
      'openVault',
      'await $replace($file, renderVaultFile($content)); await $verify($texts, $key);',
      'await $replace($file, renderVaultFile($content));',
    ],
    ['unit', `${storage}/vault/vault.test.ts`, 'when the disk does not keep the record'],
  ),
  removedCheck(
    'another-keychain',
    [
      'fetchVaultKey',
      'if ($backend !== $currentBackend) { $a; throw new PosternError($$b); }',
      "if ($backend === '') { $a; throw new PosternError($$b); }",
    ],
    ['unit', `${storage}/vault/vault.test.ts`, 'another kind of keychain'],
  ),
  removedCheck(
    'missing-key-is-no-key',
    [
      'fetchVaultKey',
      "const $text = await $keychain.read($account).catch($rest); if ($text === null) throw new PosternError('KC_LOCKED', $);",
      'const $text = await $keychain.read($account); if ($text === null) return makeVaultKey($keychain, { bytes: (length) => new Uint8Array(length) });',
    ],
    ['unit', `${storage}/vault/vault.test.ts`, 'says KC_LOCKED and makes no new key'],
  ),
  removedCheck(
    'unkept-key',
    ['startVault', '(await $keychain.read($account)) !== $text', "$text === ''"],
    ['unit', `${storage}/vault/vault.test.ts`, 'when the keychain does not keep the key'],
  ),
  removedCheck(
    'null-means-absent',
    [
      'createKeychain',
      "const $first = await $call({ operation: 'read', account: $account }); if ($first !== null) return $first;",
      "const $first = await $call({ operation: 'read', account: $account }); return $first;",
    ],
    ['contract', 'contract/storage/keytar-keychain.test.ts', 'takes null for'],
  ),
  removedCheck(
    'profile-lock-of-the-vault',
    [
      'openVault',
      'await $locks.hold(profileLock, async () => { const $content = await $readOrStart(); $$work; });',
      'await (async () => { const $content = await $readOrStart(); $$work; })();',
    ],
    ['unit', `${storage}/vault/vault.test.ts`, 'loses none of both'],
  ),

  removedCheck(
    'log-fields',
    ['createLog', "$allowedFields.has($name) ? $plainValue($value) : '[removed]'", '$plainValue($value)'],
    ['unit', 'unit/main/host/log.test.ts', 'writes no value of a field that is not on its list'],
  ),
  removedCheck(
    'log-queries',
    ['createLog', String.raw`$a .replace(/[?#]\S*/g, '')`, '$a'],
    ['unit', 'unit/main/host/log.test.ts', 'cuts query and fragment'],
  ),
  removedCheck(
    'log-lines',
    ['createLog', String.raw`$text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')`, '$text'],
    ['unit', 'unit/main/host/log.test.ts', 'lets no value forge a line'],
  ),
  removedCheck(
    'secrets-in-renderings',
    ['Secret', "toJSON() { return '[secret]'; }", 'toJSON() { return this.reveal(); }'],
    ['unit', 'unit/main/oauth/token/token-set.test.ts', 'is the only rendering'],
  ),
  removedCheck(
    'foreign-errors',
    [
      'toPlainError',
      '$error instanceof PosternError ? $error : $a',
      '$error instanceof Error ? ($error as PosternError) : $a',
    ],
    ['unit', 'unit/main/errors/postern-error.test.ts', 'shows nothing of'],
  ),
  removedCheck(
    'control-characters',
    ['displayText', "$a .replace($invisible, '').normalize('NFC')", "$a.normalize('NFC')"],
    ['unit', 'unit/main/address/display-text.test.ts', 'shows'],
  ),
  removedCheck(
    'long-names',
    ['displayText', '$characters.length <= $maximum', '$characters.length >= 0'],
    ['unit', 'unit/main/address/display-text.test.ts', ''],
  ),
  removedCheck(
    'terminal-escapes',
    [
      'printable',
      String.raw`$escapeIn($a.replaceAll('\t', '    '), $dangerousInText)`,
      String.raw`$escapeIn($a.replaceAll('\t', '    '), /(?!)/gu)`,
    ],
    ['unit', 'unit/main/cli/text.test.ts', 'writes out what moves the cursor'],
  ),
  removedCheck(
    'browser-schemes',
    [
      'browserAddress',
      "$url.protocol !== 'https:' && classifyHost($url.hostname) !== 'loopback'",
      "$url.protocol === ''",
    ],
    ['unit', 'unit/main/address/browser-address.test.ts', 'is not'],
  ),
  removedCheck(
    'entry-left-in-the-keychain',
    ['createKeptData', 'for (const $each of [$keychain, ...$otherKeychains]) await $each.delete($account);', ''],
    ['unit', `${storage}/profile/kept-data.test.ts`, 'deletes every entry that a file names'],
  ),
  removedCheck(
    'index-deleted-before-the-entries',
    [
      'createKeptData',
      'const $accounts = new Set($copies.flatMap($of)); const { $$both } = await $deleteEntries($accounts); for (const { $$names } of $copies) { if ($done) { await $remove($file); $next; } $$rest; }',
      'const $accounts = new Set($copies.flatMap($of)); for (const { file } of $copies) await $remove(file); const { $$both } = await $deleteEntries($accounts); for (const { $$names } of $copies) { if ($done) { await $remove($file); $next; } $$rest; }',
    ],
    ['unit', `${storage}/profile/kept-data.test.ts`, 'deletes each entry before the file that names it'],
  ),
  removedCheck(
    'entry-of-a-damaged-vault-forgotten',
    [
      'findVaultCopies',
      String.raw`/^vault(\.corrupt-\d+|\.new)?(\.tmp-[\w-]+)?$/`,
      String.raw`/^vault(\.new)?(\.tmp-[\w-]+)?$/`,
    ],
    ['unit', `${storage}/profile/kept-data.test.ts`, 'deletes every entry that a file names'],
  ),
  removedCheck(
    'records-kept-behind-a-locked-keychain',
    [
      'createKeptData',
      'await replaceFile($file, renderVaultFile({ version: vaultVersion, account: $account, backend: $backend, records: [] }));',
      '',
    ],
    ['unit', `${storage}/profile/kept-data.test.ts`, 'keeps the name of an entry'],
  ),
  removedCheck(
    'newer-data-deleted',
    ['createKeptData', 'await $refuseNewer($folder); removeLeases($folder);', 'removeLeases($folder);'],
    ['unit', `${storage}/profile/kept-data.test.ts`, 'touches nothing that a newer version has written'],
  ),
  removedCheck(
    'key-whose-entry-is-gone',
    ['openVault', 'const $kept = await stillKept($known);', 'const $kept = $known;'],
    ['unit', `${storage}/profile/kept-data.test.ts`, 'never use one whose entry is gone'],
  ),
  removedCheck(
    'deletion-waits-for-services',
    [
      'deleteEverything',
      'const $entries = $failures.length > 0 ? 0 : $delete; $stopWaiting = $wait; await $telling.idle();',
      'await $telling.idle(); const $entries = $failures.length > 0 ? 0 : $delete; $stopWaiting = $wait;',
    ],
    ['contract', 'contract/delete-everything.test.ts', 'waits for no service'],
  ),
  removedCheck(
    'key-deleted-under-what-stays',
    ['deleteEverything', '$failures.length > 0 ? 0 : $a', '$a'],
    ['contract', 'contract/delete-everything.test.ts', 'keeps the key and the rest'],
  ),
  removedCheck(
    'secrets-for-the-browser',
    ['openSystemBrowser', 'withoutSecrets($env)', '{ ...$env }'],
    ['contract', 'contract/system-browser.test.ts', 'gives the browser no secret'],
  ),
  removedCheck(
    'shell-for-the-browser',
    ['openSystemBrowser', 'shell: false', 'shell: true'],
    ['contract', 'contract/system-browser.test.ts', 'one literal argument'],
  ),

  removedCheck(
    'callback-method',
    [
      'CallbackRequest',
      "if ($request.method !== 'GET' || $request.headers.upgrade !== undefined) return { refusal: 405 };",
      '',
    ],
    [...listener, 'with 405'],
  ),
  removedCheck(
    'callback-host',
    ['CallbackRequest', 'if (!$isOurs($hosts[0])) return { refusal: 421 };', ''],
    [...listener, 'answers only its exact Host'],
  ),
  removedCheck(
    'callback-of-two-hosts',
    ['readCallbackRequest', 'if ($hosts.length !== 1) return { refusal: 400 };', ''],
    [...listener, 'answers only its exact Host'],
  ),
  removedCheck(
    'callback-target',
    ['CallbackRequest', "if (!$target.startsWith('/') || $target.startsWith('//')) return { refusal: 400 };", ''],
    [...listener, 'refuses the request target'],
  ),
  removedCheck(
    'callback-length',
    ['CallbackRequest', 'if ($target.length > $longestTarget) return { refusal: 414 };', ''],
    [...listener, 'refuses long targets'],
  ),
  removedCheck(
    'name-of-a-key-before-its-entry',
    ['startVault', 'await $replace($draft, renderVaultFile($content));', ''],
    ['contract', 'contract/storage/vault-key.test.ts', 'stands in a file before'],
  ),
  removedCheck(
    'first-prompt-under-the-lock',
    [
      'openVault',
      'await $keychain.prove(); await $locks.hold($lock, async () => $keyOf(await $start()));',
      'await $locks.hold($lock, async () => { await $keychain.prove(); await $keyOf(await $start()); });',
    ],
    ['contract', 'contract/storage/vault-key.test.ts', 'keeps nobody from the profile'],
  ),
  removedCheck(
    'key-that-no-vault-names',
    ['sweepVaultLeftovers', 'await $keychain.delete($draft.account);', ''],
    ['contract', 'contract/storage/vault-key.test.ts', 'wherever its maker is killed'],
    ['contract', 'contract/storage/vault-key.test.ts', 'is deleted again'],
  ),
  removedCheck(
    'half-written-files-of-a-reader',
    ['openVault', 'if (!(await hasVaultLeftovers($folder))) return;', 'return;'],
    ['contract', 'contract/storage/vault-key.test.ts', 'only reads'],
  ),
  removedCheck(
    'start-at-login-of-another-profile',
    ['forgetAutostart', 'if (!readLines($file).includes(profileLine($folder))) return;', ''],
    ['unit', 'unit/main/storage/profile/autostart.test.ts', 'of another profile'],
  ),
  removedCheck(
    'keychain-process-that-is-starting',
    ['startKeychainUtility', 'Promise.race([$started, $gone])', 'Promise.resolve()'],
    ['contract', 'contract/keychain-utility.test.ts', 'before it has started'],
  ),
];
