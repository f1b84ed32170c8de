import { counted } from '../language.ts';
import type { Remedy } from '../remedy.ts';
import { advise, errorEntry, sayOf } from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';

const unlockKeychain = 'unlockKeychain';

/** Where more is known than the code says. */
export const storageRemedies = {
  /** KC_UNAVAILABLE: another keychain sealed them. */
  sealedElsewhere: advise('mend-files', 'useWhereMade'),
  /** KC_UNAVAILABLE: they are there, and nobody is to give them up for it. */
  unreached: advise('unlock-keychain', 'openWhereKeychainIs'),
  /** KC_LOCKED: it is open, perhaps, and has no key to the vault. */
  keyMissing: advise('unlock-keychain', 'unlockKeychainOrMoveVault'),
  /** CFG_SHARED: the folder is another user's. */
  foreignFolder: advise('mend-files', 'chooseOwnFolder'),
  /** CFG_READONLY: a pipe, a device or a folder stands where a file should be. */
  notAFile: advise('mend-files', 'moveOutOfFolder'),
} satisfies Readonly<Record<string, Remedy>>;

const fileOr = ({ file }: Detail<'file'>, otherwise: string): string => file ?? otherwise;

type NoFile = { readonly reason: 'not-a-file' };
type SettingsFault = { readonly reason: 'syntax' | 'shape' | 'empty' | 'large' | 'missing' | 'no-list' };
type SettingsPart = { readonly part: 'server' | 'program' | 'collection' | 'setting' | 'member' };

/** A pipe, a device or a folder stands where a file should be. */
const isNoFile = (detail: Detail<never, NoFile>): boolean => detail.reason === 'not-a-file';

const named = ({ folder }: Detail<'folder'>): string => (folder === undefined ? '' : ` "${folder}"`);

const placeOf = ({ line, column }: Detail<'line' | 'column'>): string =>
  line === undefined || column === undefined ? 'some place' : `line ${line}, column ${column}`;

/** Why nothing of the settings file can be used. */
function faultOf(detail: Detail<'line' | 'column', SettingsFault>): string {
  const at = placeOf(detail);
  switch (detail.reason) {
    case 'shape':
      return `"config.json" cannot be used: what stands at ${at} does not belong there.`;
    case 'empty':
      return '"config.json" is empty.';
    case 'large':
      return '"config.json" is too large to be a settings file.';
    case 'missing':
      return '"config.json" is gone from the profile folder; it had servers in it.';
    case 'no-list':
      return 'The list of servers ("integrations") is gone from "config.json".';
    default:
      return `"config.json" cannot be read: it is no valid JSON at ${at}.`;
  }
}

function partOf(detail: Detail<'name' | 'line' | 'column', SettingsPart>): string {
  const { part, name = 'without a name' } = detail;
  const at = placeOf(detail);
  switch (part) {
    case 'server':
      return `The server "${name}" in "config.json" is left out: ${at} does not fit.`;
    case 'program':
      return `The program "${name}" in "config.json" is left out: ${at} does not fit.`;
    case 'collection':
      return `The collection "${name}" in "config.json" is left out: ${at} does not fit.`;
    case 'setting':
      return `The setting "${name}" in "config.json" has no effect: ${at} does not fit.`;
    default:
      return `Postern does not know "${name}" in "config.json" (${at}), so it has no effect.`;
  }
}

const certificateFileFaults = {
  missing: 'does not exist',
  denied: 'cannot be read',
  empty: 'holds no certificate in PEM format',
};

export type CertificateFileFault = keyof typeof certificateFileFaults;

/** What a keychain cannot be used without. */
const missingParts: Readonly<Record<string, string | undefined>> = {
  module: 'The part of Postern that talks to the keychain (keytar) is not installed',
  build: 'The part of Postern that talks to the keychain (keytar) was not compiled for this computer',
  libsecret: 'The system library that talks to the keychain (libsecret) is not installed',
};

