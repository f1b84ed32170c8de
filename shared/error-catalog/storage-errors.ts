import { formatCount } from '../language.ts';
import type { Remedy } from '../remedy.ts';
import { advise, errorEntry, textFor } from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';

const unlockKeychain = 'unlockKeychain';

/** Remedies for special cases of a code. */
export const storageRemedies = {
  /** KC_UNAVAILABLE: the sign-ins were encrypted with another keychain. */
  otherKeychain: advise('fix-files', 'useOnOriginalComputer'),
  /** KC_CORRUPT: the key in the keychain is damaged, so signing in again would fail too. */
  damagedKey: advise('fix-files', 'moveVaultAway'),
  /** KC_UNAVAILABLE: the sign-ins are intact, so nothing may be deleted. */
  unreachable: advise('unlock-keychain', 'openWithKeychain'),
  /** KC_LOCKED: the keychain may be unlocked but lacks the vault key. */
  keyMissing: advise('unlock-keychain', 'unlockKeychainOrMoveVault'),
  /** CFG_SHARED: the folder belongs to another user. */
  foreignFolder: advise('fix-files', 'chooseOwnFolder'),
  /** CFG_READONLY: a pipe, a device or a folder in place of a file. */
  notAFile: advise('fix-files', 'moveOutOfFolder'),
  /** CFG_CORRUPT: an unreleased build wrote the profile. */
  beforeRelease: advise('fix-files', 'moveOutOfFolder'),
} satisfies Readonly<Record<string, Remedy>>;

const fileOr = ({ file }: Detail<'file'>, otherwise: string): string => file ?? otherwise;
const quotedFile = ({ file }: Detail<'file'>): string => (file === undefined ? 'A file' : `“${file}”`);

type NotAFile = { readonly reason: 'not-a-file' };
type SettingsFault = {
  readonly reason: 'syntax' | 'shape' | 'empty' | 'large' | 'missing' | 'no-list' | 'before-release';
};
type SettingsPart = { readonly part: 'server' | 'app' | 'collection' | 'setting' | 'member' };

/** A pipe, a device or a folder in place of a file. */
const isNotAFile = (detail: Detail<never, NotAFile>): boolean => detail.reason === 'not-a-file';

const named = ({ folder }: Detail<'folder'>): string => (folder === undefined ? '' : ` “${folder}”`);

const placeOf = ({ line, column }: Detail<'line' | 'column'>): string =>
  line === undefined || column === undefined ? '' : ` at line ${line}, column ${column}`;

/** Why the whole settings file is unusable. */
function faultOf(detail: Detail<'line' | 'column', SettingsFault>): string {
  const at = placeOf(detail);
  switch (detail.reason) {
    case 'shape':
      return `“config.json” has an invalid value${at}.`;
    case 'empty':
      return '“config.json” is empty.';
    case 'large':
      return '“config.json” is too large to be a settings file.';
    case 'missing':
      return '“config.json” with your servers is missing from the profile folder.';
    case 'no-list':
      return 'The list of servers (“integrations”) is missing from “config.json”.';
    case 'before-release':
      return '“config.json” is from before the first release of Postern, and this version can’t read it.';
    default:
      return `“config.json” is not valid JSON${at}.`;
  }
}

function partOf(detail: Detail<'name' | 'line' | 'column', SettingsPart>): string {
  const { part, name = 'unnamed' } = detail;
  const at = placeOf(detail);
  switch (part) {
    case 'server':
      return `Postern ignores the server “${name}” in “config.json”: invalid value${at}.`;
    case 'app':
      return `Postern ignores the app “${name}” in “config.json”: invalid value${at}.`;
    case 'collection':
      return `Postern ignores the collection “${name}” in “config.json”: invalid value${at}.`;
    case 'setting':
      return `Postern ignores the setting “${name}” in “config.json”: invalid value${at}.`;
    default:
      return `Postern ignores the unknown field “${name}” in “config.json”${at}.`;
  }
}

const certificateFileFaults = {
  missing: 'does not exist',
  denied: 'can’t be read',
  empty: 'contains no certificate in PEM format',
};

export type CertificateFileFault = keyof typeof certificateFileFaults;

/** Components that the keychain needs. */
const missingParts: Readonly<Record<string, string | undefined>> = {
  module: 'Postern’s keychain module (keytar) is not installed',
  build: 'Postern’s keychain module (keytar) was not compiled for this computer',
  libsecret: 'The system’s keychain library (libsecret) is not installed',
};

