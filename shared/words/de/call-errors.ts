import type {
  ArgumentKind,
  callErrors as englishCallErrors,
  localErrors as englishLocalErrors,
} from '../../error-catalogue/call-errors.ts';
import { hostOr, sayOf } from '../../error-catalogue/catalogue-entry.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import { counted } from '../../language.ts';
import { wrongAnswer } from './connection-errors.ts';
import type { GermanOf } from './german-entry.ts';

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
