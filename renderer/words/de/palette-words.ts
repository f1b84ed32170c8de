import type { Translated } from '../../../shared/translated.ts';
import type { paletteWords as english } from '../en/palette-words.ts';

export const paletteWords: Translated<typeof english> = {
  title: 'Suchen oder ausführen',
  label: 'Server, Tool, Seite oder Aktion',
  open: 'Alles suchen oder ausführen',
  shortcut: 'Strg K',
  found: 'Gefunden',
  nothing: 'Nichts gefunden.',
  page: 'Seite',
  action: 'Aktion',
  program: 'Programm',
  tool: 'Tool',
  setting: (section) => `Einstellungen: ${section}`,
  pause: 'Alle Programme anhalten',
  resume: 'Programme fortsetzen',
  serverAction: (server, action) => `${server}: ${action}`,
};
