import type {
  ArgumentKind,
  callErrors as englishCallErrors,
  localErrors as englishLocalErrors,
} from '../../error-catalog/call-errors.ts';
import { hostOr, httpStatus, textFor } from '../../error-catalog/catalog-entry.ts';
import type {
  apiKeyErrors as englishOfKeys,
  connectionErrors as englishConnectionErrors,
  registryErrors as englishOfRegistry,
  DescribedKind,
  WrongResponseKind,
} from '../../error-catalog/connection-errors.ts';
import type { CatalogDetail } from '../../error-detail.ts';
import { formatCount } from '../../language.ts';
import { statusSuffix, namedError, namedScopes } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';
import { faultSentence } from './network-errors.ts';

/** The server itself is broken or overloaded (RFC 9110 15.6), so the address is right. */
const isOutage = ({ status = 0 }: CatalogDetail): boolean => status >= 500;

const responseKinds: Readonly<Record<DescribedKind, string>> = {
  'web-page': ', eine Webseite',
  'broken-json': ', ungültiges JSON',
  json: ', Daten, die keine MCP-Antwort sind',
  empty: ', eine leere Antwort',
};

const wrongResponses: Readonly<Record<WrongResponseKind, string>> = {
  'no-revision': 'hat eine Sitzung ohne Protokollversion begonnen',
  'other-revision': 'hat eine Sitzung mit einer Protokollversion begonnen, die Postern nicht unterstützt',
  'several-texts': 'hat mehrere JSON-Texte in einer Antwort gesendet',
  'revision-refused': 'lehnt die Protokollversion ab, die Postern verwendet',
};

function wrongResponse({ kind, revision }: CatalogDetail): string | undefined {
  const wrong = textFor(wrongResponses, kind, undefined);
  return wrong === undefined || revision === undefined ? wrong : `${wrong}: ${revision}`;
}

const describeResponse = ({ status, kind }: CatalogDetail): string =>
  status === undefined ? '' : ` (HTTP ${status}${textFor(responseKinds, kind, '')})`;

function changedAddress(secret: 'Die Anmeldung' | 'Der API-Schlüssel', detail: CatalogDetail): string {
  const { was } = detail;
  const host = hostOr(detail, 'diesem Server');
  if (was === undefined)
    return `${secret} gehört vielleicht nicht zur jetzigen Adresse von ${host}. Postern hat nichts dorthin gesendet.`;
  return was === host
    ? `Die Einstellungsdatei wurde außerhalb von Postern geändert. ${secret} gehört zu einer anderen Adresse bei ${host}. Postern hat nichts gesendet.`
    : `Die Einstellungsdatei wurde außerhalb von Postern geändert und nennt jetzt ${host}. ${secret} gehört zu ${was}. Postern hat nichts gesendet.`;
}

