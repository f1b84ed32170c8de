import { sayOf } from '../../error-catalogue/catalogue-entry.ts';
import type {
  CertificateFileFault,
  keyringErrors as englishKeyringErrors,
  storageErrors as englishStorageErrors,
} from '../../error-catalogue/storage-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import { counted } from '../../language.ts';
import type { GermanOf } from './german-entry.ts';

const placeOf = ({ line, column }: CatalogueDetail): string =>
  line === undefined || column === undefined ? 'irgendwo' : `in Zeile ${line}, Spalte ${column}`;

/** Why nothing of the settings file can be used. */
function faultOf(detail: CatalogueDetail): string {
  const at = placeOf(detail);
  switch (detail.reason) {
    case 'shape':
      return `„config.json“ ist nicht verwendbar: Was ${at} steht, gehört dort nicht hin.`;
    case 'empty':
      return '„config.json“ ist leer.';
    case 'large':
      return '„config.json“ ist zu groß für eine Einstellungsdatei.';
    case 'missing':
      return '„config.json“ fehlt im Profilordner; darin standen Server.';
    case 'no-list':
      return 'Die Liste der Server („integrations“) fehlt in „config.json“.';
    default:
      return `„config.json“ ist nicht lesbar: ${at} ist kein gültiges JSON.`;
  }
}

function partOf(detail: CatalogueDetail): string {
  const { part, name = 'ohne Namen' } = detail;
  const at = placeOf(detail);
  switch (part) {
    case 'server':
      return `Der Server „${name}“ in „config.json“ ist weggelassen: Etwas ${at} passt nicht.`;
    case 'program':
      return `Das Programm „${name}“ in „config.json“ ist weggelassen: Etwas ${at} passt nicht.`;
    case 'collection':
      return `Die Sammlung „${name}“ in „config.json“ ist weggelassen: Etwas ${at} passt nicht.`;
    case 'setting':
      return `Die Einstellung „${name}“ in „config.json“ hat keine Wirkung: Etwas ${at} passt nicht.`;
    default:
      return `„${name}“ in „config.json“ (${at}) sagt Postern nichts, deshalb wird davon nichts verwendet.`;
  }
}

const certificateFileFaults: Readonly<Record<CertificateFileFault, string>> = {
  missing: 'gibt es nicht',
  denied: 'lässt sich nicht lesen',
  empty: 'enthält kein Zertifikat im PEM-Format',
};

/** What a keychain cannot be used without. */
const missingParts: Readonly<Record<string, string>> = {
  module: 'Der Teil von Postern, der mit dem Schlüsselbund spricht (keytar), ist nicht installiert',
  build: 'Der Teil von Postern, der mit dem Schlüsselbund spricht (keytar), wurde nicht für diesen Computer gebaut',
  libsecret: 'Die Systembibliothek, die mit dem Schlüsselbund spricht (libsecret), ist nicht installiert',
};

