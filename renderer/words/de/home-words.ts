import type { Translated } from '../../../shared/translated.ts';
import type { homeWords as english } from '../en/home-words.ts';

export const homeWords: Translated<typeof english> = {
  title: 'Start',
  nothing: 'Nichts wartet auf Sie.',
  programs: 'Genutzte Programme',
  noPrograms: 'Noch kein Programm nutzt Ihre Server.',
  calls: 'Letzte Aufrufe',
  allCalls: 'Alle Aufrufe',
};
