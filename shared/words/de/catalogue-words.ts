import type { Translated } from '../../language.ts';
import type {
  catalogueWords as englishCatalogueWords,
  registryWords as englishRegistryWords,
} from '../en/catalogue-words.ts';
import { serviceAdviceWords, serviceStepWords, serviceWords } from './service-words.ts';

const told: Readonly<Record<string, string | undefined>> = {
  ...serviceWords,
  ...serviceAdviceWords,
  ...serviceStepWords,
};

export const catalogueWords: Translated<typeof englishCatalogueWords> = {
  told: (text) => told[text] ?? text,
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

export const registryWords: Translated<typeof englishRegistryWords> = {
  title: 'MCP-Verzeichnis',
  choose: 'Auch das MCP-Verzeichnis durchsuchen',
  sends: (place) =>
    `Was dort veröffentlicht ist, hat Postern nicht überprüft. Was Sie eingegeben haben, geht an ${place}, wenn Sie auf „Suchen“ drücken, und nicht vorher.`,
  search: (name, place) => `Bei ${place} nach „${name}“ suchen`,
  asking: (place) => `${place} wird gefragt`,
  stop: 'Abbrechen',
  nothing: (place) =>
    `${place} hat unter diesem Namen nichts, was Postern verwenden kann. Versuchen Sie ein anderes Wort.`,
  found: (count, place, time) => `${count} Server bei ${place}, Stand ${time}.`,
  leftOut: (count) =>
    `${count} ${count === 1 ? 'weiterer hat' : 'weitere haben'} keine Webadresse, die Postern verwenden kann.`,
  partial: 'Es gibt noch mehr: Geben Sie mehr vom Namen ein.',
  unverified: 'Nicht überprüft',
  known: 'Diesen kennt Postern.',
  notThe: (name, place) => `Nicht das ${name}, das Postern kennt; das ist bei ${place}.`,
  old: 'Er spricht nur den alten Transport, HTTP+SSE von 2024.',
  open: 'Wählen',
  openOf: (name) => `${name} wählen`,
  close: 'Schließen',
  closeOf: (name) => `${name} schließen`,
  which: 'Adresse',
  ownDomain: (name) => `Veröffentlicht als ${name}, ein Name derselben Domain.`,
  otherDomain: (name, place) => `Veröffentlicht als ${name}. Nichts zeigt, dass von dort auch ${place} betrieben wird.`,
  wantsKey: (header, what) =>
    `Er verlangt einen Schlüssel im Header ${header}${what === undefined ? '' : ` („${what}“)`}. Sie geben ihn nach der Prüfung ein.`,
  wantsHeaders: (names) =>
    `Er verlangt die Header ${names.join(', ')}. Postern sendet nur einen selbst gewählten, deshalb lehnt er vielleicht ab.`,
  secretInAddress: 'Er verlangt ein Geheimnis in der Adresse. Postern bewahrt Adressen lesbar auf, nicht im Tresor.',
  check: 'Prüfen',
  checkHint: 'Die Prüfung fragt den Server, wie man sich anmeldet. Mehr öffnet und sendet sie nicht.',
  setting: 'Suche',
  address: 'Adresse',
  addressHint: 'Das offizielle Verzeichnis oder eine Kopie davon, etwa die Ihrer Firma.',
  official: 'Das offizielle verwenden',
  refused: {
    'no-address': 'Das ist keine Webadresse. Sie sieht aus wie https://registry.example.com.',
    'not-encrypted':
      'Was Sie eingeben, ginge unverschlüsselt durchs Netz. Verwenden Sie https oder ein Verzeichnis auf diesem Computer.',
    'with-password': 'Lassen Sie Benutzernamen und Passwort weg: Postern meldet sich bei keinem Verzeichnis an.',
    'with-query': 'Lassen Sie weg, was nach dem ? oder dem # steht.',
  },
};
