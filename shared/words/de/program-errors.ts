import { mostGroups, mostPlaced } from '../../bounds.ts';
import { mostCollections, mostMembers } from '../../entry-name.ts';
import type { appErrors as englishOfApp } from '../../error-catalogue/app-errors.ts';
import type {
  gatewayErrors as englishOfGateway,
  programErrors as englishProgramErrors,
} from '../../error-catalogue/program-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import { dayOf } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';

const programOf = (detail: CatalogueDetail): string => detail.program ?? 'Das Programm';

function fileOf(detail: CatalogueDetail): string {
  const file = detail.file;
  return file === undefined ? 'Die Datei des Programms' : `„${file.length > 160 ? `…${file.slice(-159)}` : file}“`;
}

/** Why a file is neither read nor written. */
function whyDenied({ reason }: CatalogueDetail): string {
  switch (reason) {
    case 'outside':
      return 'Sie führt aus Ihrem persönlichen Ordner hinaus';
    case 'not-a-file':
      return 'Es ist keine normale Datei';
    case 'large':
      return 'Sie ist größer, als so eine Datei je ist';
    default:
      return 'Dieser Computer erlaubt es nicht';
  }
}

/** Why a change cannot be taken back. */
function whyStale(detail: CatalogueDetail): string {
  const entry = detail.entry;
  const what =
    entry === undefined ? `Was diese Änderung geschrieben hat (${fileOf(detail)}),` : `„${entry}“ in ${fileOf(detail)}`;
  switch (detail.reason) {
    case 'undone':
      return 'Diese Änderung wurde schon rückgängig gemacht.';
    case 'no-copy':
      return `${fileOf(detail)}: Die aufgehobene Kopie fehlt, oder jemand hat sie geändert.`;
    case 'changed':
      return `${what} wurde seitdem geändert.`;
    case 'gone':
      return `${what} gibt es nicht mehr.`;
    default:
      return 'Postern hebt diese Änderung nicht mehr auf.';
  }
}

export const programErrors: GermanOf<typeof englishProgramErrors> = {
  APP_TRANSLOCATED:
    'macOS führt dieses Postern von einem vorübergehenden Ort aus, an dem kein Programm es wiederfindet.',
  PROGRAM_NOT_FOUND: (detail) =>
    detail.unknown === undefined
      ? `${programOf(detail)} ist hier nicht installiert.`
      : 'Postern kennt kein Programm dieses Namens.',
  PROGRAM_NAME_TAKEN: (detail) => `${programOf(detail)} hat schon einen Eintrag mit diesem Namen.`,
  PROGRAM_FILE_DENIED: (detail) => `${fileOf(detail)} bleibt unangetastet: ${whyDenied(detail)}.`,
  PROGRAM_FILE_DAMAGED: (detail) => `${fileOf(detail)} ist kein gültiges ${detail.format ?? 'Dokument ihrer Art'}.`,
  PROGRAM_FILE_LAYOUT: (detail) =>
    detail.entry === undefined
      ? `${fileOf(detail)} lässt sich nicht sicher ändern.`
      : `„${detail.entry}“ bleibt, wie es ist: Postern kann ${detail.members?.join(', ')} nicht übernehmen.`,
  PROGRAM_FILE_CHANGED: (detail) => `${fileOf(detail)} wurde geändert, seit sie angesehen wurde.`,
  PROGRAM_COMMAND_FAILED: (detail) => `${programOf(detail)} hat es nicht angenommen.`,
  UNDO_TOO_LATE: () => 'Das lässt sich nicht mehr rückgängig machen.',
  UNDO_STALE: (detail) => `${whyStale(detail)} Nichts wurde rückgängig gemacht.`,
};

function holderOf({ holder, process }: CatalogueDetail): string {
  const which = process === undefined ? '' : ` (Prozess ${process})`;
  if (holder === 'window') return `Das Postern mit dem Fenster${which}`;
  return holder === 'serve' ? `Ein Postern ohne Fenster${which}` : 'Ein anderes Postern';
}

