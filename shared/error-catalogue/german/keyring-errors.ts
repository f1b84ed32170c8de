import type { CatalogueDetail } from '../catalogue-entry.ts';
import type { keyringErrors as english } from '../keyring-errors.ts';
import type { GermanOf } from './german-entry.ts';

const fileOf = ({ file }: CatalogueDetail): string =>
  file === undefined ? 'diesem Deskriptor' : `der Datei „${file}“`;

export const keyringErrors: GermanOf<typeof english> = {
  KEYRING_WRONG_KEY: ({ kind }) =>
    `${kind === 'file' ? 'Diese Schlüsseldatei' : 'Diese Passphrase'} öffnet die hier gespeicherten Anmeldungen nicht.`,
  KEYRING_UNREADABLE:
    'Die Datei „keyring“ im Profilordner ist nicht lesbar, und nur sie hat den Schlüssel zu den Anmeldungen dort.',
  KEY_FILE_UNSAFE: ({ file }) =>
    `Andere dürfen ${file === undefined ? 'diesen Deskriptor' : `die Datei „${file}“`} lesen oder ändern; was darin steht, ist kein Geheimnis.`,
  KEY_FILE_MISSING: (detail) =>
    `Das Geheimnis, das die Anmeldungen hier öffnet, lässt sich aus ${fileOf(detail)} nicht lesen.`,
};
