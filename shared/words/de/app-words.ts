import type { Translated } from '../../language.ts';
import type { appWords as englishAppWords } from '../en/app-words.ts';

const list = new Intl.ListFormat('de', { type: 'conjunction' });
const number = (value: number): string => value.toLocaleString('de');

/**
 * Up to three names, otherwise two and how many more, as in “in”, “an” or “von” them. An app may have several files, so
 * names can repeat.
 */
function together(all: readonly string[], more = 'weiteren'): string {
  const names = [...new Set(all)];
  return list.format(names.length > 3 ? [...names.slice(0, 2), `${number(names.length - 2)} ${more}`] : names);
}

export const appWords: Translated<typeof englishAppWords> = {
  title: 'KI-Apps',
  intro:
    'KI-Apps auf diesem Computer. Sie nutzen die Server, die Sie hier einschalten. Ihre Anmeldungen bleiben in Postern.',
  searching: 'KI-Apps werden gesucht',
  none: 'Postern hat auf diesem Computer keine KI-App gefunden, die es unterstützt.',
  noneNext: 'Installieren Sie eine, starten Sie sie einmal, und suchen Sie dann erneut.',
  searchAgain: 'Erneut suchen',
  other: {
    add: 'Andere App…',
    title: 'Andere App',
    text: 'Für eine App, die nicht in der Liste ist. Postern zeigt Ihnen die Zeilen, die Sie in ihre Konfiguration eintragen.',
    name: 'Name',
    nameHint: 'Ein Name Ihrer Wahl. Jede App braucht einen eigenen.',
    server: 'Server',
    connection: 'Wie sie sich mit Postern verbindet',
    command: 'Mit einem Befehl',
    commandHint: 'Funktioniert in den meisten Apps. Startet Postern, wenn es nicht läuft.',
    address: 'Mit einer Adresse',
    addressHint: 'Über HTTP, mit einem Header. Postern muss schon laufen.',
    showLines: 'Zeilen anzeigen…',
    added: (name) => `${name} kann den Server jetzt nutzen.`,
    unknownFile: 'Postern weiß nicht, wo ihre Konfiguration liegt. Tragen Sie die Zeilen dort selbst ein.',
    accessText: (name) =>
      `${name} kann keinen Server mehr nutzen und verschwindet aus dieser Liste. Die Zeilen funktionieren nicht mehr.`,
    revoked: (name) => `${name} kann Postern nicht mehr nutzen. Entfernen Sie die Zeilen selbst aus der Konfiguration.`,
  },
  collections: {
    title: 'Sammlungen',
    intro: 'Mehrere Server in einem Eintrag. Sie können sie später ändern, ohne die App anzufassen.',
    add: 'Neue Sammlung…',
    new: 'Neue Sammlung',
    text: 'Eine Sammlung hat die Tools aller ihrer Server. Server, die eine Anmeldung brauchen, fehlen, bis Sie sich anmelden.',
    change: 'Ändern…',
    state: (members, users) =>
      `${number(members)} Server${users.length > 0 ? ` · genutzt von ${together(users)}` : ''}`,
  },
  gone: 'Diese App ist nicht mehr auf diesem Computer.',
  uses: (used, all) => `nutzt ${number(used)} von ${number(all)}`,
  waiting: 'wartet auf Sie: Eintrag fehlt',
  waitingOf: (name) => `Der Eintrag in ${name} fehlt.`,
  checkAgain: 'Erneut prüfen',
  addEntry: 'Eintrag hinzufügen…',
  pasted: (name) => `${name} kann den Server jetzt nutzen.`,
  notPasted: (path) =>
    path === ''
      ? 'Der Eintrag ist noch nicht dort.'
      : `Der Eintrag ist noch nicht in ${path}. Fügen Sie ihn hinzu, speichern Sie die Datei und prüfen Sie erneut.`,
  lastUsed: (distance) => `zuletzt ${distance}`,
  notSetUp: 'nicht eingerichtet',
  revoked: 'Zugriff entzogen',
  revokedText: (name) =>
    `${name} kann Postern nicht nutzen. Schalten Sie einen Server ein, um den Zugriff wieder zu erlauben.`,
  file: 'Konfiguration',
  servers: 'Server, die diese App nutzen kann',
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
    pauseText: (name) => `Postern weist Anfragen von ${name} ab, bis Sie sie fortsetzen.`,
    isPausedTitle: (name) => `${name} ist angehalten`,
    isPausedText: 'Postern weist ihre Anfragen ab und nennt den Grund.',
    resume: 'Fortsetzen',
    resumeOf: (name) => `${name} fortsetzen`,
  },
  others: 'Andere Server in ihrer Konfiguration',
  othersText: 'Server, die diese App ohne Postern erreicht. Postern listet sie nur auf, wenn Sie das wünschen.',
  showServers: 'Server anzeigen',
  noOthers: 'Keine anderen Server.',
  withSecrets: (names) => `mit ${list.format(names)}`,
  isCommand: 'startet einen Befehl',
  ofProject: (folder) => `für das Projekt ${folder}`,
  isConnected: 'auch in Postern verbunden',
  keyOfConnected: {
    moved: 'beim Übernehmen kommt sein Schlüssel in den Tresor von Postern',
    existing: 'sein Schlüssel wird nicht übernommen: Postern hat schon eine Anmeldung oder einen Schlüssel dafür',
  },
  import: 'Importieren',
  takeOver: 'Übernehmen…',
  previewTakeOver: (entry, app) => `Soll Postern ${entry} in ${app} übernehmen?`,
  access: 'Zugriff',
  accessText: (name) =>
    `${name} kann dann keinen Server mehr nutzen. Danach können Sie die Einträge entfernen, die nicht mehr funktionieren.`,
  revoke: 'Zugriff entziehen…',
  revokeDone: (name) => `${name} kann Postern nicht mehr nutzen.`,
  previewOf: (apps, use, server) =>
    use ? `${server} zu ${together(apps)} hinzufügen?` : `${server} aus ${together(apps)} entfernen?`,
  previewMixed: (apps) => `${together(apps, 'weitere')} ändern?`,
  previewUndoOf: (apps) => `Änderungen an ${together(apps)} rückgängig machen?`,
  previewUndo: (app) => `Letzte Änderung an ${app} rückgängig machen?`,
  actions: {
    created: 'Postern legt diese Datei an:',
    updated: 'Postern ändert diese Datei:',
    deleted: 'Postern löscht diese Datei, weil sonst nichts darin steht:',
    command: 'Postern führt den Befehl der App aus, der diese Datei ändert:',
    paste: 'Das kann Postern nicht für Sie tun. Tragen Sie diese Zeilen selbst in die Konfiguration ein:',
    none: 'Diese Datei muss nicht geändert werden:',
  },
  removeLines: 'Das kann Postern nicht für Sie tun. Entfernen Sie diese Zeilen selbst aus der Konfiguration:',
  staleTitle: (canChange, server = 'Postern') =>
    canChange ? `${server} zuerst aus Ihren KI-Apps entfernen?` : 'Postern konnte einige Dateien nicht prüfen',
  staleText: (canChange) =>
    canChange
      ? 'Diese Einträge würden nicht mehr funktionieren. Geschrieben wird erst, wenn Sie bestätigen.'
      : 'Einträge von Postern darin würden nicht mehr funktionieren.',
  leaveEntries: (canChange) => (canChange ? 'Einträge dort lassen…' : 'Fortfahren…'),
  removeEntriesFirst: 'Einträge entfernen und fortfahren…',
  entriesStay: (name) =>
    `In der Konfiguration von ${name} stehen vielleicht noch Einträge von Postern. Sie funktionieren nicht mehr.`,
  removeEntries: 'Einträge entfernen…',
  previewEntries: (name) => `Einträge von Postern aus ${name} entfernen?`,
  noEntries: (name) => `Die Konfiguration von ${name} enthält keine Einträge von Postern.`,
  removedLines: 'Entfernte Zeilen',
  addedLines: 'Hinzugefügte Zeilen',
  commands: 'Befehle',
  pasteInstead: (fault) =>
    `${fault} Beheben Sie das, und versuchen Sie es erneut, oder tragen Sie diese Zeilen selbst ein:`,
  pasteThen: 'Wählen Sie „Fertig“. Die App kann den Server nutzen, sobald die Zeilen in ihrer Konfiguration sind.',
  copyLines: 'Zeilen kopieren',
  hiddenValues: '„…“ steht für einen verborgenen Wert.',
  removesBom:
    'Die Datei beginnt mit einem Byte Order Mark (BOM), wegen dem Apps die ganze Liste ignorieren. Postern entfernt es auch.',
  excludedBy: (name, setting) =>
    `${name} wird ihn wegen der eigenen Einstellung ${setting} nicht nutzen. Ändern Sie sie dort.`,
  entryExcluded: (entry, setting) =>
    `${entry} wird wegen der Einstellung ${setting} der App nicht genutzt. Ändern Sie sie dort.`,
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
  revertsRules: 'Die Regel für die Tools wird wieder wie vorher.',
  copySaved: 'Postern speichert eine Kopie der Datei, damit Sie das rückgängig machen können.',
  secrets: {
    none: 'Sie enthält keine Geheimnisse.',
    helper: 'Sie enthält keine Geheimnisse: Die App holt ihr Geheimnis mit einem Befehl von Postern.',
    header: 'Sie enthält das Geheimnis dieser App, das nur bei Postern gilt.',
  },
  pastedSecret:
    'Die kopierten Zeilen enthalten das Geheimnis dieser App, das hier verborgen ist. Es gilt nur bei Postern. Legen Sie es nirgendwo sonst ab.',
  profile: 'Profil',
  defaultProfile: 'Standard',
  anotherProfile: 'Anderes Profil…',
  secretLost: (name) => `Das frühere Geheimnis von ${name} ist verloren. Diese Zeilen enthalten ein neues.`,
  secretLostNext: 'Tragen Sie den neuen Header auch in die anderen Einträge von Postern ein. Der alte gilt nicht mehr.',
  severalText: (count, byHand) => {
    if (count === 0) return 'Postern kann hier nichts ändern.';
    const waits =
      byHand === 1 ? 'Bei 1 App müssen Sie Zeilen einfügen.' : `Bei ${number(byHand)} Apps müssen Sie Zeilen einfügen.`;
    return `Geschrieben wird erst, wenn Sie bestätigen.${byHand > 0 ? ` ${waits}` : ''}`;
  },
  filesText: (name) =>
    `${name} hat dafür Einträge in mehreren Dateien. Postern entfernt alle, denn sie würden nicht mehr funktionieren.`,
  unchanged: (name) => `${name} wird nicht geändert`,
  confirm: {
    created: 'Datei anlegen',
    updated: 'Datei ändern',
    deleted: 'Datei löschen',
    command: 'Ausführen',
    paste: 'Fertig',
    none: 'OK',
  },
  confirmSeveral: (count) => (count === 1 ? '1 App ändern' : `${number(count)} Apps ändern`),
  confirmFiles: (count) => (count === 1 ? '1 Datei ändern' : `${number(count)} Dateien ändern`),
  done: (names) =>
    new Set(names).size === 1 ? `${together(names)} wurde geändert.` : `${together(names, 'weitere')} wurden geändert.`,
  undone: (names) => (names.length === 0 ? '' : `Änderungen an ${together(names)} rückgängig gemacht.`),
  revertedRules: (apps) =>
    apps === 1 ? 'Die Regel für die Tools ist wieder wie vorher.' : 'Die Regeln für die Tools sind wieder wie vorher.',
  notChanged: (name) => `${name} wurde nicht geändert.`,
  toPaste: 'Ein Schritt bleibt noch zu tun.',
  paste: (name) => `Tragen Sie diese Zeilen selbst in die Konfiguration von ${name} ein:`,
  undoNow: 'Rückgängig',
  undoAll: 'Alles rückgängig',
  changedOf: (apps) => `Änderungen an ${together(apps)}`,
  switchedOn: (app, server) => `${app} kann ${server} jetzt nutzen.`,
  switchedOff: (app, server) => `${app} kann ${server} nicht mehr nutzen.`,
  presets: {
    everything: 'Ohne Rückfrage sind alle Tools erlaubt.',
    'ask-changes': 'Postern fragt Sie, bevor etwas geändert wird.',
    'read-only': 'Nur lesende Tools sind erlaubt.',
    'only-allowed': 'Nur Tools, die Sie erlauben, sind möglich.',
  },
  through: (collection) => `über ${collection}`,
  useIntro: 'Schalten Sie die Apps ein, die diesen Server nutzen dürfen. Jede Änderung lässt sich rückgängig machen.',
  useSeveralIntro: 'Wählen Sie die Apps, die diese Server nutzen. Sie sehen jede Änderung, bevor sie gemacht wird.',
  usesIt: (servers) => (servers === 1 ? 'nutzt ihn' : 'nutzt sie'),
  doesNotUseIt: (servers) => (servers === 1 ? 'nutzt ihn nicht' : 'nutzt keinen davon'),
  reviewChanges: 'Änderungen prüfen…',
  chosen: (count) => (count === 1 ? '1 App wird geändert' : `${number(count)} Apps werden geändert`),
  useInApps: (server) => `${server} in Ihren KI-Apps nutzen`,
  connected: {
    title: (server) => `${server} ist verbunden`,
    tools: (count) => (count === 0 ? 'keine Tools' : count === 1 ? '1 Tool' : `${number(count)} Tools`),
    renews: 'Anmeldung wird automatisch erneuert',
    onThisComputer: 'läuft auf diesem Computer',
    where: 'Wo möchten Sie ihn nutzen?',
    mayChange: 'Darf etwas geändert werden?',
    rules: {
      'ask-changes': 'Erst fragen',
      'read-only': 'Nein, nur lesen',
      everything: 'Ja, ohne zu fragen',
    },
    ruleHint: 'Der Server gibt selbst an, welche seiner Tools nur lesen.',
    laterTools: 'Er hat noch keine Tools. Das gilt für Tools, die er später bekommt.',
    use: (apps) => (apps.length === 0 ? 'App auswählen' : `In ${together(apps)} nutzen`),
    seeLines: 'Zeilen ansehen…',
    undoLater: 'Jederzeit rückgängig zu machen',
    usedByAll: 'Alle Ihre KI-Apps können ihn nutzen.',
    ask: (app) => `Fragen Sie jetzt ${app}:`,
    example: (tool, server) => `Nutze „${tool}“ in ${server} und zeige mir, was du findest.`,
    tryHere: 'Gleich hier ausprobieren',
    tryForm: 'Ausfüllen und ausführen',
    open: 'Server anzeigen',
  },
  notices: {
    'at-once': (name) => `${name} übernimmt die Änderung automatisch.`,
    button: (name) => `Klicken Sie in der Serverliste von ${name} auf Aktualisieren.`,
    'new-session': (name) => `Die Änderung gilt in neuen Sitzungen von ${name}.`,
    restart: (name) => `Starten Sie ${name} neu, damit die Änderung gilt.`,
  },
  notes: {
    'asks-for-trust': (name) => `${name} wird fragen, ob Sie dem Server vertrauen.`,
    'trusted-folders': (name) => `${name} nutzt Ihre Server nur in vertrauenswürdigen Ordnern.`,
    'chatgpt-too': () => 'Die ChatGPT-App hat dieselbe Konfiguration und nutzt ihn auch.',
  },
};
