import type {
  ArgumentKind,
  callErrors as englishCallErrors,
  localErrors as englishLocalErrors,
} from '../../error-catalogue/call-errors.ts';
import { hostOr, httpStatus, sayOf } from '../../error-catalogue/catalogue-entry.ts';
import type {
  apiKeyErrors as englishOfKeys,
  connectionErrors as englishConnectionErrors,
  registryErrors as englishOfRegistry,
  SpokenKind,
  WrongAnswerKind,
} from '../../error-catalogue/connection-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import { counted } from '../../language.ts';
import { answered, namedError, namedScopes } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';
import { faultSentence } from './network-errors.ts';

/** The server itself is broken or overloaded (RFC 9110 15.6): no wrong address. */
const isOutage = ({ status = 0 }: CatalogueDetail): boolean => status >= 500;

const answerKinds: Readonly<Record<SpokenKind, string>> = {
  'web-page': ' mit einer Webseite',
  'broken-json': ' mit unlesbarem JSON',
  json: ' mit Daten, die keine Antwort von MCP sind',
  empty: ' ohne Inhalt',
};

const wrongAnswers: Readonly<Record<WrongAnswerKind, string>> = {
  'no-revision': 'hat eine Sitzung begonnen, ohne seine Protokollversion zu nennen',
  'other-revision': 'hat eine Sitzung mit einer Protokollversion begonnen, die Postern nicht verwenden kann',
  'several-texts': 'hat mit mehreren JSON-Texten geantwortet, wo einer hingehört',
  'revision-refused': 'lehnt die Protokollversion ab, die Postern nennt',
};

export function wrongAnswer({ kind, revision }: CatalogueDetail): string | undefined {
  const wrong = sayOf(wrongAnswers, kind, undefined);
  return wrong === undefined || revision === undefined ? wrong : `${wrong}: ${revision}`;
}

const describeAnswer = ({ status, kind }: CatalogueDetail): string =>
  status === undefined ? '' : ` (Antwort: ${status}${sayOf(answerKinds, kind, '')})`;

function changedAddress(secret: 'Die Anmeldung' | 'Der API-Schlüssel', detail: CatalogueDetail): string {
  const { was } = detail;
  const host = hostOr(detail, 'diesen Server');
  if (was === undefined)
    return `${secret} ist nicht nachweislich für ${host} unter der jetzigen Adresse und wurde nicht dorthin gesendet.`;
  return was === host
    ? `${secret} ist für eine andere Adresse bei ${host}: Die Einstellungsdatei wurde außerhalb von Postern geändert. Nichts wurde gesendet.`
    : `${secret} ist für ${was}, und in der Einstellungsdatei, die außerhalb von Postern geändert wurde, steht jetzt ${host}. Nichts wurde dorthin gesendet.`;
}

