import { textFor } from '../../error-catalog/catalog-entry.ts';
import type {
  CertificateFileFault,
  keyringErrors as englishKeyringErrors,
  storageErrors as englishStorageErrors,
} from '../../error-catalog/storage-errors.ts';
import type { CatalogDetail } from '../../error-detail.ts';
import { formatCount } from '../../language.ts';
import type { GermanOf } from './german-entry.ts';

const placeOf = ({ line, column }: CatalogDetail): string =>
  line === undefined || column === undefined ? '' : ` in Zeile ${line}, Spalte ${column}`;

/** Why the whole settings file is unusable. */
function faultOf(detail: CatalogDetail): string {
  const at = placeOf(detail);
  switch (detail.reason) {
    case 'shape':
      return `„config.json“ hat${at} einen ungültigen Wert.`;
    case 'empty':
      return '„config.json“ ist leer.';
    case 'large':
      return '„config.json“ ist zu groß für eine Einstellungsdatei.';
    case 'missing':
      return '„config.json“ mit Ihren Servern fehlt im Profilordner.';
    case 'no-list':
      return 'Die Liste der Server („integrations“) fehlt in „config.json“.';
    case 'before-release':
      return '„config.json“ stammt aus der Zeit vor der ersten Version von Postern. Diese Version kann die Datei nicht lesen.';
    default:
      return `„config.json“ ist${at} kein gültiges JSON.`;
  }
}

function partOf(detail: CatalogDetail): string {
  const { part, name = 'ohne Namen' } = detail;
  const at = placeOf(detail);
  switch (part) {
    case 'server':
      return `Postern ignoriert den Server „${name}“ in „config.json“: ungültiger Wert${at}.`;
    case 'app':
      return `Postern ignoriert die App „${name}“ in „config.json“: ungültiger Wert${at}.`;
    case 'collection':
      return `Postern ignoriert die Sammlung „${name}“ in „config.json“: ungültiger Wert${at}.`;
    case 'setting':
      return `Postern ignoriert die Einstellung „${name}“ in „config.json“: ungültiger Wert${at}.`;
    default:
      return `Postern ignoriert das unbekannte Feld „${name}“ in „config.json“${at}.`;
  }
}

const certificateFileFaults: Readonly<Record<CertificateFileFault, string>> = {
  missing: 'gibt es nicht',
  denied: 'lässt sich nicht lesen',
  empty: 'enthält kein Zertifikat im PEM-Format',
};

/** Components that the keychain needs. */
const missingParts: Readonly<Record<string, string>> = {
  module: 'Das Schlüsselbund-Modul von Postern (keytar) ist nicht installiert',
  build: 'Das Schlüsselbund-Modul von Postern (keytar) wurde nicht für diesen Computer gebaut',
  libsecret: 'Die Schlüsselbund-Bibliothek des Systems (libsecret) ist nicht installiert',
};

