import { undoSeconds } from '../../bounds.ts';
import type { Translated } from '../../language.ts';
import type {
  backgroundWords as englishBackgroundWords,
  deletionWords as englishDeletionWords,
  settingsWords as englishSettingsWords,
  updateWords as englishUpdateWords,
} from '../en/settings-words.ts';
import { integrationWords } from './integration-words.ts';

export const settingsWords: Translated<typeof englishSettingsWords> = {
  title: 'Einstellungen',
  openFile: 'Datei öffnen',
  openFolder: 'Ordner öffnen',
  restore: 'Letzte gute Kopie wiederherstellen',
  unreadable: 'Die Einstellungen sind nicht verwendbar',
  readOnly:
    'Bis sie wieder verwendbar sind, werden Ihre Server nicht angezeigt, und nichts wird geändert. Ihre Anmeldungen sind noch da.',
  lastGood: (count, writtenAt) =>
    `Berichtigen Sie die Datei, oder kehren Sie zur Kopie vom ${writtenAt} mit ${count} ${count === 1 ? 'Server' : 'Servern'} zurück. Was jetzt in der Datei steht, bleibt daneben erhalten.`,
  noLastGood:
    'Berichtigen Sie die Datei. Eine Kopie gibt es nicht; ohne die Datei beginnt Postern mit einer leeren Liste.',
  signIn: 'Anmeldung',
  surface: 'Wo Anmeldeseiten geöffnet werden',
  surfaces: {
    popup: 'In einem Fenster von Postern',
    browser: 'In meinem Browser',
  },
  surfaceHints: {
    popup: 'Ein leeres Fenster ohne Cookies. Dienste, die solche Fenster ablehnen, öffnen trotzdem Ihren Browser.',
    browser: 'Nutzt die Anmeldungen, Passwörter und Passkeys Ihres Browsers.',
  },
  check: 'Nach der Prüfung',
  connectAtOnce: 'Sofort verbinden',
  connectAtOnceHint: 'Die Anmeldung beginnt ohne weiteren Klick, außer Sie müssen etwas entscheiden.',
  callbackHost: 'Host der Callback-URL',
  callbackHosts: { '127.0.0.1': '127.0.0.1 (empfohlen)', localhost: 'localhost' },
  callbackHostHint: 'Wählen Sie localhost für Dienste, die eine Adresse aus Zahlen ablehnen.',
  callbackPort: 'Port der Callback-URL',
  callbackPortHint:
    'Apps, die Sie selbst angelegt haben, brauchen die neue Adresse; bei Servern, an denen sich Postern selbst registriert hat, melden Sie sich neu an.',
  callbackPortWrong: 'Eine Zahl von 1024 bis 65535.',
  gatewayPort: 'Port für Programme',
  gatewayPortHint:
    'Programme, die Postern über eine Adresse erreichen, enthalten diesen Port. Ihre Einträge werden mit ihm erneuert.',
  gatewayPortRenew: 'Die Einträge erneuern, die den Port enthalten?',
  gatewayPortChange: 'Port ändern',
  gatewayPortLeft:
    'Postern kann diese Einträge nicht erneuern. Sie funktionieren dann erst wieder, wenn sie den neuen Port nennen.',
  allowedOrigin: 'Zugelassene Webseite',
  allowedOriginHint:
    'Eine einzige Seite, etwa ein Werkzeug in Ihrem Browser, darf Postern an diesem Port erreichen. Sie braucht außerdem das Geheimnis eines hinzugefügten Programms. Jede andere Seite wird abgewiesen.',
  allowedOriginWrong:
    'Die Adresse einer Seite: mit https, oder mit http auf diesem Computer, z. B. http://localhost:6274.',
  allowedOriginNone: 'Keine zulassen',
  callbackUrl: 'Callback-URL',
  callbackUrlNone: 'Wird bei der ersten Anmeldung gewählt.',
  appearance: 'Darstellung',
  theme: 'Farbschema',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  languages: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
  background: 'Im Hintergrund',
  closing: 'Wenn das Fenster geschlossen wird',
  keepRunning: 'Postern weiterlaufen lassen',
  keepRunningHint: (platform) =>
    `Programme nutzen Ihre Server weiter. Das Symbol steht ${platform === 'darwin' ? 'in der Menüleiste' : platform === 'win32' ? 'im Infobereich' : 'in der Systemleiste, falls Ihr Desktop eine hat'}; ein neuer Start von Postern öffnet das Fenster.`,
  start: 'Start',
  startAtLogin: 'Postern starten, wenn ich mich am Computer anmelde',
  startAtLoginHint: 'Im Hintergrund, ohne Fenster.',
  startAtLoginNone: 'Das kann nur ein installiertes Postern.',
  programs: 'Programme',
  pause: 'Alle Programme anhalten',
  pauseHint: 'Alle Anfragen an Ihre Server werden abgewiesen, bis Sie die Programme fortsetzen.',
  storage: 'Speicher',
  storageOk: (backend) => `In Ordnung. Geheimnisse sind mit einem Schlüssel in ${backend} verschlüsselt.`,
  storageChecking: 'Wird geprüft.',
  storageTest: 'Jetzt prüfen',
  backends: {
    libsecret: 'dem Schlüsselbund dieses Desktops',
    'macos-keychain': 'dem macOS-Schlüsselbund',
    'windows-credential-manager': 'der Windows-Anmeldeinformationsverwaltung',
  },
  checks: {
    settings: 'Einstellungsdatei',
    keychain: 'Schlüsselbund',
    vault: 'Tresor',
    callback: 'Port der Callback-URL',
    clock: 'Uhr',
    providers: 'Identitätsanbieter',
    local: 'Lokale Server',
    programs: 'Programme',
    collections: 'Sammlungen',
  },
  checkOf: (check, of) => (of === undefined ? check : `${check}, ${of}`),
  checkFaults: {
    stopped: () => 'angehalten.',
    failing: () => 'zu oft beendet.',
    'server-gone': (entry, { collection }) =>
      collection === undefined
        ? `Der Eintrag „${entry}“ führt zu einem Server, der nicht mehr verbunden ist.`
        : `Der Eintrag „${entry}“ führt zur Sammlung ${collection}, die es nicht mehr gibt.`,
    revoked: (entry, { of }) => `Der Eintrag „${entry}“ führt ins Leere: ${of} darf nichts von Postern mehr nutzen.`,
    'not-allowed': (entry, { of }) => `Der Eintrag „${entry}“ führt ins Leere: ${of} darf diesen Server nicht nutzen.`,
    'old-port': (entry) => `Der Eintrag „${entry}“ hat einen Port, den Postern nicht mehr verwendet.`,
    'old-secret': (entry) => `Der Eintrag „${entry}“ hat ein Geheimnis, das nicht mehr gilt.`,
    'kept-out': (entry, { of, setting = '' }) =>
      `Der Eintrag „${entry}“ wird nicht genutzt: Eine Einstellung von ${of} lässt ihn nicht zu, ${setting}.`,
    'command-gone': (entry, { command = '' }) => `Der Eintrag „${entry}“ startet ${command}, das es nicht mehr gibt.`,
    'other-version': (entry, { command = '' }) =>
      `Der Eintrag „${entry}“ startet ein anderes Postern als dieses: ${command}.`,
    waiting: (server) => `In der Konfiguration fehlen noch die Zeilen für „${server}“.`,
    empty: () => 'enthält keine Server.',
  },
  checkSteps: {
    start: () => 'Starten Sie ihn, um ihn zu nutzen.',
    'see-output': () => 'Sehen Sie sich seine Ausgabe an.',
    'take-out': (of) => `Nehmen Sie den Eintrag aus der Konfiguration von ${of} heraus.`,
    allow: (of) => `Schalten Sie den Server unter „Programme“ für ${of} ein.`,
    renew: (of) => `Schalten Sie den Server unter „Programme“ für ${of} aus und wieder ein.`,
    'renew-address': (of) => `Schalten Sie den Server unter „Programme“ für ${of} aus und wieder ein.`,
    'change-setting': (of) => `Ändern Sie diese Einstellung in ${of}.`,
    paste: (of) => `Fügen Sie sie ein: Die Seite von ${of} unter „Programme“ zeigt sie.`,
    'add-servers': () => 'Fügen Sie unter „Programme“ Server hinzu.',
  },
  checkOk: 'in Ordnung',
  network: 'Netzwerk',
  proxy: 'Proxy',
  proxyDirect: 'Keiner; Verbindungen gehen direkt zu den Servern.',
  proxyInUse: (host) =>
    host === undefined
      ? 'Verbindungen gehen über den Proxy, der auf diesem Computer eingestellt ist.'
      : `Verbindungen gehen über ${host}.`,
  proxyNotUsed: (host) =>
    `${host === undefined ? 'Ein Proxy' : host} ist auf diesem Computer eingestellt, aber nicht verwendbar.`,
  certificates: 'Zertifikate',
  certificatesOfSystem: 'Die, denen dieser Computer vertraut.',
  certificatesOfFile: (file) => `Die, denen dieser Computer vertraut, und die in ${file}.`,
  chooseCertificates: 'Datei wählen …',
  forgetCertificates: 'Keine Datei verwenden',
  certificatesHint: 'Nur nötig, wenn Ihre Firma eigene Zertifizierungsstellen hat. Die Datei muss im PEM-Format sein.',
  list: 'Serverliste',
  listText:
    'Die Liste ohne Geheimnisse: zum Aufheben, Weitergeben oder Umziehen. Was in einer Adresse nach einem ? steht, wird weggelassen; ein Schlüssel in der Adresse selbst nicht.',
  exportButton: 'Exportieren',
  importButton: 'Importieren',
  exported: 'Die Liste wurde gespeichert.',
  exportLeftOut: (count) =>
    count === 1
      ? 'Ein Server läuft auf diesem Computer und wurde weggelassen.'
      : `${count} Server laufen auf diesem Computer und wurden weggelassen.`,
  imported: (count) =>
    count === 0
      ? 'In dieser Liste ist nichts Neues.'
      : `${count} Server ${count === 1 ? 'wurde' : 'wurden'} hinzugefügt.`,
  importSkipped: (count) => `${count} ${count === 1 ? 'war' : 'waren'} schon da.`,
  importLeftOut: (count) =>
    `${count === 1 ? 'Eine Berechtigung oder Anmeldeadresse' : `${count} Berechtigungen oder Anmeldeadressen`} der Liste ${count === 1 ? 'wurde' : 'wurden'} weggelassen. Sie werden beim Anmelden gefragt.`,
  importRefused: (count) => `${count} ${count === 1 ? 'war' : 'waren'} nicht lesbar.`,
  checklist: 'Melden Sie sich bei jedem neu an:',
  about: 'Über Postern',
  version: 'Version',
  logs: 'Protokolle öffnen',
  logsHint: 'Dort steht nie ein Geheimnis.',
  shortcuts: 'Tastatur',
  deleteKey: 'Entf',
  shortcutList: {
    connect: 'Server verbinden',
    search: 'Server suchen',
    settings: 'Einstellungen',
    fold: 'Seitenleiste einklappen',
    rename: 'Server umbenennen',
    remove: 'Server entfernen',
    move: 'In der Liste bewegen',
    close: 'Dialog schließen, Suche leeren',
  },
};

