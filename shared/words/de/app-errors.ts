import { mostGroups, mostPlaced } from '../../bounds.ts';
import { mostCollections, mostMembers } from '../../entry-name.ts';
import type { appErrors as englishOfApp } from '../../error-catalogue/app-errors.ts';
import { dayOf } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';

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
