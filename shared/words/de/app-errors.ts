import { maxGroups, maxPlacedServers } from '../../bounds.ts';
import { maxCollections, maxCollectionMembers } from '../../entry-name.ts';
import type { posternErrors as englishOfPostern } from '../../error-catalog/postern-errors.ts';
import type {
  gatewayErrors as englishOfGateway,
  appErrors as englishAppErrors,
} from '../../error-catalog/app-errors.ts';
import type { CatalogDetail } from '../../error-detail.ts';
import { dayOf } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';

const appOf = (detail: CatalogDetail): string => detail.app ?? 'Die App';

function fileOf({ file }: CatalogDetail, otherwise = 'Die Datei der App'): string {
  return file === undefined ? otherwise : `„${file.length > 160 ? `…${file.slice(-159)}` : file}“`;
}

/** Why a file is neither read nor written. */
function whyDenied({ reason }: CatalogDetail): string {
  switch (reason) {
    case 'outside':
      return 'Sie liegt außerhalb Ihres persönlichen Ordners';
    case 'not-a-file':
      return 'Es ist keine normale Datei';
    case 'large':
      return 'Sie ist zu groß';
    default:
      return 'Das System erlaubt es nicht';
  }
}

/** Why a change cannot be undone. */
function whyStale(detail: CatalogDetail): string {
  const entry = detail.entry;
  const what =
    entry === undefined
      ? `Der geänderte Teil von ${fileOf(detail, 'der Datei der App')}`
      : `„${entry}“ in ${fileOf(detail, 'der Datei der App')}`;
  switch (detail.reason) {
    case 'undone':
      return 'Diese Änderung wurde schon rückgängig gemacht.';
    case 'no-copy':
      return `Die gespeicherte Kopie von ${fileOf(detail, 'der Datei der App')} fehlt oder wurde geändert.`;
    case 'changed':
      return `${what} wurde seitdem geändert.`;
    case 'gone':
      return `${what} gibt es nicht mehr.`;
    default:
      return 'Postern hat zu dieser Änderung keine Aufzeichnung mehr.';
  }
}

export const appErrors: GermanOf<typeof englishAppErrors> = {
  APP_TRANSLOCATED: 'macOS startet Postern aus einem temporären Ordner, in dem KI-Apps es nicht finden.',
  APP_NOT_FOUND: (detail) =>
    detail.unknown === undefined
      ? `${appOf(detail)} ist auf diesem Computer nicht installiert.`
      : 'Postern kennt keine App mit diesem Namen.',
  APP_NAME_TAKEN: (detail) => `${appOf(detail)} hat schon einen Eintrag mit diesem Namen.`,
  APP_FILE_DENIED: (detail) =>
    `Postern hat ${fileOf(detail, 'die Datei der App')} nicht angefasst: ${whyDenied(detail)}.`,
  APP_FILE_DAMAGED: (detail) =>
    `${fileOf(detail)} ist ${detail.format === undefined ? 'ungültig' : `kein gültiges ${detail.format}`}.`,
  APP_FILE_LAYOUT: (detail) =>
    detail.entry === undefined
      ? `Postern kann ${fileOf(detail, 'die Datei der App')} nicht sicher ändern.`
      : `„${detail.entry}“ wurde nicht geändert: Postern kann ${detail.members?.join(', ')} nicht übernehmen.`,
  APP_FILE_CHANGED: (detail) => `${fileOf(detail)} wurde geändert, seit Sie die Änderungen geprüft haben.`,
  APP_COMMAND_FAILED: (detail) => `${appOf(detail)} hat die Änderung nicht angenommen.`,
  UNDO_TOO_LATE: () => 'Das lässt sich nicht mehr rückgängig machen.',
  UNDO_STALE: (detail) => `${whyStale(detail)} Nichts wurde rückgängig gemacht.`,
};

function holderOf({ holder, process }: CatalogDetail): string {
  const which = process === undefined ? '' : ` (Prozess ${process})`;
  if (holder === 'window') return `Das Fenster von Postern${which}`;
  return holder === 'serve' ? `Ein Postern ohne Fenster${which}` : 'Ein anderes Postern';
}