export const backgroundWords: Translated<typeof englishBackgroundWords> = {
  paused: 'Programme sind angehalten',
  pausedText: 'Alle Anfragen an Ihre Server werden abgewiesen; die Programme erfahren den Grund.',
  resume: 'Fortsetzen',
  portText:
    'Programme, in deren Eintrag eine Adresse von Postern steht, erreichen es nicht. Beenden Sie, was den Port belegt, und versuchen Sie es noch einmal, oder wählen Sie einen anderen; Postern zeigt dann die Einträge mit dem Port und erneuert sie.',
  portStill: 'Er ist noch belegt.',
  tryPort: 'Erneut versuchen',
  choosePort: 'Anderen Port wählen',
  offer: 'Postern starten, wenn Sie sich am Computer anmelden?',
  offerText:
    'Es startet im Hintergrund, ohne Fenster, damit Ihre Programme ihre Server sofort erreichen. Das können Sie in den Einstellungen ändern.',
  accept: 'Mitstarten',
  decline: 'Jetzt nicht',
};

export const updateWords: Translated<typeof englishUpdateWords> = {
  title: 'Updates',
  newer: 'Neuere Versionen',
  automatic: 'Nach neueren Versionen von Postern suchen',
  automaticHint: 'Beim Start und einmal am Tag. Heruntergeladen oder installiert wird nur, wenn Sie es sagen.',
  check: 'Jetzt suchen',
  checking: 'Wird gesucht…',
  current: (version, when) =>
    when === undefined ? `Das ist ${version}.` : `${version} ist die neueste Version (gesucht ${when}).`,
  available: (version) => `Postern ${version} ist verfügbar.`,
  download: 'Herunterladen',
  downloading: (version, percent) => `Postern ${version} wird heruntergeladen: ${percent} %`,
  ready: (version) => `Postern ${version} ist bereit.`,
  readyText: 'Es startet mit dem nächsten Start von Postern oder jetzt.',
  restart: 'Jetzt neu starten',
  later: 'Später',
  obstacles: {
    source: 'Dieses Postern läuft aus seinem Quelltext; aktualisieren Sie diesen.',
    managed: 'Postern wird von der Verwaltung dieses Computers aktualisiert.',
    'unsigned-build': 'Diese Ausgabe von Postern kennt keine Quelle für Updates, der sie trauen könnte.',
    'not-installed': 'Dieses Postern wurde von Hand entpackt; neuere Versionen gibt es dort, wo Sie es herhaben.',
  },
};

