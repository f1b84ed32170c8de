import type { Translated } from '../../../shared/translated.ts';
import type { hostsWords as english } from '../en/hosts-words.ts';

const list = new Intl.ListFormat('de', { type: 'conjunction' });

export const hostsWords: Translated<typeof english> = {
  title: 'Zur Anmeldung gehören Hosts, von denen kein gemeinsamer Besitzer bekannt ist',
  text: 'Manche Dienste sind so gebaut, eine Falle aber auch. Fahren Sie nur fort, wenn Sie diese Hosts hier erwartet haben.',
  page: 'Anmeldeseite',
  token: 'Erhält die Anmeldung',
  service: 'Anmeldedienst',
  agree: (hosts) => `Dieser Server darf ${list.format(hosts)} nutzen`,
  goOn: 'Fortfahren',
  stop: 'Stoppen',
};
