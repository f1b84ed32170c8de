import type {
  gatewayErrors as englishOfGateway,
  programErrors as englishProgramErrors,
} from '../../error-catalogue/program-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
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
