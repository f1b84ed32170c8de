import type { Translated } from '../../../shared/translated.ts';
import type { localWords as english } from '../en/local-words.ts';

export const localWords: Translated<typeof english> = {
  open: 'Lokaler Befehl …',
  title: 'Ein Server, der auf diesem Computer läuft',
  intro:
    'Für einen Server, der ein Befehl ist, etwa „npx …“ oder „docker run …“. Nichts wird ausgeführt, bevor Sie es gesehen haben.',
  name: 'Name',
  command: 'Befehl',
  commandHint: 'Wie er in der Dokumentation steht. Er läuft ohne Shell: keine Pipes, keine $VARIABLEN.',
  folder: 'Ordner',
  folderHint: 'Wo er läuft. Leer: Ihr persönlicher Ordner.',
  variables: 'Variablen',
  variablesHint: 'Er bekommt die üblichen und diese, sonst nichts. Die Werte liegen versiegelt im Tresor.',
  variableName: 'Name der Variable',
  variableValue: 'Wert',
  variableKept: 'wie in der Liste',
  addVariable: 'Variable hinzufügen',
  removeVariable: (name) => (name === '' ? 'Variable entfernen' : `${name} entfernen`),
  look: 'Ansehen, was ausgeführt wird',
  back: 'Ändern',
  close: 'Schließen',
  consentTitle: (name) => `„${name}“ führt das aus`,
  runs: 'Führt aus',
  typedAs: 'Eingegeben als',
  words: 'Argumente',
  noWords: 'keine',
  usualVariables: 'die üblichen',
  withVariables: (names) => `die üblichen, ${names}`,
  homeFolder: 'Ihr persönlicher Ordner',
  from: 'Stammt aus',
  deciding: 'Diese Variablen können bestimmen, welcher Code läuft',
  givenValues: 'Diese Werte bekommt er aus der Liste',
  sealed: '„…“ steht für ein Geheimnis. Postern bewahrt es versiegelt auf und zeigt es nirgends.',
  asYou:
    'Er läuft mit Ihren Rechten, ohne Shell, und darf auf diesem Computer, was Sie dürfen. Erlauben Sie nur, wem Sie vertrauen.',
  fetches: (command) => `„${command}“ lädt Code und führt ihn aus: Es kann jedes Mal anderer sein.`,
  remoteTitle: ({ name, isBridged }) =>
    isBridged ? `Dieser Befehl führt nur zu ${name}` : `${name} hat einen eigenen Server`,
  remoteText: 'Das braucht kein Programm auf diesem Computer, und Postern behält die Anmeldung.',
  useRemote: 'Stattdessen diesen verbinden',
  startsHere: (command) => `Startet „${command}“ auf diesem Computer. Noch ist nichts davon gelaufen.`,
  hasRemote: ({ name, isBridged }) =>
    isBridged
      ? `Er führt nur zu ${name}, das Postern ohne ihn erreicht.`
      : `${name} hat einen eigenen Server, der kein Programm auf diesem Computer braucht.`,
  connectRemote: (name) => `${name} verbinden`,
  lookAt: 'Befehl ansehen',
  allow: 'Erlauben und starten',
  starting: 'Wird gestartet und nach seinen Tools gefragt',
  stopWaiting: 'Abbrechen',
  states: {
    off: 'Läuft nicht. Er startet, wenn ihn etwas benutzt.',
    starting: 'Startet',
    running: 'Läuft',
    waiting: 'Er hat sich beendet und startet gleich wieder.',
  },
  process: (pid, since) => `${pid}, seit ${since}`,
  processList: 'Prozesse',
  stop: 'Stoppen',
  output: 'Ausgabe',
  noOutput: 'Er hat noch nichts geschrieben.',
  outputHint: 'Seine Fehlerausgabe und was keine Nachricht war, seit Postern läuft. Sie bleibt nur im Arbeitsspeicher.',
  share: 'Ein Prozess für alle Programme',
  shareHint:
    'Sie teilen sich seine Tools und was er sich zwischen Aufrufen merkt. Sonst hat jede Sitzung einen eigenen Prozess. Es gilt für die, die ab jetzt starten.',
  what: 'Was ausgeführt wird',
};