export const connectionErrors: GermanOf<typeof englishConnectionErrors> = {
  SIGN_IN_REQUIRED: (detail) =>
    detail.access === 'lives'
      ? 'Zu dieser Anmeldung gab es kein Refresh-Token, sie lässt sich also nicht ohne Sie verlängern. Ihr Zugriff bleibt, bis er endet.'
      : `${hostOr(detail, 'Dieser Server')} verlangt, dass Sie sich anmelden.`,
  NO_SIGN_IN: (detail) => `${hostOr(detail, 'Dieser Server')} braucht keine Anmeldung, es gibt also kein Token dafür.`,
  SCOPE_REQUIRED: (detail) => {
    const host = hostOr(detail, 'Dieser Server');
    if (detail.scopeAnswer === 'refused')
      return `${host} verlangt dafür Berechtigungen, die der Anmeldedienst nicht erteilt hat${namedScopes(detail)}.`;
    if (detail.scopeAnswer === 'granted')
      return `${host} lehnt das ab, weil Berechtigungen fehlen, die der Anmeldedienst nach eigener Angabe erteilt hat${namedScopes(detail)}.`;
    return `${host} verlangt dafür mehr Berechtigungen, als Sie erteilt haben${namedScopes(detail)}.`;
  },
  TOKEN_REJECTED: (detail) =>
    `${hostOr(detail, 'Der Server')} lehnt diese Anmeldung ab, obwohl sie nicht abgelaufen ist.`,
  ACCESS_REFUSED: (detail) => `${hostOr(detail, 'Der Server')} erlaubt das Ihrem Konto nicht.`,
  MCP_FAILED: (detail) => {
    const host = hostOr(detail, 'Der Server');
    if (detail.status === 429) return `${host} hatte zu viele Anfragen und bittet zu warten (Antwort: 429).`;
    if (detail.status === 511) return `Ihr Netzwerk verlangt eine Anmeldung, bevor ${host} erreichbar ist (HTTP 511).`;
    if (isOutage(detail)) return `${host} hat gerade Probleme${httpStatus(detail)}.`;
    if (detail.status === 413) return `${host} nimmt keine so große Anfrage an (Antwort: 413).`;
    if (detail.status === 403 && detail.kind === 'web-page')
      return `${host} hat mit 403 und einer Webseite geantwortet. Eine Firewall scheint Postern zu blockieren.`;
    const wrong = wrongAnswer(detail);
    if (wrong !== undefined) return `${host} ${wrong}${httpStatus(detail)}.`;
    return `${host} antwortet nicht so, wie ein MCP-Server es soll${describeAnswer(detail)}.`;
  },
  SESSION_ENDED: (detail) =>
    `${hostOr(detail, 'Der Server')} hat seine Sitzung mit Postern zweimal hintereinander vergessen${answered(detail)}.`,
  OLD_TRANSPORT: (detail) =>
    `${hostOr(detail, 'Dieser Server')} hat den neueren Transport von MCP gesprochen und zeigt jetzt nur noch den alten (HTTP+SSE von 2024). Postern folgt ihm nicht dorthin zurück.`,
  ENDPOINT_REFUSED: (detail) =>
    `${hostOr(detail, 'Dieser Server')} will seine Nachrichten an einer Adresse, die nicht seine eigene ist. Dorthin wurde nichts gesendet.`,
  REFRESH_TRANSIENT: (detail) => {
    const { status, error } = detail;
    const service = hostOr(detail, 'Der Anmeldedienst');
    if (isOutage(detail))
      return `${service} hat gerade selbst eine Störung (Antwort: ${status}), deshalb konnte Ihre Anmeldung nicht verlängert werden. Sie bleibt erhalten.`;
    if (error !== undefined && status !== undefined) {
      const code = error === 'unknown' ? ' ohne einen Grund, den Postern kennt' : `, Code ${error}`;
      return `${service} hat Ihre Anmeldung nicht verlängert und nicht gesagt, dass sie zu Ende ist (Antwort: ${status}${code}). Sie bleibt erhalten.`;
    }
    return `Ihre Anmeldung konnte bei ${hostOr(detail, 'ihrem Anmeldedienst')} gerade nicht verlängert werden${answered(detail)}. Sie bleibt erhalten.${faultSentence(detail)}`;
  },
  REFRESH_REVOKED: (detail) =>
    `Ihre Anmeldung bei ${hostOr(detail, 'diesem Dienst')} ist zu Ende: Sie ist abgelaufen oder wurde dort widerrufen.`,
  REFRESH_REFUSED: (detail) =>
    `${hostOr(detail, 'Der Anmeldedienst')} hat es abgelehnt, Ihre Anmeldung zu verlängern${answered(detail)}${namedError(detail)}. Sie ist höchstwahrscheinlich zu Ende.`,
  ADDRESS_CHANGED: (detail) => changedAddress('Die Anmeldung', detail),
  REFRESH_ISSUER_CHANGED:
    'Dieser Server verwendet jetzt einen anderen Anmeldedienst. Ihre alte Anmeldung wurde nicht dorthin gesendet.',
};

export const apiKeyErrors: GermanOf<typeof englishOfKeys> = {
  API_KEY_REFUSED: (detail) =>
    detail.header === undefined
      ? `${hostOr(detail, 'Der Server')} lehnt diesen API-Schlüssel ab, oder das, was Sie damit tun möchten.`
      : `${hostOr(detail, 'Der Server')} verlangt eine Anmeldung und nimmt den Header ${detail.header} nicht an ihrer Stelle.`,
  API_KEY_MISSING: (detail) =>
    `Der API-Schlüssel für ${hostOr(detail, 'diesen Server')} ist hier nicht mehr gespeichert.`,
  API_KEY_ADDRESS_CHANGED: (detail) => changedAddress('Der API-Schlüssel', detail),
  API_KEY_INSTEAD: (detail) =>
    `${hostOr(detail, 'Dieser Server')} wird mit einem API-Schlüssel genutzt, es gibt also kein Token.`,
  API_KEY_INVALID: 'Das kann weder Name noch Wert eines Headers für einen API-Schlüssel sein.',
};

export const registryErrors: GermanOf<typeof englishOfRegistry> = {
  REGISTRY_OFF: 'Die Suche im MCP-Verzeichnis ist ausgeschaltet, deshalb wurde nichts gefragt.',
  REGISTRY_BUSY: (detail) => `${hostOr(detail, 'Das Verzeichnis')} kann gerade nicht antworten${answered(detail)}.`,
  REGISTRY_UNUSABLE: (detail) =>
    `${hostOr(detail, 'Diese Adresse')} antwortet nicht wie ein MCP-Verzeichnis${answered(detail)}.`,
};