export const storageErrors = {
  KC_UNAVAILABLE: errorEntry<'from' | 'to' | 'missing' | 'kept'>({
    blame: 'computer',
    about: ['stopped-here', 'keychain', 'no-keychain'],
    message: (detail) => {
      if (detail.from !== undefined)
        return `Your sign-ins were sealed with another keychain (${detail.from}); this computer uses ${detail.to}.`;
      const part = missingParts[detail.missing ?? ''];
      return detail.kept === undefined
        ? `${part ?? 'This computer has no usable keychain'}, so your sign-in could not be kept safely.`
        : `${part ?? 'Your keychain cannot be reached from here'}, so the sign-ins that are kept cannot be read.`;
    },
    remedy: { kind: 'set-up-keychain' },
    retryable: false,
  }),
  KC_LOCKED: errorEntry<'file'>({
    blame: 'computer',
    about: ['stopped-here', 'keychain'],
    message: (detail) =>
      detail.file === undefined
        ? 'Your keychain is locked.'
        : 'Your keychain is locked, or it does not hold the key to the sign-ins that are kept here.',
    remedy: advise('unlock-keychain', unlockKeychain),
    retryable: true,
  }),
  KC_DENIED: errorEntry({
    blame: 'computer',
    about: ['stopped-here', 'keychain'],
    message: 'Access to your keychain was refused.',
    remedy: advise('unlock-keychain', 'allowKeychain'),
    retryable: true,
  }),
  KC_TIMEOUT: errorEntry({
    blame: 'computer',
    about: ['stopped-here', 'keychain'],
    message: 'Your keychain did not answer in time. It may be waiting for you to unlock it.',
    remedy: advise('unlock-keychain', 'lookForPasswordWindow'),
    retryable: true,
  }),
  KC_TOO_LARGE: errorEntry({
    blame: 'computer',
    about: ['keychain'],
    message: 'Your keychain refused an entry because of its size.',
    remedy: advise('report', 'reportShortKey'),
    retryable: false,
  }),
  KC_CORRUPT: errorEntry({
    blame: 'computer',
    about: ['keychain', 'damaged-record'],
    message: 'A saved sign-in cannot be read: it was changed, or the key in your keychain is another one.',
    remedy: advise('replace-sign-in', 'signInToServerAgain'),
    retryable: false,
  }),
  KC_WRITE_UNVERIFIED: errorEntry({
    blame: 'computer',
    about: ['keychain'],
    message: 'Your sign-in was saved, but reading it back gave something else.',
    remedy: { kind: 'test-storage' },
    retryable: true,
  }),
  CFG_CORRUPT: errorEntry<'line' | 'column', SettingsFault>({
    blame: 'computer',
    about: ['profile', 'settings-content'],
    message: (detail) => `${faultOf(detail)} Nothing was changed.`,
    remedy: { kind: 'mend-settings', missing: false, copy: false },
    retryable: false,
  }),
  CERTIFICATE_FILE_INVALID: errorEntry<'file', { readonly fault: CertificateFileFault }>({
    blame: 'input',
    message: (detail) =>
      `${fileOr(detail, 'The file')} ${sayOf(certificateFileFaults, detail.fault, 'cannot be used')}.`,
    remedy: advise('mend-files', 'chooseCertificateFile'),
    retryable: false,
  }),
  CFG_PART_UNREAD: errorEntry<'others' | 'name' | 'line' | 'column', SettingsPart>({
    blame: 'computer',
    about: ['profile'],
    message: (detail) => {
      const others =
        detail.others === undefined
          ? ''
          : ` ${counted(detail.others, 'more part of it is', 'more parts of it are')} left alone.`;
      return `${partOf(detail)}${others}`;
    },
    remedy: advise('mend-files', 'fixItThere'),
    retryable: false,
  }),
  CFG_NO_COPY: errorEntry({
    blame: 'computer',
    about: ['profile'],
    message: 'There is no copy of the settings that could be brought back.',
    remedy: advise('mend-files', 'fixConfig'),
    retryable: false,
  }),
  CFG_LINK: errorEntry<'file'>({
    blame: 'computer',
    about: ['profile'],
    message: (detail) =>
      `"${fileOr(detail, 'A file')}" in the profile folder is a link. Postern neither reads nor writes what it names.`,
    remedy: advise('mend-files', 'replaceLink'),
    retryable: false,
  }),
  CFG_SHARED: errorEntry<'folder', { readonly reason: 'owner' | 'owner-above' | 'writable' }>({
    blame: 'computer',
    about: ['profile'],
    message: (detail) => {
      if (detail.reason === 'owner')
        return `The profile folder${named(detail)} belongs to another user of this computer.`;
      if (detail.reason === 'owner-above')
        return `The way to the profile folder leads through${named(detail)}, which belongs to another user of this computer.`;
      return `Other users of this computer can write to the folder${named(detail)} that holds your profile.`;
    },
    remedy: advise('mend-files', 'takePermissionAway'),
    retryable: false,
  }),
  CFG_NEWER: errorEntry<'hidden'>({
    blame: 'computer',
    about: ['profile'],
    message: (detail) => {
      const { hidden = 0 } = detail;
      const left = hidden === 0 ? '' : ` ${hidden} of your servers cannot be shown here.`;
      return `Your settings come from a newer version of Postern. Nothing was changed.${left}`;
    },
    remedy: advise('mend-files', 'useNewerVersion'),
    retryable: false,
  }),
  CFG_DISK_FULL: errorEntry({
    blame: 'computer',
    about: ['profile'],
    message: 'The disk is full. The last change was not saved; what was there before is intact.',
    remedy: advise('mend-files', 'freeSpace'),
    retryable: true,
  }),
  CFG_READONLY: errorEntry<'file', NoFile>({
    blame: 'computer',
    about: ['profile'],
    message: (detail) =>
      isNoFile(detail)
        ? `"${fileOr(detail, 'A file')}" in the profile folder is not an ordinary file.`
        : `Postern may not write to ${fileOr(detail, 'its folder')}.`,
    remedy: advise('mend-files', 'checkFolderPermissions'),
    retryable: false,
  }),
  CFG_CONFLICT: errorEntry({
    blame: 'computer',
    about: ['profile'],
    message: 'Another Postern is changing the same data and does not finish.',
    remedy: advise('try-again', 'waitOrEnd'),
    retryable: true,
  }),
};

