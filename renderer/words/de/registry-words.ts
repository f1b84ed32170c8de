import type { Translated } from '../../../shared/translated.ts';
import type { registryWords as english } from '../en/registry-words.ts';

export const registryWords: Translated<typeof english> = {
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