export const storageErrors = {
  KC_UNAVAILABLE: errorEntry<'from' | 'to' | 'missing' | 'hasSignIns'>({
    blame: 'computer',
    traits: ['stopped-here', 'keychain', 'no-keychain'],
    message: (detail) => {
      if (detail.from !== undefined)
        return `Your sign-ins were encrypted with another keychain (${detail.from}). This computer uses ${detail.to}.`;
      const part = missingParts[detail.missing ?? ''];
      return detail.hasSignIns === undefined
        ? `${part ?? 'This computer has no usable keychain'}, so Postern could not save your sign-in safely.`
        : `${part ?? 'Postern can’t reach your keychain from here'}, so it can’t read the saved sign-ins.`;
    },
    remedy: { kind: 'set-up-keychain' },
    retryable: false,
  }),
  KC_LOCKED: errorEntry<'file'>({
    blame: 'computer',
    traits: ['stopped-here', 'keychain'],
    message: (detail) =>
      detail.file === undefined
        ? 'Your keychain is locked.'
        : 'Your keychain is locked, or it does not have the key to the sign-ins saved here.',
    remedy: advise('unlock-keychain', unlockKeychain),
    retryable: true,
  }),
  KC_DENIED: errorEntry({
    blame: 'computer',
    traits: ['stopped-here', 'keychain'],
    message: 'Postern was denied access to your keychain.',
    remedy: advise('unlock-keychain', 'allowKeychain'),
    retryable: true,
  }),
  KC_TIMEOUT: errorEntry({
    blame: 'computer',
    traits: ['stopped-here', 'keychain'],
    message: 'Your keychain did not respond in time. It may be waiting for you to unlock it.',
    remedy: advise('unlock-keychain', 'findPasswordWindow'),
    retryable: true,
  }),
  KC_TOO_LARGE: errorEntry({
    blame: 'computer',
    traits: ['keychain'],
    message: 'Your keychain rejected an entry because of its size.',
    remedy: advise('report', 'reportShortKey'),
    retryable: false,
  }),
  KC_CORRUPT: errorEntry({
    blame: 'computer',
    traits: ['keychain', 'damaged-record'],
    message: 'Postern can’t read a saved sign-in: it was changed, or your keychain has a different key.',
    remedy: advise('replace-sign-in', 'signInToServerAgain'),
    retryable: false,
  }),
  KC_WRITE_UNVERIFIED: errorEntry({
    blame: 'computer',
    traits: ['keychain'],
    message: 'Postern saved your sign-in but read back something different.',
    remedy: { kind: 'test-storage' },
    retryable: true,
  }),
  CFG_CORRUPT: errorEntry<'line' | 'column', SettingsFault>({
    blame: 'computer',
    traits: ['profile', 'settings-content'],
    message: (detail) => `${faultOf(detail)} Nothing was changed.`,
    remedy: { kind: 'fix-settings', missing: false, copy: false },
    retryable: false,
  }),
  CERTIFICATE_FILE_INVALID: errorEntry<'file', { readonly fault: CertificateFileFault }>({
    blame: 'input',
    message: (detail) =>
      `${fileOr(detail, 'The file')} ${textFor(certificateFileFaults, detail.fault, 'can’t be used')}.`,
    remedy: advise('fix-files', 'chooseCertificateFile'),
    retryable: false,
  }),
  CFG_PART_IGNORED: errorEntry<'others' | 'name' | 'line' | 'column', SettingsPart>({
    blame: 'computer',
    traits: ['profile'],
    message: (detail) => {
      const others =
        detail.others === undefined
          ? ''
          : ` ${formatCount(detail.others, 'more part of it is', 'more parts of it are')} ignored.`;
      return `${partOf(detail)}${others}`;
    },
    remedy: advise('fix-files', 'fixFilePart'),
    retryable: false,
  }),
  CFG_NO_COPY: errorEntry({
    blame: 'computer',
    traits: ['profile'],
    message: 'There is no copy of the settings to restore.',
    remedy: advise('fix-files', 'fixConfig'),
    retryable: false,
  }),
  CFG_LINK: errorEntry<'file'>({
    blame: 'computer',
    traits: ['profile'],
    message: (detail) => `${quotedFile(detail)} in the profile folder is a link. Postern does not follow it.`,
    remedy: advise('fix-files', 'replaceLink'),
    retryable: false,
  }),
  CFG_SHARED: errorEntry<'folder', { readonly reason: 'owner' | 'owner-above' | 'writable' }>({
    blame: 'computer',
    traits: ['profile'],
    message: (detail) => {
      if (detail.reason === 'owner')
        return `The profile folder${named(detail)} belongs to another user of this computer.`;
      if (detail.reason === 'owner-above')
        return `The folder${named(detail)} above the profile folder belongs to another user of this computer.`;
      return `Other users of this computer can write to the profile folder${named(detail)}.`;
    },
    remedy: advise('fix-files', 'removeWritePermission'),
    retryable: false,
  }),
  CFG_NEWER: errorEntry<'hidden'>({
    blame: 'computer',
    traits: ['profile'],
    message: (detail) => {
      const { hidden = 0 } = detail;
      const left = hidden === 0 ? '' : ` ${hidden} of your servers can’t be shown here.`;
      return `Your settings are from a newer version of Postern. Nothing was changed.${left}`;
    },
    remedy: advise('fix-files', 'useNewerVersion'),
    retryable: false,
  }),
  CFG_DISK_FULL: errorEntry({
    blame: 'computer',
    traits: ['profile'],
    message: 'The disk is full. Your last change was not saved. Earlier data is intact.',
    remedy: advise('fix-files', 'freeSpace'),
    retryable: true,
  }),
  CFG_READONLY: errorEntry<'file', NotAFile>({
    blame: 'computer',
    traits: ['profile'],
    message: (detail) =>
      isNotAFile(detail)
        ? `${quotedFile(detail)} in the profile folder is not a regular file.`
        : `Postern can’t write to ${fileOr(detail, 'its folder')}.`,
    remedy: advise('fix-files', 'checkFolderPermissions'),
    retryable: false,
  }),
  CFG_CONFLICT: errorEntry({
    blame: 'computer',
    traits: ['profile'],
    message: 'Another Postern is changing the same data and has not finished.',
    remedy: advise('try-again', 'waitOrQuitOther'),
    retryable: true,
  }),
};

