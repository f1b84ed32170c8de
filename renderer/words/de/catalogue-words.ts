import { sentenceKey } from '../../../shared/sentence-key.ts';
import type { Translated } from '../../../shared/translated.ts';
import type { catalogueWords as english } from '../en/catalogue-words.ts';
import { serviceAdviceWords } from './service-advice-words.ts';
import { serviceStepWords } from './service-step-words.ts';
import { serviceWords } from './service-words.ts';

const told: Readonly<Record<string, string | undefined>> = {
  ...serviceWords,
  ...serviceAdviceWords,
  ...serviceStepWords,
};

export const catalogueWords: Translated<typeof english> = {
  told: (text) => told[sentenceKey(text)] ?? text,
  title: 'Dienste, die Postern kennt',
  found: (count) => `${count} ${count === 1 ? 'Dienst' : 'Dienste'} gefunden`,
  meant: 'Meinten Sie einen von diesen?',
  filters: 'Art des Dienstes',
  filter: {
    popular: 'Beliebt',
    work: 'Arbeit',
    code: 'Code',
    cloud: 'Cloud',
    data: 'Daten',
    design: 'Design',
    sales: 'Vertrieb',
    money: 'Geld',
    docs: 'Dokumente',
    web: 'Web und KI',
    open: 'Ohne Anmeldung',
    all: 'Alle',
  },
  tile: {
    none: '',
    registers: '',
    unknown: '',
    app: 'Braucht eine eigene App',
    key: 'Braucht einen API-Schlüssel',
  },
  signIn: {
    none: 'Keine Anmeldung nötig.',
    registers: 'Sie melden sich nur an. Vorzubereiten ist nichts.',
    app: 'Sie legen dort einmal eine App an und melden sich dann an. Die Schritte stehen unten.',
    appOnly: 'Sie legen dort einmal eine App an und melden sich dann an. Wie, steht in der Dokumentation des Dienstes.',
    appOrKey: 'Sie legen dort einmal eine App an und melden sich an, oder Sie verwenden einen API-Schlüssel.',
    key: 'Sie verwenden einen API-Schlüssel, den Sie dort erstellen.',
    unknown: 'Postern findet heraus, wie man sich anmeldet.',
  },
  guess: 'Postern fragt als Nächstes den Server und zeigt, was er sagt. Nichts öffnet sich, bevor Sie es sagen.',
  keyToo: 'Auch ein API-Schlüssel geht.',
  admits: {
    'listed-programs': (name) =>
      `${name} lässt nur Programme von einer eigenen Liste zu, und Postern steht nicht darauf. Wahrscheinlich lehnt es ab.`,
    'listed-callbacks': (name) =>
      `${name} lässt nur Callback-Adressen von einer eigenen Liste zu. Es kann sein, dass es die Anmeldung ablehnt.`,
  },
  moved: (name) => `Das war eine frühere Adresse von ${name}. Hier ist die jetzige.`,
  address: 'Server',
  usual: 'Standardserver',
  check: 'Weiter',
  back: 'Alle Dienste',
  openHome: (name) => `Über den Server von ${name}`,
  openApp: (name) => `Seite von ${name} für Apps öffnen`,
  openKey: (name) => `Seite von ${name} für Schlüssel öffnen`,
  recipe: (name) => `Ihre App bei ${name} anlegen`,
  recipeLater:
    'Wählen Sie zuerst „Weiter“: Dann gibt Ihnen Postern die Callback-URL zum Kopieren und eine Taste, die die Seite öffnet.',
  scopes: 'Dort zu erlaubende Berechtigungen',
  keyScheme: (scheme) => `Postern setzt „${scheme}“ davor.`,
  endpointsTitle: (name) => `Postern weiß, wo man sich bei ${name} anmeldet`,
  endpointsText: (page, token) =>
    page === token
      ? `Die Anmeldeseite ist bei ${page}, ebenso die Adresse, die den Zugriff gibt.`
      : `Die Anmeldeseite ist bei ${page}; den Zugriff gibt ${token}.`,
  endpointsButton: 'Dort anmelden',
};