/** A tool name as MCP 2025-11-25 allows it says nothing that could be read as ours. */
const toolOf = (detail: CatalogueDetail): string =>
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
  SERVER_ERROR: (detail) => `${hostOr(detail, 'Der Server')} hat mit einem Fehler geantwortet.`,
  METHOD_UNSUPPORTED: (detail) => `${hostOr(detail, 'Der Server')} unterstützt das nicht.`,
  INPUT_REFUSED: (detail) => `${hostOr(detail, 'Der Server')} nimmt diese Eingabe nicht an.`,
  RESOURCE_NOT_FOUND: (detail) => `${hostOr(detail, 'Der Server')} hat keine Ressource mit dieser Adresse.`,
  ARGUMENTS_UNFIT: ({ members = [], field, kind }) => {
    const names = members.map((name) => `„${name}“`).join(', ');
    if (names !== '') return `Dieses Tool hat kein Feld ${names}. Es wurde nichts gesendet.`;
    return field === undefined
      ? 'Das nimmt dieses Tool nicht an. Es wurde nichts gesendet.'
      : `„${field}“ ist Text; dieses Tool erwartet dort ${sayOf(kindWords, kind, 'etwas anderes')}. Es wurde nichts gesendet.`;
  },
  PROMPT_NOT_FOUND: (detail) => `${hostOr(detail, 'Der Server')} hat keinen Prompt dieses Namens.`,
  TOOL_NOT_FOUND: ({ name }) => `Dieser Server hat kein Tool ${name === undefined ? 'dieses Namens' : `„${name}“`}.`,
  TOOL_FAILED: (detail) => `Ein Aufruf von ${toolOf(detail)} wurde mit einem Fehler beantwortet.`,
  RESULT_TOO_LARGE: (detail) =>
    detail.tool === undefined
      ? `${hostOr(detail, 'Der Server')} hat mehr geantwortet, als Postern in einer Antwort annimmt.`
      : `Was ${toolOf(detail)} geantwortet hat, ist größer, als Postern annimmt. Vielleicht hat es trotzdem getan, was es sollte.`,
  CALL_INTERRUPTED: (detail) =>
    `Sie haben nicht länger auf ${toolOf(detail)} gewartet. Vielleicht hat es trotzdem getan, was es sollte.`,
  CALL_TIMED_OUT: (detail) =>
    `Postern hat${detail.seconds === undefined ? '' : ` nach ${counted(detail.seconds, 'Sekunde', 'Sekunden')}`} aufgehört, auf ${toolOf(detail)} zu warten. Vielleicht hat es trotzdem getan, was es sollte.`,
  TASK_CANCELLED: (detail) => `${hostOr(detail, 'Der Server')} hat ${toolOf(detail)} abgebrochen, bevor es fertig war.`,
  NO_SUBSCRIPTIONS: (detail) => `${hostOr(detail, 'Der Server')} sagt nicht, wann sich diese Ressource ändert.`,
};

const commandOr = (detail: CatalogueDetail): string => {
  const command = detail.command;
  return command === undefined ? 'Der Befehl' : `„${command}“`;
};

function howItEnded({ code, signal }: CatalogueDetail): string {
  if (signal !== undefined) return ` (${signal})`;
  return code === undefined ? '' : ` (Code ${code})`;
}

export const localErrors: GermanOf<typeof englishLocalErrors> = {
  LOCAL_CONSENT: 'Sie haben diesen Befehl noch nicht erlaubt, oder er wurde seitdem geändert.',
  LOCAL_TO_FILL_IN: (detail) =>
    detail.part === undefined
      ? `Der Wert von ${detail.variables?.join(', ') ?? 'einer Variablen'} ist nur ein Platzhalter.`
      : `Im Befehl steht ein Platzhalter: ${detail.part}.`,
  LOCAL_DRAFT_GONE: 'Postern hat nicht mehr, was für diesen Befehl eingegeben war.',
  LOCAL_NOT_FOUND: (detail) => {
    if (detail.folder !== undefined) return `Den Ordner „${detail.folder}“ gibt es nicht.`;
    return detail.denied === undefined
      ? `${commandOr(detail)} gibt es auf diesem Computer nicht.`
      : `${commandOr(detail)} ist kein Programm, das ausgeführt werden darf.`;
  },
  LOCAL_EXITED: (detail) => {
    const { times } = detail;
    const often = times === undefined ? '' : ` ${times}-mal in fünf Minuten und startet nicht noch einmal`;
    return `${commandOr(detail)} endete${often}${howItEnded(detail)}.`;
  },
  LOCAL_SILENT: (detail) => {
    const { variables } = detail;
    const silent = `${commandOr(detail)} läuft, antwortet aber nicht.`;
    return variables === undefined
      ? silent
      : `${silent} Er lädt Code, und was hier für das Netz gesetzt ist, bekommt er nicht: ${variables.join(', ')}.`;
  },
  LOCAL_ASKS: (detail) =>
    `${commandOr(detail)} stellt vor dem Start eine Frage, und hier kann sie niemand beantworten.`,
  LOCAL_NOISE: (detail) => `${commandOr(detail)} schreibt Text, wo Nachrichten hingehören, und wurde beendet.`,
  LOCAL_INVALID: (detail) =>
    `${commandOr(detail)} ${wrongAnswer(detail) ?? 'antwortet, aber nicht so, wie ein MCP-Server es soll'}.`,
  LOCAL_STOPPED: 'Dieser Server wurde in Postern gestoppt.',
};