const toolOr = ({ tool = '' }: CatalogDetail): string =>
  /^[\w./-]{1,128}$/u.test(tool) ? `das Tool „${tool}“` : 'dieses Tool';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const gatewayErrors: GermanOf<typeof englishOfGateway> = {
  GATEWAY_HELD: (detail) => `${holderOf(detail)} bedient schon die Apps dieses Profils.`,
  GATEWAY_PORT: ({ port, app, process }) =>
    `${port === undefined ? 'Der Port von Postern' : `Port ${port}`} ist von ${app === undefined ? 'einem anderen Programm' : `„${app}“`}${process === undefined ? '' : ` (Prozess ${process})`} belegt.`,
  GATEWAY_BUSY: 'Zu viele Apps nutzen Postern gleichzeitig.',
  COMMAND_LOST:
    'Postern wurde beendet, während es diesen Befehl ausführte. Vielleicht hat der Befehl trotzdem funktioniert.',
  GATEWAY_PAUSED: 'Sie haben alle Apps in Postern angehalten.',
  APP_PAUSED: (detail) => `${appOf(detail)} ist in Postern angehalten.`,
  PIPE_OUTDATED: 'Diese App ist mit einer anderen Version von Postern verbunden.',
  APP_UNKNOWN: (detail) =>
    detail.any === undefined
      ? `${appOf(detail)} darf ${detail.name ?? 'diesen Server'} nicht nutzen.`
      : `${appOf(detail)} darf keinen Server nutzen.`,
  APP_REVOKED: (detail) => `${appOf(detail)} darf Postern nicht mehr nutzen.`,
  APP_SECRET_LOST: (detail) =>
    `Postern hat das Geheimnis nicht mehr, das die Einträge von ${detail.app ?? 'dieser App'} verwenden.`,
  REVISION_UNSUPPORTED: 'Dieser Server braucht eine neuere MCP-Version, als diese App unterstützt.',
  TOOL_DENIED: (detail) => {
    const app = detail.app;
    return `Sie haben ${toolOr(detail)}${app === undefined ? '' : ` für ${app}`} ausgeschaltet.`;
  },
  CAPABILITY_DENIED: (detail) => {
    const app = detail.app;
    const method = detail.method;
    if (method !== undefined)
      return `Die Berechtigungen${app === undefined ? '' : ` von ${app}`} für diesen Server umfassen „${method}“ nicht.`;
    return `Sie haben Ressourcen oder Prompts dieses Servers${app === undefined ? '' : ` für ${app}`} ausgeschaltet.`;
  },
  TOOL_CHANGED: (detail) =>
    `${capital(toolOr(detail))} ist neu oder hat sich geändert. Es ist gesperrt, bis Sie es prüfen.`,
  MEMBER_GONE: (detail) => `${detail.name ?? 'Dieser Server'} gehört nicht mehr zu dieser Sammlung.`,
  APPROVAL_REFUSED: ({ tool }) => `Sie haben diesen Aufruf${tool === undefined ? '' : ` von „${tool}“`} abgelehnt.`,
  APPROVAL_TIMEOUT: ({ tool }) =>
    `Sie haben nicht innerhalb von 45 Sekunden geantwortet, ob dieser Aufruf${tool === undefined ? '' : ` von „${tool}“`} erlaubt ist.`,
  APPROVAL_IMPOSSIBLE: (detail) =>
    `${capital(toolOr(detail))} braucht für jeden Aufruf Ihre Erlaubnis in Postern, aber das Fenster war nicht offen.`,
  SERVER_OFFLINE: 'Postern erreicht den Server nicht.',
  SESSION_LOST: 'Die Verbindung endete, bevor die Antwort kam.',
};

export const posternErrors: GermanOf<typeof englishOfPostern> = {
  IPC_SENDER: 'Postern hat eine Anfrage von einer nicht vertrauenswürdigen Seite blockiert.',
  IPC_SCHEMA: 'Ein Fenster von Postern hat eine ungültige Anfrage gesendet.',
  NAV_BLOCKED:
    'Die Anmeldeseite wollte eine Adresse öffnen, die kein sicherer Weblink ist. Postern hat sie nicht geöffnet.',
  UPD_SIGNATURE: 'Postern konnte das Update nicht überprüfen und hat es nicht installiert.',
  UPD_DOWNGRADE: 'Das Update ist älter als diese Version. Postern hat es nicht installiert.',
  UPD_FAILED: 'Postern konnte nicht nach einer neuen Version suchen oder sie nicht herunterladen.',
  CLOCK_WRONG: ({ moment }) =>
    `Die Uhr dieses Computers geht offenbar falsch${moment === undefined ? '' : `: Sie zeigt den ${dayOf(moment)}`}.`,
  NOT_FOUND: ({ count = 0, collection, reference, candidates }) =>
    count > 1
      ? `${count} Server passen dazu${namedCandidates(count, candidates)}.`
      : collection !== undefined
        ? `Die Sammlung „${collection}“ gibt es nicht mehr.`
        : `Kein verbundener Server hat ${reference === undefined ? 'diese ID oder diesen Namen' : `die ID oder den Namen „${reference}“`}.`,
  NAME_TAKEN: ({ name, place, collection }) =>
    collection !== undefined
      ? `Eine andere Sammlung heißt schon „${collection}“.`
      : name === undefined
        ? 'Ein anderer Server hat diesen Namen schon.'
        : `Ein anderer Server${place === undefined ? '' : ` (${place})`} heißt schon „${name}“.`,
  NAME_INVALID:
    'Ein Name muss ein sichtbares Zeichen enthalten, darf höchstens 80 Zeichen lang sein und nicht mit „-“ oder „+“ beginnen.',
  LIST_UNREADABLE: ({ ofApps, unreadable }) =>
    unreadable !== undefined
      ? `Postern konnte ${unreadable === 1 ? 'einen Eintrag' : `${unreadable} Einträge`} dieser Liste nicht ganz lesen. Die anderen hat es importiert.`
      : ofApps === undefined
        ? 'Postern kann diese Serverliste nicht lesen.'
        : 'Das ist die Serverliste einer KI-App, keine aus Postern exportierte.',
  COLLECTIONS_FULL: `Sie können bis zu ${maxCollections} Sammlungen mit je bis zu ${maxCollectionMembers} Servern haben.`,
  SIDE_BAR_FULL: () =>
    `Die Seitenleiste ist voll. Sie fasst bis zu ${maxGroups} Gruppen und bis zu ${maxPlacedServers.toLocaleString('de')} angeheftete Server oder Server in einer Gruppe. Nichts wurde geändert.`,
  OUTPUT_FAILED: ({ file, reason }) =>
    `Postern hat das Ergebnis bekommen, konnte es aber nicht in ${file ?? 'die Datei'} schreiben${reason === undefined ? '' : ` (${reason})`}.`,
  USAGE: 'Postern versteht diesen Befehl nicht.',
  INTERNAL: 'In Postern ist etwas schiefgegangen.',
};

function namedCandidates(count: number, candidates: readonly string[] = []): string {
  const more = count - candidates.length;
  return candidates.length === 0 ? '' : `: ${[...candidates, ...(more > 0 ? [`${more} weitere`] : [])].join(', ')}`;
}