export const connectionErrors: GermanOf<typeof englishConnectionErrors> = {
  SIGN_IN_REQUIRED: (detail) =>
    detail.access === 'lives'
      ? 'Diese Anmeldung hat kein Refresh-Token, Postern kann sie also nicht für Sie verlängern. Sie gilt, bis sie abläuft.'
      : `${hostOr(detail, 'Dieser Server')} verlangt, dass Sie sich anmelden.`,
  NO_SIGN_IN: (detail) => `${hostOr(detail, 'Dieser Server')} braucht keine Anmeldung und hat deshalb kein Token.`,
  SCOPE_REQUIRED: (detail) => {
    const host = hostOr(detail, 'Dieser Server');
    if (detail.scopeAnswer === 'refused')
      return `${host} braucht dafür Berechtigungen, die der Anmeldedienst nicht erteilt hat${namedScopes(detail)}.`;
    if (detail.scopeAnswer === 'granted')
      return `${host} lehnt Berechtigungen ab, die der Anmeldedienst nach eigener Angabe erteilt hat${namedScopes(detail)}.`;
    return `${host} braucht dafür mehr Berechtigungen, als Sie erteilt haben${namedScopes(detail)}.`;
  },
  TOKEN_REJECTED: (detail) =>
    `${hostOr(detail, 'Der Server')} lehnt diese Anmeldung ab, obwohl sie nicht abgelaufen ist.`,
  ACCESS_REFUSED: (detail) => `${hostOr(detail, 'Der Server')} erlaubt das Ihrem Konto nicht.`,
  MCP_FAILED: (detail) => {
    const host = hostOr(detail, 'Der Server');
    if (detail.status === 429) return `${host} hat zu viele Anfragen bekommen (HTTP 429).`;
    if (detail.status === 511) return `Ihr Netz verlangt eine Anmeldung, bevor Sie ${host} erreichen (HTTP 511).`;
    if (isOutage(detail)) return `${host} hat gerade Probleme${httpStatus(detail)}.`;
    if (detail.status === 413) return `${host} nimmt keine so große Anfrage an (HTTP 413).`;
    if (detail.status === 403 && detail.kind === 'web-page')
      return `${host} hat eine Webseite geliefert (HTTP 403). Vielleicht blockiert eine Firewall Postern.`;
    if (detail.kind === 'web-page')
      return `${host} hat eine Webseite geliefert${httpStatus(detail)}, nicht die Antwort eines MCP-Servers.`;
    const wrong = wrongResponse(detail);
    if (wrong !== undefined) return `${host} ${wrong}${httpStatus(detail)}.`;
    return `${host} antwortet nicht so, wie ein MCP-Server es soll${describeResponse(detail)}.`;
  },
  SESSION_ENDED: (detail) =>
    `${hostOr(detail, 'Der Server')} hat seine Sitzung mit Postern zweimal hintereinander beendet${statusSuffix(detail)}.`,
  OLD_TRANSPORT: (detail) =>
    `${hostOr(detail, 'Dieser Server')} hat früher den aktuellen MCP-Transport genutzt und bietet jetzt nur noch den alten (HTTP+SSE, 2024). Postern wechselt nicht zurück.`,
  ENDPOINT_REFUSED: (detail) =>
    `${hostOr(detail, 'Dieser Server')} wollte, dass Postern Nachrichten an eine fremde Adresse sendet. Postern hat nichts dorthin gesendet.`,
  REFRESH_TRANSIENT: (detail) => {
    const { status, error } = detail;
    const service = hostOr(detail, 'Der Anmeldedienst');
    if (isOutage(detail))
      return `${service} hat gerade Probleme${httpStatus(detail)}. Postern konnte Ihre Anmeldung nicht verlängern, sie bleibt aber gespeichert.`;
    if (error !== undefined && status !== undefined) {
      const code = error === 'unknown' ? ', Grund unbekannt' : `, ${error}`;
      return `${service} hat Ihre Anmeldung nicht verlängert (HTTP ${status}${code}). Sie bleibt gespeichert.`;
    }
    return `Postern konnte Ihre Anmeldung bei ${hostOr(detail, 'ihrem Anmeldedienst')} nicht verlängern${statusSuffix(detail)}. Sie bleibt gespeichert.${faultSentence(detail)}`;
  },
  REFRESH_REVOKED: (detail) =>
    `Ihre Anmeldung bei ${hostOr(detail, 'diesem Dienst')} ist abgelaufen oder wurde dort widerrufen.`,
  REFRESH_REFUSED: (detail) =>
    `${hostOr(detail, 'Der Anmeldedienst')} hat es abgelehnt, Ihre Anmeldung zu verlängern${statusSuffix(detail)}${namedError(detail)}. Sie ist wahrscheinlich abgelaufen.`,
  ADDRESS_CHANGED: (detail) => changedAddress('Die Anmeldung', detail),
  REFRESH_ISSUER_CHANGED:
    'Dieser Server verwendet jetzt einen anderen Anmeldedienst. Postern hat Ihre alte Anmeldung nicht dorthin gesendet.',
};

