import type { Translated } from '../../language.ts';
import type { programWords as englishProgramWords } from '../en/program-words.ts';

const list = new Intl.ListFormat('de', { type: 'conjunction' });
const number = (value: number): string => value.toLocaleString('de');

/** Of many the number alone. A program may have several files. */
function together(all: readonly string[]): string {
  const names = [...new Set(all)];
  return names.length > 3 ? `${number(names.length)} Programme` : list.format(names);
}

/** The same behind “von” or “aus”. */
function ofTogether(all: readonly string[]): string {
  const names = [...new Set(all)];
  return names.length > 3 ? `${number(names.length)} Programmen` : list.format(names);
}

export const programWords: Translated<typeof englishProgramWords> = {
  title: 'Programme',
  intro:
    'KI-Programme auf diesem Computer. Was Sie hier einschalten, nutzen sie mit Ihrer Anmeldung, die in Postern bleibt.',
  looking: 'Programme werden gesucht',
  none: 'Hier wurde keines der Programme gefunden, die Postern kennt.',
  noneNext: 'Installieren und starten Sie eines, und suchen Sie dann neu.',
  lookAgain: 'Erneut suchen',
  other: {
    add: 'Anderes Programm…',
    title: 'Anderes Programm',
    text: 'Für ein Programm, das nicht in der Liste steht. Postern zeigt die Zeilen, und Sie tragen sie in seine Konfiguration ein.',
    name: 'Name',
    nameHint: 'Wie Sie es nennen. Ein Name ist ein Programm.',
    server: 'Server',
    way: 'Wie es Postern erreicht',
    command: 'Über einen Befehl',
    commandHint: 'Das nehmen die meisten Programme. Er startet Postern, wo es nicht läuft.',
    address: 'Über eine Adresse',
    addressHint: 'Über HTTP mit einem Header. Postern muss dafür schon laufen.',
    look: 'Zeilen anzeigen…',
    added: (name) => `${name} darf den Server jetzt nutzen.`,
    place: 'Nur Sie wissen, wo seine Konfiguration liegt: Tragen Sie die Zeilen dort selbst ein.',
    accessText: (name) =>
      `Entzieht ${name} sofort alle Server und streicht ${name} aus dieser Liste. Seine Zeilen führen dann nirgendwohin.`,
    revoked: (name) =>
      `${name} darf nichts von Postern mehr nutzen. Nehmen Sie die Zeilen selbst aus seiner Konfiguration heraus.`,
  },
  collections: {
    title: 'Sammlungen',
    intro: 'Mehrere Server, die ein Programm über einen Eintrag nutzt. Sie ändern sie später ohne das Programm.',
    add: 'Neue Sammlung…',
    new: 'Neue Sammlung',
    text: 'Ihre Tools sind die aller ihrer Server. Ein Server, an dem Sie sich anmelden müssen, fehlt so lange.',
    change: 'Ändern…',
    state: (members, users) =>
      `${number(members)} Server${users.length > 0 ? ` · genutzt von ${ofTogether(users)}` : ''}`,
  },
  gone: 'Dieses Programm ist nicht mehr hier.',
  uses: (used, all) => `nutzt ${number(used)} von ${number(all)}`,
  waiting: 'wartet auf Sie: Zeilen einfügen',
  waitingOf: (name) => `${name} wartet darauf, dass Sie die Zeilen einfügen.`,
  havePasted: 'Ich habe sie eingefügt',
  showLines: 'Zeilen anzeigen…',
  pasted: (name) => `${name} kann ihn jetzt nutzen.`,
  notPasted: (path) =>
    path === ''
      ? 'Die Zeilen sind noch nicht dort.'
      : `Die Zeilen sind noch nicht in ${path}. Speichern Sie die Datei, und versuchen Sie es erneut.`,
  lastUsed: (distance) => `zuletzt ${distance}`,
  notSetUp: 'nicht eingerichtet',
  revoked: 'nicht mehr erlaubt',
  revokedText: (name) =>
    `${name} darf nichts von Postern mehr nutzen. Schalten Sie einen Server ein, um es wieder zu erlauben.`,
  file: 'Konfiguration',
  servers: 'Server, die es nutzen darf',
  noServers: 'Verbinden Sie zuerst einen Server.',
  connect: 'Server verbinden',
  change: 'Letzte Änderung',
  changed: (names, time) => `${names.join(', ')}, ${time}`,
  undo: 'Rückgängig…',
  unreadable: 'Datei nicht lesbar',
  paused: 'angehalten',
  pausing: {
    pause: 'Anhalten',
    pauseOf: (name) => `${name} anhalten`,
    pauseText: (name) => `Weist ab, was ${name} von Ihren Servern will, bis Sie es fortsetzen.`,
    isPausedTitle: (name) => `${name} ist angehalten`,
    isPausedText: 'Was es von Ihren Servern will, wird abgewiesen, und es erfährt den Grund.',
    resume: 'Fortsetzen',
    resumeOf: (name) => `${name} fortsetzen`,
  },
  others: 'Außerdem in seiner Konfiguration',
  othersText:
    'Server, die dieses Programm ohne Postern erreicht. Seine Datei wird gelesen, wenn Sie nachsehen, nicht vorher.',
  lookInside: 'Nachsehen',
  noOthers: 'Sonst steht nichts darin.',
  withSecrets: (names) => `mit ${list.format(names)}`,
  isCommand: 'startet einen Befehl',
  ofProject: (folder) => `für das Projekt ${folder}`,
  isConnected: 'auch in Postern verbunden',
  keyOfConnected: {
    kept: 'beim Übernehmen kommt sein Schlüssel hinter den Schlüsselbund',
    existing:
      'sein Schlüssel wird nicht übernommen, denn Postern hat eine eigene Anmeldung oder einen eigenen Schlüssel',
  },
  import: 'Importieren',
  takeOver: 'Übernehmen…',
  previewTakeOver: (entry, program) => `Soll Postern ${entry} in ${program} übernehmen?`,
  access: 'Zugriff',
  accessText: (name) =>
    `Nimmt ${name} sofort alle Server. Danach können Sie seine Einträge aus der Datei nehmen, die dann nirgendwohin führen.`,
  revoke: 'Zugriff entziehen…',
  revokeDone: (name) => `${name} darf nichts von Postern mehr nutzen.`,
  previewOf: (programs, use, server) =>
    use ? `${server} in ${ofTogether(programs)} nutzen?` : `${server} aus ${ofTogether(programs)} herausnehmen?`,
  previewMixed: (programs) => `${together(programs)} ändern?`,
  previewUndoOf: (programs) => `Änderungen an ${ofTogether(programs)} rückgängig machen?`,
  previewUndo: (program) => `Letzte Änderung an ${program} rückgängig machen?`,
  actions: {
    created: 'Diese Datei wird angelegt:',
    updated: 'Diese Datei wird geändert:',
    deleted: 'Diese Datei wird gelöscht, weil sonst nichts darin steht:',
    command: 'Sein eigener Befehl wird ausgeführt und ändert diese Datei:',
    paste: 'Das kann Postern nicht für Sie tun. Tragen Sie diese Zeilen selbst in die Konfiguration ein:',
    none: 'In dieser Datei muss sich nichts ändern:',
  },
  takeOut: 'Das kann Postern nicht für Sie tun. Nehmen Sie diese Zeilen selbst aus der Konfiguration heraus:',
  leaving: (canChange, server = 'Postern') =>
    canChange ? `${server} zuerst aus Ihren Programmen herausnehmen?` : 'Einige Dateien konnten nicht gelesen werden',
  leavingText: (canChange) =>
    canChange
      ? 'Diese Einträge würden danach nirgendwohin führen. Nichts wird geschrieben, bevor Sie es sagen.'
      : 'Steht dort ein Eintrag von Postern, würde er danach nirgendwohin führen.',
  leaveThere: (canChange) => (canChange ? 'Dort lassen…' : 'Fortfahren…'),
  takeOutFirst: 'Herausnehmen und fortfahren…',
  entriesStay: (name) =>
    `In der Konfiguration von ${name} stehen vielleicht noch Einträge von Postern. Sie führen nirgendwohin.`,
  takeEntriesOut: 'Einträge herausnehmen…',
  previewEntries: (name) => `Einträge von Postern aus ${name} herausnehmen?`,
  noEntries: (name) => `In der Konfiguration von ${name} steht kein Eintrag von Postern.`,
  goes: 'Zeilen, die wegfallen',
  comes: 'Zeilen, die dazukommen',
  commands: 'Befehle',
  pasteInstead: (fault) =>
    `${fault} Beheben Sie das, und sehen Sie noch einmal nach, oder tragen Sie diese Zeilen selbst dort ein:`,
  pasteThen: 'Nach „Fertig“ kann die App den Server nutzen, sobald die Zeilen in ihrer Konfiguration sind.',
  copyLines: 'Zeilen kopieren',
  hiddenValues: '„…“ steht für einen Wert, der hier nicht gezeigt wird.',
  takesMark:
    'Die Datei beginnt mit einer Byte-Reihenfolge-Marke (BOM), mit der Apps die ganze Liste verwerfen. Auch sie kommt heraus.',
  keptOut: (name, setting) =>
    `${name} wird ihn nicht nutzen: Seine eigene Einstellung ${setting} lässt ihn weg. Ändern Sie sie dort.`,
  entryKeptOut: (entry, setting) =>
    `${entry} wird nicht genutzt: Die eigene Einstellung ${setting} des Programms lässt ihn weg. Ändern Sie sie dort.`,
  rules: (name, { entry, only, denied }) => {
    const left = only?.filter((tool) => !denied.includes(tool));
    return [
      `${entry}:`,
      ...(left
        ? [
            left.length === 0
              ? `${name} darf keines seiner Tools nutzen.`
              : `${name} darf nur ${left.join(', ')} nutzen.`,
          ]
        : []),
      ...(denied.length > 0 ? [`${name} darf ${denied.join(', ')} nicht nutzen.`] : []),
      'Postern setzt das durch.',
    ].join(' ');
  },
  endsRules: 'Auch die Regeln für Tools, die damit kamen, gehen.',
  copyKept: 'Eine Kopie der Datei bleibt, damit Sie das rückgängig machen können.',
  secrets: {
    none: 'Es steht kein Geheimnis darin.',
    helper: 'Es steht kein Geheimnis darin: Das Programm holt es mit einem Befehl von Postern.',
    header: 'Es steht ein Geheimnis dieses Programms darin; es öffnet nichts als Postern.',
  },
  pastedSecret:
    'Die kopierten Zeilen enthalten ein Geheimnis dieses Programms, das hier nicht gezeigt wird. Es öffnet nichts als Postern; legen Sie es sonst nirgends ab.',
  profile: 'Profil',
  defaultProfile: 'Standard',
  anotherProfile: 'Anderes Profil…',
  secretLost: (name) => `Das frühere Geheimnis von ${name} ist verloren, und diese Zeilen enthalten ein neues.`,
  secretLostNext:
    'Tragen Sie den neuen Header auch in seine anderen Einträge von Postern ein: Mit dem alten werden sie abgewiesen.',
  severalText: (count, byHand) => {
    if (count === 0) return 'Hier lässt sich nichts ändern.';
    const waits =
      byHand === 1 ? 'Bei 1 müssen Sie Zeilen einfügen.' : `Bei ${number(byHand)} müssen Sie Zeilen einfügen.`;
    return `Nichts wird geschrieben, bevor Sie es sagen.${byHand > 0 ? ` ${waits}` : ''}`;
  },
  filesText: (name) =>
    `${name} hat dafür Einträge in mehreren Dateien. Sie werden aus allen herausgenommen: Einer, der bliebe, würde nirgendwohin führen.`,
  leftAlone: (name) => `${name} bleibt, wie es ist`,
  confirm: {
    created: 'Datei anlegen',
    updated: 'Datei ändern',
    deleted: 'Datei löschen',
    command: 'Ausführen',
    paste: 'Fertig',
    none: 'OK',
  },
  confirmSeveral: (count) => (count === 1 ? '1 Programm ändern' : `${number(count)} Programme ändern`),
  confirmFiles: (count) => (count === 1 ? '1 Datei ändern' : `${number(count)} Dateien ändern`),
  done: (names) =>
    new Set(names).size === 1 ? `${together(names)} ist geändert.` : `${together(names)} sind geändert.`,
  undone: (names) =>
    names.length === 0
      ? ''
      : new Set(names).size === 1
        ? `${together(names)} ist wie vorher.`
        : `${together(names)} sind wie vorher.`,
  notChanged: (name) => `${name} wurde nicht geändert.`,
  toPaste: 'Es bleibt noch etwas für Sie zu tun.',
  paste: (name) => `Tragen Sie diese Zeilen selbst in die Konfiguration von ${name} ein:`,
  undoAll: 'Alles rückgängig…',
  useIntro:
    'Wählen Sie die Programme, die diesen Server nutzen. Ihre Dateien werden gelesen, wenn Sie die Änderungen ansehen, nicht vorher.',
  useSeveralIntro:
    'Wählen Sie die Programme, die diese Server nutzen. Ihre Dateien werden erst gelesen, wenn Sie die Änderungen ansehen.',
  usesIt: (servers) => (servers === 1 ? 'nutzt ihn' : 'nutzt sie'),
  usesNot: (servers) => (servers === 1 ? 'nutzt ihn nicht' : 'nutzt keinen davon'),
  look: 'Änderungen ansehen…',
  chosen: (count) => (count === 1 ? '1 Programm wird geändert' : `${number(count)} Programme werden geändert`),
  offer: (server) => `${server} in Ihren Programmen nutzen`,
  later: 'Jetzt nicht',
  notices: {
    'at-once': (name) => `${name} merkt es von selbst.`,
    button: (name) => `Klicken Sie in der Serverliste von ${name} auf Aktualisieren.`,
    'new-session': (name) => `Eine neue Sitzung von ${name} nutzt ihn.`,
    restart: (name) => `Starten Sie ${name} neu.`,
  },
  notes: {
    'asks-for-trust': (name) => `${name} fragt, ob Sie dem Server vertrauen.`,
    'trusted-folders': (name) => `${name} nutzt Ihre Server nur in Ordnern, denen es vertraut.`,
    'chatgpt-too': () => 'Das ChatGPT-Programm hat dieselbe Konfiguration und nutzt ihn auch.',
  },
};
