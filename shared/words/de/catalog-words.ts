import type { Translated } from '../../language.ts';
import type {
  catalogWords as englishCatalogWords,
  registryWords as englishRegistryWords,
} from '../en/catalog-words.ts';
import { serviceAdviceWords, serviceStepWords, serviceWords } from './service-words.ts';

const translations: Readonly<Record<string, string | undefined>> = {
  ...serviceWords,
  ...serviceAdviceWords,
  ...serviceStepWords,
};

export const catalogWords: Translated<typeof englishCatalogWords> = {
  translate: (text) => translations[text] ?? text,
  title: 'Dienste, die Postern kennt',
  found: (count) => `${count} ${count === 1 ? 'Dienst' : 'Dienste'} gefunden`,
  didYouMean: 'Meinten Sie einen von diesen?',
  filters: 'Welche Dienste',
  popular: 'Beliebt',
  all: 'Alle',
  more: (count) => `${count} weitere`,
  moreText: 'Oder suchen Sie oben',
  tile: {
    none: '',
    registers: '',
    unknown: '',
    oauthApp: 'Braucht eine OAuth-App',
    key: 'Braucht einen API-Schlüssel',
  },
  signIn: {
    none: 'Keine Anmeldung nötig.',
    registers: 'Sie melden sich einfach an. Vorbereiten müssen Sie nichts.',
    oauthApp: 'Sie legen dort einmal eine OAuth-App an und melden sich dann an. Die Schritte stehen unten.',
    oauthAppOnly:
      'Sie legen dort einmal eine OAuth-App an und melden sich dann an. Wie das geht, steht in der Dokumentation des Dienstes.',
    oauthAppOrKey:
      'Sie legen dort einmal eine OAuth-App an und melden sich an, oder Sie verwenden einen API-Schlüssel.',
    key: 'Sie verwenden einen API-Schlüssel, den Sie dort erstellen.',
    unknown: 'Postern findet heraus, wie man sich anmeldet.',
  },
  checkFirst: 'Postern prüft, wie man sich bei dem Server anmeldet, und zeigt Ihnen zuerst das Ergebnis.',
  keyToo: 'Sie können auch einen API-Schlüssel verwenden.',
  accepts: {
    'listed-apps': (name) =>
      `${name} lässt nur Apps von einer eigenen Liste zu, und Postern steht nicht darauf. Wahrscheinlich lehnt es ab.`,
    'listed-callbacks': (name) =>
      `${name} lässt nur Callback-Adressen von einer eigenen Liste zu. Es kann sein, dass es die Anmeldung ablehnt.`,
  },
  moved: (name) => `${name} ist umgezogen. Das ist die neue Adresse.`,
  address: 'Server',
  defaultServer: 'Standard',
  check: 'Weiter',
  back: 'Alle Dienste',
  openHome: (name) => `Über den Server von ${name}`,
  openOAuthApp: (name) => `OAuth-Apps bei ${name} öffnen`,
  openKey: (name) => `API-Schlüssel bei ${name} öffnen`,
  recipe: (name) => `Ihre OAuth-App bei ${name} anlegen`,
  recipeLater:
    'Wählen Sie zuerst „Weiter“. Dann zeigt Postern die Callback-URL zum Kopieren und eine Schaltfläche, die die Seite öffnet.',
  scopes: 'Berechtigungen, die Sie dort erlauben',
  keyScheme: (scheme) => `Postern setzt „${scheme}“ davor.`,
  endpointsTitle: (name) => `Postern weiß, wo man sich bei ${name} anmeldet`,
  endpointsText: (page, token) =>
    page === token
      ? `Anmeldeseite und Token-Endpoint sind bei ${page}.`
      : `Die Anmeldeseite ist bei ${page}, der Token-Endpoint bei ${token}.`,
  endpointsButton: 'Dort anmelden',
};

export const registryWords: Translated<typeof englishRegistryWords> = {
  title: 'MCP-Verzeichnis',
  choose: 'Auch das MCP-Verzeichnis durchsuchen',
  sends: (place) =>
    `Postern überprüft nicht, was dort veröffentlicht ist. Ihre Eingabe geht erst an ${place}, wenn Sie „Suchen“ wählen.`,
  search: (name, place) => `Bei ${place} nach „${name}“ suchen`,
  searching: (place) => `${place} wird durchsucht`,
  stop: 'Abbrechen',
  nothing: (place) =>
    `${place} hat keinen Server mit diesem Namen, den Postern nutzen kann. Versuchen Sie ein anderes Wort.`,
  found: (count, place, time) => `${count} Server bei ${place}, Stand ${time}.`,
  leftOut: (count) =>
    `${count} ${count === 1 ? 'weiterer hat' : 'weitere haben'} keine Webadresse, die Postern verwenden kann.`,
  partial: 'Es gibt weitere Treffer. Geben Sie mehr vom Namen ein.',
  unverified: 'Nicht überprüft',
  known: 'Postern kennt diesen Server.',
  notThe: (name, place) => `Das ist nicht der Server von ${name}, den Postern kennt. Dieser ist bei ${place}.`,
  old: 'Er unterstützt nur den alten Transport (HTTP+SSE, 2024).',
  open: 'Wählen',
  openOf: (name) => `${name} wählen`,
  close: 'Schließen',
  closeOf: (name) => `${name} schließen`,
  which: 'Adresse',
  ownDomain: (name) => `Veröffentlicht als ${name}, ein Name derselben Domain.`,
  otherDomain: (name, place) =>
    `Veröffentlicht als ${name}. Nichts zeigt, dass der Herausgeber auch ${place} betreibt.`,
  needsKey: (header, what) =>
    `Er braucht einen Schlüssel im Header ${header}${what === undefined ? '' : ` („${what}“)`}. Sie geben ihn nach der Prüfung ein.`,
  wantsHeaders: (names) =>
    `Er verlangt die Header ${names.join(', ')}. Postern kann nur einen senden, deshalb lehnt er vielleicht ab.`,
  secretInAddress: 'Er erwartet ein Geheimnis in der Adresse. Postern speichert Adressen im Klartext, nicht im Tresor.',
  check: 'Prüfen',
  checkHint: 'Die Prüfung fragt den Server nur, wie man sich anmeldet.',
  setting: 'Suche',
  address: 'Adresse',
  addressHint: 'Das offizielle Verzeichnis oder eine Kopie davon, etwa die Ihrer Firma.',
  official: 'Offizielles Verzeichnis verwenden',
  refused: {
    'no-address': 'Das ist keine Webadresse. Sie sollte aussehen wie https://registry.example.com.',
    'not-encrypted':
      'Ihre Suchen würden unverschlüsselt gesendet. Verwenden Sie https oder ein Verzeichnis auf diesem Computer.',
    'with-password': 'Entfernen Sie Benutzernamen und Passwort. Postern meldet sich bei keinem Verzeichnis an.',
    'with-query': 'Entfernen Sie alles nach dem ? oder #.',
  },
};