export const apiKeyErrors: GermanOf<typeof englishOfKeys> = {
  API_KEY_REFUSED: (detail) =>
    detail.header === undefined
      ? `${hostOr(detail, 'Der Server')} hat diesen API-Schlüssel abgelehnt oder erlaubt ihm das nicht.`
      : `${hostOr(detail, 'Der Server')} braucht eine Anmeldung und akzeptiert stattdessen den Header ${detail.header} nicht.`,
  API_KEY_MISSING: (detail) => `Postern hat den API-Schlüssel für ${hostOr(detail, 'diesen Server')} nicht mehr.`,
  API_KEY_ADDRESS_CHANGED: (detail) => changedAddress('Der API-Schlüssel', detail),
  API_KEY_INSTEAD: (detail) =>
    `${hostOr(detail, 'Dieser Server')} nutzt einen API-Schlüssel und hat deshalb kein Token.`,
  API_KEY_INVALID: 'Das ist kein gültiger Name oder Wert für den Header eines API-Schlüssels.',
};

export const registryErrors: GermanOf<typeof englishOfRegistry> = {
  REGISTRY_OFF: 'Die Suche im MCP-Verzeichnis ist ausgeschaltet.',
  REGISTRY_BUSY: (detail) => `${hostOr(detail, 'Das Verzeichnis')} hat gerade Probleme${statusSuffix(detail)}.`,
  REGISTRY_UNUSABLE: (detail) =>
    `${hostOr(detail, 'Diese Adresse')} antwortet nicht wie ein MCP-Verzeichnis${statusSuffix(detail)}.`,
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Only names that MCP 2025-11-25 allows: none of them can pass for Postern's own words. */
const toolOf = (detail: CatalogDetail): string =>
  `das Tool${/^[\w./-]{1,128}$/u.test(detail.tool ?? '') ? ` „${detail.tool}“` : ''} von ${hostOr(detail, 'diesem Server')}`;

const kindWords: Readonly<Record<ArgumentKind, string>> = {
  number: 'eine Zahl',
  integer: 'eine ganze Zahl',
  boolean: 'true oder false',
  array: 'eine Liste',
  object: 'ein Objekt',
  null: 'null',
};

export const callErrors: GermanOf<typeof englishCallErrors> = {
  SERVER_ERROR: (detail) => `${hostOr(detail, 'Der Server')} hat einen Fehler gemeldet.`,
  METHOD_UNSUPPORTED: (detail) => `${hostOr(detail, 'Der Server')} unterstützt das nicht.`,
  INPUT_REFUSED: (detail) => `${hostOr(detail, 'Der Server')} nimmt diese Eingabe nicht an.`,
  RESOURCE_NOT_FOUND: (detail) => `${hostOr(detail, 'Der Server')} hat keine Ressource mit dieser Adresse.`,
  ARGUMENTS_UNFIT: ({ members = [], field, kind }) => {
    const names = members.map((name) => `„${name}“`).join(', ');
    if (names !== '') return `Dieses Tool hat kein Feld namens ${names}. Nichts wurde gesendet.`;
    return field === undefined
      ? 'Dieses Tool nimmt diese Eingabe nicht an. Nichts wurde gesendet.'
      : `„${field}“ ist Text, aber dieses Tool braucht dort ${textFor(kindWords, kind, 'etwas anderes')}. Nichts wurde gesendet.`;
  },
  PROMPT_NOT_FOUND: (detail) => `${hostOr(detail, 'Der Server')} hat keinen Prompt mit diesem Namen.`,
  TOOL_NOT_FOUND: ({ name }) => `Dieser Server hat kein Tool ${name === undefined ? 'mit diesem Namen' : `„${name}“`}.`,
  TOOL_FAILED: (detail) => `${capital(toolOf(detail))} hat einen Fehler gemeldet.`,
  RESULT_TOO_LARGE: (detail) =>
    detail.tool === undefined
      ? `${hostOr(detail, 'Der Server')} hat eine Antwort gesendet, die für Postern zu groß ist.`
      : `${capital(toolOf(detail))} hat ein Ergebnis geliefert, das für Postern zu groß ist. Das Tool ist vielleicht trotzdem gelaufen.`,
  CALL_INTERRUPTED: (detail) =>
    `Sie haben nicht länger auf ${toolOf(detail)} gewartet. Das Tool ist vielleicht trotzdem gelaufen.`,
  CALL_TIMED_OUT: (detail) =>
    `${capital(toolOf(detail))} hat ${detail.seconds === undefined ? 'nicht rechtzeitig' : `${formatCount(detail.seconds, 'Sekunde', 'Sekunden')} lang nicht`} geantwortet. Das Tool ist vielleicht trotzdem gelaufen.`,
  TASK_CANCELLED: (detail) => `${capital(toolOf(detail))} wurde dort abgebrochen, bevor es fertig war.`,
  NO_SUBSCRIPTIONS: (detail) => `${hostOr(detail, 'Der Server')} meldet nicht, wenn sich diese Ressource ändert.`,
};

const commandOr = (detail: CatalogDetail): string => {
  const command = detail.command;
  return command === undefined ? 'Der Befehl' : `„${command}“`;
};

function exitSuffix({ code, signal }: CatalogDetail): string {
  if (signal !== undefined) return ` (${signal})`;
  return code === undefined ? '' : ` (Code ${code})`;
}

export const localErrors: GermanOf<typeof englishLocalErrors> = {
  LOCAL_CONSENT: 'Sie haben diesen Befehl noch nicht erlaubt, oder er wurde seitdem geändert.',
  LOCAL_TO_FILL_IN: (detail) =>
    detail.part === undefined
      ? `Der Wert von ${detail.variables?.join(', ') ?? 'einer Variablen'} ist nur ein Platzhalter.`
      : `Der Befehl enthält einen Platzhalter: ${detail.part}.`,
  LOCAL_DRAFT_GONE: 'Postern hat Ihre Eingaben für diesen Befehl nicht mehr.',
  LOCAL_NOT_FOUND: (detail) => {
    if (detail.folder !== undefined) return `Den Ordner „${detail.folder}“ gibt es nicht.`;
    if (detail.part !== undefined) return `${commandOr(detail)} kann kein Argument mit einem Zeilenumbruch annehmen.`;
    return detail.denied === undefined
      ? `${commandOr(detail)} wurde auf diesem Computer nicht gefunden.`
      : `${commandOr(detail)} ist nicht ausführbar.`;
  },
  LOCAL_EXITED: (detail) => {
    const { times } = detail;
    const often = times === undefined ? '' : ` ${times}-mal in fünf Minuten`;
    const stopped = times === undefined ? '' : ' Postern startet ihn nicht mehr neu.';
    return `${commandOr(detail)} hat sich${often} beendet${exitSuffix(detail)}.${stopped}`;
  },
  LOCAL_SILENT: (detail) => {
    const { variables } = detail;
    const silent = `${commandOr(detail)} läuft, antwortet aber nicht.`;
    return variables === undefined
      ? silent
      : `${silent} Er lädt Code herunter, bekommt aber Ihre Netzeinstellungen nicht: ${variables.join(', ')}.`;
  },
  LOCAL_ASKS: (detail) => `${commandOr(detail)} stellt vor dem Start eine Frage, die Postern nicht zeigen kann.`,
  LOCAL_NOISE: (detail) =>
    `${commandOr(detail)} hat Text zwischen seine MCP-Nachrichten geschrieben. Postern hat ihn gestoppt.`,
  LOCAL_INVALID: (detail) =>
    `${commandOr(detail)} ${wrongResponse(detail) ?? 'antwortet nicht so, wie ein MCP-Server es soll'}.`,
  LOCAL_STOPPED: 'Dieser Server wurde in Postern gestoppt.',
};