const fileOf = ({ file }: Detail<'file' | 'descriptor'>): string =>
  file === undefined ? 'the given file or descriptor' : `the file “${file}”`;

/** Sign-ins that are encrypted with a passphrase or a key file. */
export const keyringErrors = {
  KEYRING_WRONG_KEY: errorEntry<never, { readonly kind: 'file' | 'passphrase' }>({
    blame: 'computer',
    traits: ['keychain'],
    message: ({ kind }) =>
      kind === 'file'
        ? 'This key file does not unlock the saved sign-ins.'
        : 'This passphrase does not unlock the saved sign-ins.',
    remedy: advise('unlock-keychain', 'useRightVaultSecret'),
    retryable: false,
  }),
  KEYRING_UNREADABLE: errorEntry({
    blame: 'computer',
    traits: ['keychain'],
    message:
      'Postern can’t read the file “keyring” in the profile folder, which has the only key to the saved sign-ins.',
    remedy: advise('fix-files', 'restoreKeyring'),
    retryable: false,
  }),
  KEY_FILE_UNSAFE: errorEntry<'file' | 'descriptor'>({
    blame: 'computer',
    traits: ['keychain'],
    message: (detail) => `Other users can read or change ${fileOf(detail)}, so its content is not secret.`,
    remedy: advise('fix-files', 'makeFilePrivate'),
    retryable: false,
  }),
  KEY_FILE_MISSING: errorEntry<'file' | 'descriptor'>({
    blame: 'computer',
    traits: ['keychain'],
    message: (detail) => `Postern can’t read the secret that unlocks the sign-ins from ${fileOf(detail)}.`,
    remedy: advise('fix-files', 'checkKeyFile'),
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const storageErrorCauses: Causes<typeof storageErrors & typeof keyringErrors> = {
  KC_UNAVAILABLE:
    'A server, a container or an SSH session without a desktop, or a missing library (keytar or libsecret).',
  KC_LOCKED: 'The keychain was not unlocked at login, as with automatic login or over SSH.',
  KC_DENIED: 'Access was denied when the system asked, or a policy forbids it.',
  KC_TIMEOUT: 'A password window is hidden behind others, or the keychain service hangs.',
  KC_TOO_LARGE: 'A keychain with an unusually small limit.',
  KC_CORRUPT: 'The vault was edited or copied from another computer, or the keychain entry was replaced.',
  KC_WRITE_UNVERIFIED: 'A failing disk, a network drive, or another program that changed the file.',
  CFG_CORRUPT:
    '`config.json` was edited by hand, truncated by another program, deleted, or restored from a wrong backup.',
  CERTIFICATE_FILE_INVALID: 'The path was mistyped, or the file is in DER or PKCS #12 format.',
  CFG_PART_IGNORED: '`config.json` was edited by hand, or a newer version of Postern wrote that part.',
  CFG_NO_COPY: 'The profile is new, or the copy was deleted or is damaged too.',
  CFG_LINK: 'The file was replaced by a link, for example by a tool that manages dotfiles.',
  CFG_SHARED: '`POSTERN_HOME` names a shared folder, or the folder was created with `sudo` or a loose umask.',
  CFG_NEWER: 'You ran a newer version of Postern with this profile before.',
  CFG_DISK_FULL: 'No space is left on the disk, or your quota is used up.',
  CFG_READONLY:
    'The folder or file is read-only, belongs to another user, or is a folder, a pipe or a device instead of a file.',
  CFG_CONFLICT: 'Another Postern window or command is saving, or was paused while it saved.',
  KEYRING_WRONG_KEY: 'A typing error, or the passphrase or key file of another profile.',
  KEYRING_UNREADABLE: 'The file was edited, truncated, or restored from a wrong backup.',
  KEY_FILE_UNSAFE: 'The file was created with default permissions, such as 0644.',
  KEY_FILE_MISSING: 'The path was mistyped, the file is not mounted, or the descriptor is not open.',
};