const servers = (count: number): string => `${count} Server`;
const ofServers = (count: number): string => `${count} ${count === 1 ? 'Server' : 'Servern'}`;
const signIns = (count: number): string => `${count} ${count === 1 ? 'Anmeldung' : 'Anmeldungen'}`;

export const deletionWords: Translated<typeof englishDeletionWords> = {
  setting: 'Alle Daten',
  settingText: 'Server, Anmeldungen, Einstellungen und Protokolle, die Postern auf diesem Computer aufbewahrt.',
  open: 'Alle Daten löschen…',
  goes: 'Was auf diesem Computer gelöscht wird',
  goesServers: (count) => `${servers(count)} mit Name, Adresse und Optionen`,
  goesSignIns: (count) => `${signIns(count)} und API-Schlüssel, und der Schlüssel dazu im Schlüsselbund`,
  goesSettings: 'alle Einstellungen, auch der Port der Callback-URL, und die Protokolle',
  goesPrograms:
    'Sammlungen, welche Programme was nutzen dürfen, was sie aufgerufen haben, und die Kopien ihrer Dateien',
  goesThen: 'Die Dienste erfahren, dass der Zugriff endet, soweit sie erreichbar sind.',
  stays: 'Was bleibt',
  staysAccounts: 'Ihre Konten bei den Diensten und alles, was Sie dort gespeichert haben',
  staysApps: 'Apps, die Sie selbst bei einem Dienst angelegt haben',
  left: (count) => (count === 0 ? 'Die Dienste werden informiert.' : `Noch ${servers(count)}.`),
  done: (count) => `${signIns(count)} aus dem Schlüsselbund entfernt.`,
  partly: (count, gone) => `${servers(count)} und ${signIns(gone)} sind gelöscht; etwas ist noch hier.`,
  ended: (count) => (count === 0 ? '' : `Die Dienste haben den Zugriff von ${signIns(count)} beendet.`),
  endsByItself: (count) =>
    count === 0
      ? ''
      : `Für ${signIns(count)} konnte dem Dienst das Ende nicht oder nicht ganz mitgeteilt werden; dieser Zugriff endet von selbst.`,
  registrations: (count) =>
    count === 0
      ? ''
      : `${count} ${count === 1 ? 'Registrierung bleibt' : 'Registrierungen bleiben'} ungenutzt bei den Diensten.`,
  begun: {
    signOut: (name, count) => `Sie sind von ${count === 1 ? name : ofServers(count)} abgemeldet.`,
    remove: (name, count) => `${count === 1 ? name : servers(count)} entfernt.`,
  },
  undo: 'Rückgängig',
  now: 'Jetzt löschen',
  final: `Nach ${undoSeconds} Sekunden ist das endgültig.`,
  finalCollection: `Hier können Sie das ${undoSeconds} Sekunden lang rückgängig machen, mit „postern undo“ eine Stunde lang.`,
  telling: 'Wird gelöscht, der Dienst wird informiert.',
  finished: {
    signOut: (name, count) =>
      count === 1
        ? `Die Anmeldung bei ${name ?? ofServers(1)} wurde von diesem Computer gelöscht.`
        : `Die Anmeldungen bei ${ofServers(count)} wurden von diesem Computer gelöscht.`,
    remove: (name, count) =>
      `${count === 1 ? `${name ?? servers(1)} wurde` : `${servers(count)} wurden`} von diesem Computer entfernt.`,
  },
  kept: {
    signOut: (name, count) =>
      count === 1
        ? `Jemand hat sich bei ${name ?? ofServers(1)} neu angemeldet: Diese Anmeldung bleibt.`
        : `Jemand hat sich bei ${ofServers(count)} neu angemeldet: Diese Anmeldungen bleiben.`,
    remove: (name, count) =>
      count === 1
        ? `${name ?? servers(1)} steht wieder in der Liste und bleibt dort.`
        : `${servers(count)} stehen wieder in der Liste und bleiben dort.`,
  },
  back: {
    signOut: (name, count) => `Sie sind wieder bei ${count === 1 ? name : ofServers(count)} angemeldet.`,
    remove: (name, count) => `${count === 1 ? `${name} ist` : `${servers(count)} sind`} wieder da.`,
  },
  tooLate: 'Es war zu spät: Das Löschen hat schon begonnen.',
  entriesLeft: (programs) =>
    programs.length === 0
      ? ''
      : `Der Eintrag in ${programs.join(', ')} konnte nicht wiederhergestellt werden. Fügen Sie ihn unter „${integrationWords.use}“ neu hinzu.`,
  stillHere: {
    signOut: (name, count) =>
      count === 1
        ? `Die Anmeldung bei ${name} ist noch auf diesem Computer.`
        : `Nicht jede Anmeldung bei ${ofServers(count)} konnte gelöscht werden.`,
    remove: (name, count) =>
      count === 1
        ? `Was zu ${name} gespeichert ist, ist noch auf diesem Computer.`
        : `Nicht alles zu ${ofServers(count)} konnte gelöscht werden.`,
  },
  triesAgain: (reason) => `${reason} Postern versucht es beim nächsten Start wieder.`,
};