const toolOr = ({ tool = '' }: CatalogueDetail): string =>
  /^[\w./-]{1,128}$/u.test(tool) ? `das Tool „${tool}“` : 'dieses Tool';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const gatewayErrors: GermanOf<typeof englishOfGateway> = {
  GATEWAY_HELD: (detail) => `${holderOf(detail)} bedient die Programme dieses Profils.`,
  GATEWAY_PORT: ({ port, program, process }) =>
    `${port === undefined ? 'Der Port von Postern' : `Port ${port}`} ist von ${program === undefined ? 'einem anderen Programm' : `„${program}“`}${process === undefined ? '' : ` (Prozess ${process})`} belegt.`,
  GATEWAY_BUSY: 'Zu viele Programme nutzen Postern gleichzeitig.',
  COMMAND_LOST:
    'Postern wurde beendet, während es diesen Befehl ausführte. Vielleicht hat er trotzdem getan, was er sollte.',
  GATEWAY_PAUSED: 'Sie haben alle Programme in Postern angehalten.',
  PROGRAM_PAUSED: (detail) => `${programOf(detail)} ist in Postern angehalten.`,
  PIPE_OUTDATED: 'Dieser Eintrag gehört zu einer anderen Version von Postern.',
  PROGRAM_UNKNOWN: (detail) =>
    detail.any === undefined
      ? `${programOf(detail)} darf ${detail.name ?? 'diesen Server'} noch nicht nutzen.`
      : `${programOf(detail)} darf noch keinen Server nutzen.`,
  PROGRAM_REVOKED: (detail) => `${programOf(detail)} darf Postern nicht mehr nutzen.`,
  PROGRAM_SECRET_LOST: (detail) =>
    `Das Geheimnis in den Einträgen ist Postern verloren gegangen: ${detail.program ?? 'dieses Programm'}.`,
  ERA_UNSUPPORTED: 'Dieser Server spricht ein neueres MCP als dieses Programm.',
  TOOL_DENIED: (detail) => {
    const program = detail.program;
    return `Sie haben ${toolOr(detail)}${program === undefined ? '' : ` für ${program}`} abgeschaltet.`;
  },
  OFFER_DENIED: (detail) => {
    const program = detail.program;
    const method = detail.method;
    if (method !== undefined)
      return `Der Zugriff auf diesen Server ist${program === undefined ? '' : ` für ${program}`} eingeschränkt, und keine Berechtigung umfasst „${method}“.`;
    return `Sie haben Ressourcen oder Prompts dieses Servers${program === undefined ? '' : ` für ${program}`} abgeschaltet.`;
  },
  TOOL_CHANGED: (detail) =>
    `${capital(toolOr(detail))} ist neu oder hat sich geändert und wird zurückgehalten, bis Sie es angesehen haben.`,
  MEMBER_GONE: (detail) => `${detail.name ?? 'Dieser Server'} gehört nicht mehr zu dieser Sammlung.`,
  APPROVAL_REFUSED: ({ tool }) => `Sie haben diesen Aufruf${tool === undefined ? '' : ` von „${tool}“`} abgelehnt.`,
  APPROVAL_TIMEOUT: ({ tool }) =>
    `Postern hat gefragt, ob dieser Aufruf${tool === undefined ? '' : ` von „${tool}“`} erlaubt ist, und 45 Sekunden lang keine Antwort bekommen.`,
  APPROVAL_IMPOSSIBLE: (detail) =>
    `${capital(toolOr(detail))} muss jedes Mal im Fenster von Postern erlaubt werden, und das war nicht offen.`,
  SERVER_OFFLINE: 'Der Server ist nicht erreichbar.',
  SESSION_LOST: 'Die Verbindung endete, bevor die Antwort kam.',
};

export const appErrors: GermanOf<typeof englishOfApp> = {
  IPC_SENDER: 'Eine Seite, die das nicht darf, wollte Postern benutzen. Sie wurde abgewiesen.',
  IPC_SCHEMA: 'Ein Fenster von Postern hat etwas gesendet, das nicht verstanden wird.',
  NAV_BLOCKED:
    'Die Anmeldeseite wollte zu einer Adresse führen, die kein sicherer Weblink ist. Sie wurde nicht geöffnet.',
  UPD_SIGNATURE: 'Das Update konnte nicht überprüft werden und wurde nicht installiert.',
  UPD_DOWNGRADE: 'Das Update ist älter als diese Version und wurde nicht installiert.',
  UPD_FAILED: 'Die Suche nach einer neueren Version oder das Herunterladen ist fehlgeschlagen.',
  CLOCK_WRONG: ({ moment }) =>
    `Die Uhr dieses Computers geht falsch${moment === undefined ? '' : `: Sie zeigt den ${dayOf(moment)}`}.`,
  NOT_FOUND: ({ count = 0, collection, reference, candidates }) =>
    count > 1
      ? `${count} Server passen dazu${namedCandidates(count, candidates)}.`
      : collection !== undefined
        ? `Die Sammlung „${collection}“ gibt es nicht mehr.`
        : `Es gibt keinen verbundenen Server mit ${reference === undefined ? 'dieser ID oder diesem Namen' : `der ID oder dem Namen „${reference}“`}.`,
  NAME_TAKEN: ({ name, place, collection }) =>
    collection !== undefined
      ? `Eine andere Sammlung heißt „${collection}“.`
      : name === undefined
        ? 'Dieser Name gehört zu einer anderen Verbindung.'
        : `Der Name „${name}“ gehört zu einer anderen Verbindung (${place ?? 'eines anderen Servers'}).`,
  NAME_INVALID: 'Ein Name braucht etwas Sichtbares, beginnt weder mit „-“ noch mit „+“ und hat höchstens 80 Zeichen.',
  LIST_UNREADABLE: ({ ofPrograms, unread }) =>
    unread !== undefined
      ? `${unread === 1 ? 'Ein Eintrag' : `${unread} Einträge`} dieser Liste ${unread === 1 ? 'konnte' : 'konnten'} nicht oder nicht ganz gelesen werden. Die anderen wurden importiert.`
      : ofPrograms === undefined
        ? 'Das ist keine Liste von Servern, die Postern lesen kann.'
        : 'Das ist eine Serverliste für KI-Programme, keine, die Postern exportiert hat.',
  COLLECTIONS_FULL: `Mehr als ${mostCollections} Sammlungen mit je ${mostMembers} Servern gehen nicht.`,
  SIDE_BAR_FULL: () =>
    `Die Seitenleiste hat dafür keinen Platz: Mehr als ${mostGroups} Gruppen, oder ${mostPlaced.toLocaleString('de')} Server angeheftet oder in einer Gruppe, gehen nicht. Nichts wurde geändert.`,
  OUTPUT_FAILED: ({ file, reason }) =>
    `Was der Server geantwortet hat, konnte nicht nach ${file ?? 'dort'} geschrieben werden${reason === undefined ? '' : ` (${reason})`}. Ein Tool hat vielleicht trotzdem getan, was es sollte.`,
  USAGE: 'Das wird nicht verstanden.',
  INTERNAL: 'In Postern ist etwas schiefgegangen.',
};

function namedCandidates(count: number, candidates: readonly string[] = []): string {
  const more = count - candidates.length;
  return candidates.length === 0 ? '' : `: ${[...candidates, ...(more > 0 ? [`${more} weitere`] : [])].join(', ')}`;
}
