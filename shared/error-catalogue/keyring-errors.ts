import type { ErrorCode } from '../error-codes.ts';
import { advise } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

const fileOf = ({ file }: CatalogueDetail): string => (file === undefined ? 'that descriptor' : `the file "${file}"`);

/** What opens sign-ins that are sealed with a passphrase or a key file. */
export const keyringErrors = {
  KEYRING_WRONG_KEY: {
    message: ({ kind }) =>
      kind === 'file'
        ? 'This key file does not open the sign-ins that are kept here.'
        : 'This passphrase does not open the sign-ins that are kept here.',
    remedy: advise('unlock-keychain', 'Give the one that they were sealed with. Nothing was changed.'),
    retryable: false,
  },
  KEYRING_UNREADABLE: {
    message: 'The file "keyring" in the profile folder cannot be read, and only it has the key to the sign-ins there.',
    remedy: advise(
      'mend-files',
      'Bring it back from a copy; or move "keyring" and "vault" out of the profile folder and sign in again.',
    ),
    retryable: false,
  },
  KEY_FILE_UNSAFE: {
    message: (detail) => `Others may read or change ${fileOf(detail)}, so what it holds is no secret.`,
    remedy: advise('mend-files', 'Make it yours, and for you alone (chmod 600); and think about who may have read it.'),
    retryable: false,
  },
  KEY_FILE_MISSING: {
    message: (detail) => `The secret that opens the sign-ins here cannot be read from ${fileOf(detail)}.`,
    remedy: advise(
      'mend-files',
      'Check that it is there, that it is an ordinary file of yours, and that it is not too long.',
    ),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