export const storageErrors: GermanOf<typeof englishStorageErrors> = {
  KC_UNAVAILABLE: ({ from, to, missing, kept }) => {
    if (from !== undefined)
      return `Ihre Anmeldungen wurden mit einem anderen Schlüsselbund verschlüsselt (${from}); dieser Computer verwendet ${to}.`;
    const part = missingParts[String(missing)];
    return kept === undefined
      ? `${part ?? 'Dieser Computer hat keinen nutzbaren Schlüsselbund'}, deshalb konnte Ihre Anmeldung nicht sicher gespeichert werden.`
      : `${part ?? 'Ihr Schlüsselbund ist von hier nicht erreichbar'}, deshalb sind die gespeicherten Anmeldungen nicht lesbar.`;
  },
  KC_LOCKED: ({ file }) =>
    file === undefined
      ? 'Ihr Schlüsselbund ist gesperrt.'
      : 'Ihr Schlüsselbund ist gesperrt, oder er enthält den Schlüssel zu den hier gespeicherten Anmeldungen nicht.',
  KC_DENIED: 'Der Zugriff auf Ihren Schlüsselbund wurde verweigert.',
  KC_TIMEOUT:
    'Ihr Schlüsselbund hat nicht rechtzeitig geantwortet. Vielleicht wartet er darauf, dass Sie ihn entsperren.',
  KC_TOO_LARGE: 'Ihr Schlüsselbund hat einen Eintrag wegen seiner Größe abgelehnt.',
  KC_CORRUPT:
    'Eine gespeicherte Anmeldung ist nicht lesbar: Sie wurde verändert, oder in Ihrem Schlüsselbund liegt ein anderer Schlüssel.',
  KC_WRITE_UNVERIFIED: 'Ihre Anmeldung wurde gespeichert, aber beim Lesen kam etwas anderes zurück.',
  CFG_CORRUPT: (detail) => `${faultOf(detail)} Nichts wurde geändert.`,
  CFG_PART_UNREAD: (detail) =>
    `${partOf(detail)}${detail.others === undefined ? '' : ` ${counted(detail.others, 'weiterer Teil davon bleibt', 'weitere Teile davon bleiben')} unangetastet.`}`,
  CFG_NO_COPY: 'Es gibt keine Kopie der Einstellungen, die sich wiederherstellen ließe.',
  CERTIFICATE_FILE_INVALID: ({ file, fault }) =>
    `${file ?? 'Die Datei'} ${sayOf(certificateFileFaults, fault, 'ist nicht verwendbar')}.`,
  CFG_LINK: ({ file }) =>
    `${file === undefined ? 'Eine Datei' : `„${file}“`} im Profilordner ist ein Link. Postern liest und schreibt nicht, worauf er zeigt.`,
  CFG_SHARED: ({ reason, folder }) => {
    const named = folder === undefined ? '' : ` „${folder}“`;
    if (reason === 'owner') return `Der Profilordner${named} gehört einem anderen Benutzer dieses Computers.`;
    if (reason === 'owner-above')
      return `Der Weg zum Profilordner führt durch${named || ' einen Ordner'}, der einem anderen Benutzer dieses Computers gehört.`;
    return `Andere Benutzer dieses Computers dürfen in den Ordner${named} schreiben, in dem das Profil liegt.`;
  },
  CFG_NEWER: ({ hidden = 0 }) =>
    `Ihre Einstellungen stammen von einer neueren Version von Postern. Nichts wurde geändert.${hidden === 0 ? '' : ` ${hidden} Ihrer Server können hier nicht angezeigt werden.`}`,
  CFG_DISK_FULL:
    'Der Datenträger ist voll. Die letzte Änderung wurde nicht gespeichert; was vorher da war, ist unversehrt.',
  CFG_READONLY: ({ reason, file }) =>
    reason === 'not-a-file'
      ? `${file === undefined ? 'Eine Datei' : `„${file}“`} im Profilordner ist keine normale Datei.`
      : `Postern darf nicht in ${file === undefined ? 'seinen Ordner' : `„${file}“`} schreiben.`,
  CFG_CONFLICT: 'Ein anderes Postern ändert dieselben Daten und wird nicht fertig.',
};

const fileOf = ({ file }: CatalogueDetail): string =>
  file === undefined ? 'diesem Deskriptor' : `der Datei „${file}“`;

export const keyringErrors: GermanOf<typeof englishKeyringErrors> = {
  KEYRING_WRONG_KEY: ({ kind }) =>
    `${kind === 'file' ? 'Diese Schlüsseldatei' : 'Diese Passphrase'} öffnet die hier gespeicherten Anmeldungen nicht.`,
  KEYRING_UNREADABLE:
    'Die Datei „keyring“ im Profilordner ist nicht lesbar, und nur sie hat den Schlüssel zu den Anmeldungen dort.',
  KEY_FILE_UNSAFE: ({ file }) =>
    `Andere dürfen ${file === undefined ? 'diesen Deskriptor' : `die Datei „${file}“`} lesen oder ändern; was darin steht, ist kein Geheimnis.`,
  KEY_FILE_MISSING: (detail) =>
    `Das Geheimnis, das die Anmeldungen hier öffnet, lässt sich aus ${fileOf(detail)} nicht lesen.`,
};