export const storageErrors: GermanOf<typeof englishStorageErrors> = {
  KC_UNAVAILABLE: ({ from, to, missing, hasSignIns }) => {
    if (from !== undefined)
      return `Ihre Anmeldungen wurden mit einem anderen Schlüsselbund verschlüsselt (${from}). Dieser Computer verwendet ${to}.`;
    const part = missingParts[String(missing)];
    return hasSignIns === undefined
      ? `${part ?? 'Dieser Computer hat keinen nutzbaren Schlüsselbund'}. Postern konnte Ihre Anmeldung deshalb nicht sicher speichern.`
      : `${part ?? 'Postern erreicht Ihren Schlüsselbund von hier aus nicht'}. Es kann die gespeicherten Anmeldungen deshalb nicht lesen.`;
  },
  KC_LOCKED: ({ file }) =>
    file === undefined
      ? 'Ihr Schlüsselbund ist gesperrt.'
      : 'Ihr Schlüsselbund ist gesperrt, oder er hat den Schlüssel zu den hier gespeicherten Anmeldungen nicht.',
  KC_DENIED: 'Postern hat keinen Zugriff auf Ihren Schlüsselbund bekommen.',
  KC_TIMEOUT:
    'Ihr Schlüsselbund hat nicht rechtzeitig geantwortet. Vielleicht wartet er darauf, dass Sie ihn entsperren.',
  KC_TOO_LARGE: 'Ihr Schlüsselbund hat einen Eintrag wegen seiner Größe abgelehnt.',
  KC_CORRUPT:
    'Postern kann eine gespeicherte Anmeldung nicht lesen: Sie wurde verändert, oder in Ihrem Schlüsselbund liegt ein anderer Schlüssel.',
  KC_WRITE_UNVERIFIED: 'Postern hat Ihre Anmeldung gespeichert, aber beim Nachlesen etwas anderes gefunden.',
  CFG_CORRUPT: (detail) => `${faultOf(detail)} Nichts wurde geändert.`,
  CFG_PART_IGNORED: (detail) =>
    `${partOf(detail)}${detail.others === undefined ? '' : ` ${formatCount(detail.others, 'weiterer Teil davon wird', 'weitere Teile davon werden')} ignoriert.`}`,
  CFG_NO_COPY: 'Es gibt keine Kopie der Einstellungen zum Wiederherstellen.',
  CERTIFICATE_FILE_INVALID: ({ file, fault }) =>
    `${file ?? 'Die Datei'} ${textFor(certificateFileFaults, fault, 'ist nicht verwendbar')}.`,
  CFG_LINK: ({ file }) =>
    `${file === undefined ? 'Eine Datei' : `„${file}“`} im Profilordner ist ein Link. Postern folgt ihm nicht.`,
  CFG_SHARED: ({ reason, folder }) => {
    const named = folder === undefined ? '' : ` „${folder}“`;
    if (reason === 'owner') return `Der Profilordner${named} gehört einem anderen Benutzer dieses Computers.`;
    if (reason === 'owner-above')
      return `Der Ordner${named} über dem Profilordner gehört einem anderen Benutzer dieses Computers.`;
    return `Andere Benutzer dieses Computers dürfen in den Ordner${named} Ihres Profils schreiben.`;
  },
  CFG_NEWER: ({ hidden = 0 }) =>
    `Ihre Einstellungen stammen von einer neueren Version von Postern. Nichts wurde geändert.${hidden === 0 ? '' : ` ${hidden} Ihrer Server können hier nicht angezeigt werden.`}`,
  CFG_DISK_FULL:
    'Der Datenträger ist voll. Ihre letzte Änderung wurde nicht gespeichert. Frühere Daten sind unversehrt.',
  CFG_READONLY: ({ reason, file }) =>
    reason === 'not-a-file'
      ? `${file === undefined ? 'Eine Datei' : `„${file}“`} im Profilordner ist keine normale Datei.`
      : `Postern kann nicht in ${file === undefined ? 'seinen Ordner' : `„${file}“`} schreiben.`,
  CFG_CONFLICT: 'Ein anderes Postern ändert dieselben Daten und ist noch nicht fertig.',
};

const fileOf = ({ file }: CatalogDetail): string =>
  file === undefined ? 'der angegebenen Datei oder dem Deskriptor' : `der Datei „${file}“`;

export const keyringErrors: GermanOf<typeof englishKeyringErrors> = {
  KEYRING_WRONG_KEY: ({ kind }) =>
    `${kind === 'file' ? 'Diese Schlüsseldatei' : 'Diese Passphrase'} entsperrt die gespeicherten Anmeldungen nicht.`,
  KEYRING_UNREADABLE:
    'Postern kann die Datei „keyring“ im Profilordner nicht lesen, die den einzigen Schlüssel zu den gespeicherten Anmeldungen hat.',
  KEY_FILE_UNSAFE: ({ file }) =>
    `Andere Benutzer können ${file === undefined ? 'die angegebene Datei oder den Deskriptor' : `die Datei „${file}“`} lesen oder ändern. Der Inhalt ist deshalb nicht geheim.`,
  KEY_FILE_MISSING: (detail) =>
    `Postern kann das Geheimnis, das die Anmeldungen entsperrt, nicht aus ${fileOf(detail)} lesen.`,
};
