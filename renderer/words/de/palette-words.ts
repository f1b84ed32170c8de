import type { Translated } from '../../../shared/translated.ts';
import type { paletteWords as english } from '../en/palette-words.ts';

export const paletteWords: Translated<typeof english> = {
  title: 'Springen oder ausführen',
  label: 'Server, Seite oder Aktion',
  found: 'Gefunden',
  nothing: 'Nichts heißt so.',
  page: 'Seite',
  action: 'Aktion',
  program: 'Programm',
  pause: 'Alle Programme anhalten',
  resume: 'Programme fortsetzen',
  serverAction: (server, action) => `${server}: ${action}`,
};