const fileOf = ({ file }: Detail<'file' | 'descriptor'>): string =>
  file === undefined ? 'that descriptor' : `the file "${file}"`;

/** What opens sign-ins that are sealed with a passphrase or a key file. */
export const keyringErrors = {
  KEYRING_WRONG_KEY: errorEntry<never, { readonly kind: 'file' | 'passphrase' }>({
    blame: 'computer',
    about: ['keychain'],
    message: ({ kind }) =>
      kind === 'file'
        ? 'This key file does not open the sign-ins that are kept here.'
        : 'This passphrase does not open the sign-ins that are kept here.',
    remedy: advise('unlock-keychain', 'giveSealingPassphrase'),
    retryable: false,
  }),
  KEYRING_UNREADABLE: errorEntry({
    blame: 'computer',
    about: ['keychain'],
    message: 'The file "keyring" in the profile folder cannot be read, and only it has the key to the sign-ins there.',
    remedy: advise('mend-files', 'restoreKeyring'),
    retryable: false,
  }),
  KEY_FILE_UNSAFE: errorEntry<'file' | 'descriptor'>({
    blame: 'computer',
    about: ['keychain'],
    message: (detail) => `Others may read or change ${fileOf(detail)}, so what it holds is no secret.`,
    remedy: advise('mend-files', 'makeFilePrivate'),
    retryable: false,
  }),
  KEY_FILE_MISSING: errorEntry<'file' | 'descriptor'>({
    blame: 'computer',
    about: ['keychain'],
    message: (detail) => `The secret that opens the sign-ins here cannot be read from ${fileOf(detail)}.`,
    remedy: advise('mend-files', 'checkKeyFile'),
    retryable: false,
  }),
};
