import { textOf } from '../catalogue-entry.ts';
import type { CatalogueDetail } from '../catalogue-entry.ts';
import type { localErrors as english } from '../local-errors.ts';
import type { GermanOf } from './german-entry.ts';

const commandOr = (detail: CatalogueDetail): string => {
  const command = textOf(detail, 'command');
  return command === undefined ? 'Der Befehl' : `„${command}“`;
};

function howItEnded({ code, signal }: CatalogueDetail): string {
  if (signal !== undefined) return ` (${signal})`;
  return code === undefined ? '' : ` (Code ${code})`;
}

export const localErrors: GermanOf<typeof english> = {
  LOCAL_CONSENT: 'Sie haben diesen Befehl noch nicht erlaubt, oder er wurde seitdem geändert.',
  LOCAL_NOT_FOUND: (detail) => {
    if (detail['folder'] !== undefined) return `Den Ordner „${detail['folder']}“ gibt es nicht.`;
    return detail['denied'] === undefined
      ? `${commandOr(detail)} gibt es auf diesem Computer nicht.`
      : `${commandOr(detail)} ist kein Programm, das ausgeführt werden darf.`;
  },
  LOCAL_EXITED: (detail) => {
    const { times } = detail;
    const often = times === undefined ? '' : ` ${times}-mal in fünf Minuten und startet nicht noch einmal`;
    return `${commandOr(detail)} endete${often}${howItEnded(detail)}.`;
  },
  LOCAL_SILENT: (detail) => {
    const missing = textOf(detail, 'missing');
    const silent = `${commandOr(detail)} läuft, antwortet aber nicht.`;
    return missing === undefined
      ? silent
      : `${silent} Er lädt Code, und was hier für das Netz gesetzt ist, bekommt er nicht: ${missing}.`;
  },
  LOCAL_NOISE: (detail) => `${commandOr(detail)} schreibt Text, wo Nachrichten hingehören, und wurde beendet.`,
  LOCAL_INVALID: (detail) => `${commandOr(detail)} antwortet, aber nicht so, wie ein MCP-Server es soll.`,
  LOCAL_STOPPED: 'Dieser Server wurde in Postern gestoppt.',
};
