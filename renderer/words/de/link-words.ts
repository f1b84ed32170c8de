import type { Translated } from '../../../shared/translated.ts';
import type { linkWords as english } from '../en/link-words.ts';

export const linkWords: Translated<typeof english> = {
  asksToConnect: (host) => `Ein Link möchte ${host} verbinden.`,
  asksToOpen: (name) =>
    name === undefined ? 'Ein Link möchte einen Server öffnen.' : `Ein Link möchte ${name} öffnen.`,
  held: 'Woran Sie gerade arbeiten, bleibt erhalten.',
  connect: 'Prüfen',
  open: 'Öffnen',
  unusable: 'Postern kann den geöffneten Link nicht verwenden.',
  unusableMore: 'Kopieren Sie stattdessen die Adresse des Servers, und fügen Sie sie unter „Server verbinden“ ein.',
  unknown: 'Der Link führt zu einem Server, der nicht in Ihrer Liste steht.',
  unknownMore: 'Vielleicht wurde er entfernt. Verbinden Sie ihn neu, um ihn zu verwenden.',
};
