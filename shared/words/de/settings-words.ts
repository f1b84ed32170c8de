import { undoSeconds } from '../../bounds.ts';
import type { Translated } from '../../language.ts';
import type {
  backgroundWords as englishBackgroundWords,
  deletionWords as englishDeletionWords,
  settingsWords as englishSettingsWords,
  updateWords as englishUpdateWords,
} from '../en/settings-words.ts';
import { registryWords } from './catalog-words.ts';
import { integrationWords } from './integration-words.ts';

export const settingsWords: Translated<typeof englishSettingsWords> = {
  title: 'Einstellungen',
  sections: {
    general: 'Allgemein',
    signIn: 'Anmeldung',
    apps: 'KI-Apps',
    privacy: 'Speicher und Datenschutz',
    about: 'Über Postern',
    callback: 'Callback-URL',
    gateway: 'Apps, die sich mit einer Adresse verbinden',
    registry: registryWords.title,
    network: 'Netzwerk',
  },
  advanced: 'Erweitert',
  openFile: 'Datei öffnen',
  openFolder: 'Ordner öffnen',
  restore: 'Letzte gute Kopie wiederherstellen',
  unreadable: 'Postern kann die Einstellungsdatei nicht verwenden',
  readOnly: 'Bis sie korrigiert ist, zeigt Postern keine Server und ändert nichts. Ihre Anmeldungen sind noch da.',
  lastGood: (count, writtenAt) =>
    `Korrigieren Sie die Datei, oder stellen Sie die Kopie vom ${writtenAt} mit ${count} ${count === 1 ? 'Server' : 'Servern'} wieder her. Die jetzige Datei bleibt daneben erhalten.`,
  noLastGood:
    'Korrigieren Sie die Datei. Eine Kopie gibt es nicht. Ohne die Datei beginnt Postern mit einer leeren Liste.',
  surface: 'Wo Anmeldeseiten geöffnet werden',
  surfaces: {
    popup: 'In einem Fenster von Postern',
    browser: 'In meinem Browser',
  },
  surfaceHints: {
    popup: 'Ein neues Fenster ohne Cookies. Lehnt ein Dienst es ab, nutzt Postern Ihren Browser.',
    browser: 'Nutzt die Anmeldungen, Passwörter und Passkeys Ihres Browsers.',
  },
  check: 'Nach der Prüfung eines Servers',
  connectAtOnce: 'Sofort verbinden',
  connectAtOnceHint: 'Beginnt die Anmeldung ohne weiteren Klick, außer Sie müssen etwas entscheiden.',
  callbackHost: 'Host der Callback-URL',
  callbackHosts: { '127.0.0.1': '127.0.0.1 (empfohlen)', localhost: 'localhost' },
  callbackHostHint: 'Wählen Sie localhost für Dienste, die numerische Adressen ablehnen.',
  callbackPort: 'Port der Callback-URL',
  callbackPortHint:
    'Wenn Sie ihn ändern, passen Sie die Callback-URL Ihrer eigenen OAuth-Apps an. Bei Servern, bei denen sich Postern selbst registriert hat, melden Sie sich erneut an.',
  callbackPortWrong: 'Geben Sie eine Zahl von 1024 bis 65535 ein.',
  gatewayPort: 'Port für Apps',
  gatewayPortHint:
    'Einträge von Apps, die sich mit einer Adresse verbinden, enthalten diesen Port. Wenn er sich ändert, aktualisiert Postern sie.',
  gatewayPortNone: 'Wird festgelegt, sobald die erste App ihn braucht.',
  gatewayPortRenew: 'Die Einträge aktualisieren, die den Port enthalten?',
  gatewayPortChange: 'Port ändern',
  gatewayPortManual:
    'Postern kann diese Einträge nicht aktualisieren. Sie funktionieren erst wieder, wenn Sie den neuen Port darin eintragen.',
  allowedOrigin: 'Zugelassene Webseite',
  allowedOriginHint:
    'Lässt eine Webseite, etwa ein Tool in Ihrem Browser, Postern an diesem Port erreichen. Die Seite braucht außerdem das Geheimnis einer App, die Sie hinzugefügt haben. Alle anderen Seiten weist Postern ab.',
  allowedOriginWrong:
    'Geben Sie den Ursprung (Origin) einer Seite ein, z. B. http://localhost:6274. Er muss mit https beginnen oder auf diesem Computer sein.',
  allowedOriginNone: 'Keine zulassen',
  callbackUrl: 'Callback-URL',
  callbackUrlNone: 'Wird bei Ihrer ersten Anmeldung festgelegt.',
  appearance: 'Darstellung',
  theme: 'Farbschema',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  languages: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
  background: 'Im Hintergrund',
  closing: 'Wenn Sie das Fenster schließen',
  keepRunning: 'Postern weiterlaufen lassen',
  keepRunningHint: (platform) =>
    `KI-Apps können Ihre Server weiter nutzen. Das Symbol von Postern ist ${platform === 'darwin' ? 'in der Menüleiste' : platform === 'win32' ? 'im Infobereich' : 'in der Systemleiste, falls Ihr Desktop eine hat'}. Starten Sie Postern noch einmal, um das Fenster zu öffnen.`,
  start: 'Start',
  startAtLogin: 'Postern starten, wenn ich mich am Computer anmelde',
  startAtLoginHint: 'Im Hintergrund, ohne Fenster.',
  startAtLoginNone: 'Installieren Sie Postern, um es bei der Anmeldung zu starten.',
  pausing: 'Zugriff',
  pause: 'Alle Apps anhalten',
  pauseHint: 'Postern weist alle Anfragen an Ihre Server ab, bis Sie fortsetzen.',
  storageOk: (backend) => `Funktioniert. Geheimnisse sind mit einem Schlüssel in ${backend} verschlüsselt.`,
  storageChecking: 'Wird geprüft…',
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
    apps: 'KI-Apps',
    collections: 'Sammlungen',
  },
  checkOf: (check, of) => (of === undefined ? check : `${check}, ${of}`),
  checkFaults: {
    stopped: () => 'ist gestoppt.',
    failing: () => 'hat sich zu oft beendet.',
    'server-gone': (entry, { collection }) =>
      collection === undefined
        ? `Der Eintrag „${entry}“ führt zu einem Server, der nicht mehr verbunden ist.`
        : `Der Eintrag „${entry}“ führt zur Sammlung ${collection}, die es nicht mehr gibt.`,
    revoked: (entry, { of }) => `Der Eintrag „${entry}“ funktioniert nicht: ${of} hat keinen Zugriff mehr.`,
    'not-allowed': (entry, { of }) =>
      `Der Eintrag „${entry}“ funktioniert nicht: ${of} darf diesen Server nicht nutzen.`,
    'old-port': (entry) => `Der Eintrag „${entry}“ enthält einen Port, den Postern nicht mehr verwendet.`,
    'old-secret': (entry) => `Der Eintrag „${entry}“ enthält ein Geheimnis, das nicht mehr gilt.`,
    excluded: (entry, { of, setting = '' }) =>
      `Der Eintrag „${entry}“ wird wegen der Einstellung ${setting} von ${of} nicht genutzt.`,
    'command-gone': (entry, { command = '' }) => `Der Eintrag „${entry}“ startet ${command}, das es nicht mehr gibt.`,
    'other-version': (entry, { command = '' }) => `Der Eintrag „${entry}“ startet ein anderes Postern: ${command}.`,
    waiting: (server) => `In der Konfiguration fehlen noch die Zeilen für „${server}“.`,
    empty: () => 'enthält keine Server.',
  },
  checkSteps: {
    start: () => 'Starten Sie ihn, um ihn zu nutzen.',
    'see-output': () => 'Prüfen Sie seine Ausgabe.',
    'remove-entry': (of) => `Entfernen Sie den Eintrag aus der Konfiguration von ${of}.`,
    allow: (of) => `Schalten Sie den Server unter „KI-Apps“ für ${of} ein.`,
    renew: (of) => `Schalten Sie den Server unter „KI-Apps“ für ${of} aus und wieder ein.`,
    'renew-address': (of) => `Schalten Sie den Server unter „KI-Apps“ für ${of} aus und wieder ein.`,
    'change-setting': (of) => `Ändern Sie diese Einstellung in ${of}.`,
    paste: (of) => `Fügen Sie sie ein. Die Seite von ${of} unter „KI-Apps“ zeigt sie.`,
    'add-servers': () => 'Fügen Sie unter „KI-Apps“ Server hinzu.',
  },
  checkOk: 'funktioniert',
  proxy: 'Proxy',
  proxyDirect: 'Keiner. Postern verbindet sich direkt.',
  proxyInUse: (host) => `Postern verbindet sich über ${host ?? 'den Proxy, der auf diesem Computer eingestellt ist'}.`,
  proxyNotUsed: (host) =>
    `Postern kann den Proxy ${host === undefined ? '' : `${host} `}dieses Computers nicht nutzen.`,
  certificates: 'Zertifikate',
  certificatesOfSystem: 'Die, denen dieser Computer vertraut.',
  certificatesOfFile: (file) => `Die, denen dieser Computer vertraut, und die in ${file}.`,
  chooseCertificates: 'Datei auswählen…',
  forgetCertificates: 'Datei nicht mehr verwenden',
  certificatesHint: 'Nur nötig, wenn Ihre Firma eigene Zertifizierungsstellen hat. Die Datei muss im PEM-Format sein.',
  list: 'Serverliste',
  listText:
    'Ihre Server ohne Geheimnisse, zum Sichern, Weitergeben oder Umziehen. Postern lässt weg, was in einer Adresse nach einem ? steht, aber keinen Schlüssel in der Adresse selbst.',
  exportButton: 'Exportieren',
  importButton: 'Importieren',
  exported: 'Die Liste wurde exportiert.',
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
    `${count === 1 ? 'Eine Berechtigung oder Anmeldeadresse wurde' : `${count} Berechtigungen oder Anmeldeadressen wurden`} weggelassen. Postern fragt Sie bei der Anmeldung.`,
  importRefused: (count) => `${count} ${count === 1 ? 'war' : 'waren'} nicht lesbar.`,
  checklist: 'Melden Sie sich bei jedem davon erneut an:',
  version: 'Version',
  logsRow: 'Protokolle',
  logs: 'Protokolle öffnen',
  logsHint: 'Protokolle enthalten nie Geheimnisse.',
  shortcuts: 'Tastenkürzel',
  deleteKey: 'Entf',
  shortcutList: {
    connect: 'Server verbinden',
    search: 'Server suchen',
    settings: 'Einstellungen',
    fold: 'Seitenleiste einklappen',
    rename: 'Server umbenennen',
    remove: 'Server entfernen',
    move: 'In der Liste bewegen',
    close: 'Dialog schließen oder Suche leeren',
  },
};

export const backgroundWords: Translated<typeof englishBackgroundWords> = {
  paused: 'Alle Apps sind angehalten',
  pausedText: 'Postern weist ihre Anfragen ab und nennt den Grund.',
  resume: 'Fortsetzen',
  portText:
    'KI-Apps, die sich mit einer Adresse verbinden, erreichen Postern nicht. Geben Sie den Port frei, und versuchen Sie es erneut, oder wählen Sie einen anderen. Postern aktualisiert dann die Einträge mit dem Port.',
  portStill: 'Der Port ist noch belegt.',
  tryPort: 'Erneut versuchen',
  choosePort: 'Anderen Port wählen',
  offer: 'Postern starten, wenn Sie sich am Computer anmelden?',
  offerText:
    'Es startet im Hintergrund, damit Ihre KI-Apps ihre Server sofort nutzen können. Das können Sie in den Einstellungen ändern.',
  accept: 'Bei der Anmeldung starten',
  decline: 'Jetzt nicht',
};

export const updateWords: Translated<typeof englishUpdateWords> = {
  title: 'Updates',
  automatic: 'Nach neuen Versionen von Postern suchen',
  automaticHint: 'Beim Start und einmal am Tag. Postern lädt und installiert nichts, ohne zu fragen.',
  check: 'Jetzt suchen',
  checking: 'Wird gesucht…',
  current: (version, when) =>
    when === undefined ? `Sie haben Version ${version}.` : `Version ${version} ist aktuell (geprüft ${when}).`,
  available: (version) => `Postern ${version} ist verfügbar.`,
  download: 'Update herunterladen',
  downloading: (version, percent) => `Postern ${version} wird heruntergeladen: ${percent} %`,
  ready: (version) => `Postern ${version} ist bereit zur Installation.`,
  readyText: 'Starten Sie jetzt neu, oder es wird beim nächsten Start installiert.',
  restart: 'Jetzt neu starten',
  later: 'Später',
  obstacles: {
    source: 'Dieses Postern läuft aus dem Quelltext. Aktualisieren Sie stattdessen den Quelltext.',
    managed: 'Die Administration dieses Computers aktualisiert Postern.',
    'unsigned-build': 'Dieser Build von Postern hat keine vertrauenswürdige Quelle für Updates.',
    'not-installed':
      'Dieses Postern wurde von Hand entpackt. Neue Versionen gibt es dort, wo Sie diese bekommen haben.',
  },
};

const servers = (count: number): string => `${count} Server`;
const ofServers = (count: number): string => `${count} ${count === 1 ? 'Server' : 'Servern'}`;
const signIns = (count: number): string => `${count} ${count === 1 ? 'Anmeldung' : 'Anmeldungen'}`;

export const deletionWords: Translated<typeof englishDeletionWords> = {
  setting: 'Alle Daten',
  settingText: 'Server, Anmeldungen, Einstellungen und Protokolle von Postern auf diesem Computer.',
  open: 'Alle Daten löschen…',
  deletedTitle: 'Von diesem Computer gelöscht',
  deletedServers: (count) => `${servers(count)} mit Namen, Adressen und Optionen`,
  deletedSignIns: (count) => `${signIns(count)} und alle API-Schlüssel, samt ihrem Schlüssel im Schlüsselbund`,
  deletedSettings: 'alle Einstellungen, auch der Port der Callback-URL, und die Protokolle',
  deletedApps: 'Sammlungen, App-Berechtigungen, das Aktivitätsprotokoll und die Kopien von App-Konfigurationen',
  revokesAccess: 'Postern bittet jeden erreichbaren Dienst, den Zugriff zu widerrufen.',
  remainsTitle: 'Nicht gelöscht',
  remainingAccounts: 'Ihre Konten bei den Diensten und alles, was dort gespeichert ist',
  remainingApps: 'OAuth-Apps, die Sie bei einem Dienst angelegt haben',
  serversLeft: (count) => (count === 0 ? 'Der Zugriff bei den Diensten wird widerrufen.' : `Noch ${servers(count)}.`),
  done: (count) => `${signIns(count)} aus dem Schlüsselbund entfernt.`,
  partly: (count, gone) =>
    `${servers(count)} und ${signIns(gone)} wurden gelöscht. Manche Daten sind noch auf diesem Computer.`,
  revoked: (count) => (count === 0 ? '' : `Die Dienste haben ${signIns(count)} widerrufen.`),
  notRevoked: (count) =>
    count === 0
      ? ''
      : `${signIns(count)} konnte Postern nicht ganz widerrufen. ${count === 1 ? 'Sie läuft' : 'Sie laufen'} von selbst ab.`,
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
  final: `Sie können das ${undoSeconds} Sekunden lang rückgängig machen.`,
  finalCollection: `Hier können Sie das ${undoSeconds} Sekunden lang rückgängig machen, mit „postern undo“ eine Stunde lang.`,
  deleting: 'Wird gelöscht, der Zugriff von Postern beim Dienst wird widerrufen.',
  finished: {
    signOut: (name, count) =>
      count === 1
        ? `Die Anmeldung bei ${name ?? ofServers(1)} wurde von diesem Computer gelöscht.`
        : `Die Anmeldungen bei ${ofServers(count)} wurden von diesem Computer gelöscht.`,
    remove: (name, count) =>
      `${count === 1 ? `${name ?? servers(1)} wurde` : `${servers(count)} wurden`} von diesem Computer entfernt.`,
  },
  changedMeanwhile: {
    signOut: (name, count) =>
      count === 1
        ? `Inzwischen gibt es eine neue Anmeldung bei ${name ?? ofServers(1)}. Postern hat sie nicht gelöscht.`
        : `Inzwischen gibt es neue Anmeldungen bei ${ofServers(count)}. Postern hat sie nicht gelöscht.`,
    remove: (name, count) =>
      count === 1
        ? `${name ?? servers(1)} wurde inzwischen wieder hinzugefügt. Postern hat den Server nicht entfernt.`
        : `${servers(count)} wurden inzwischen wieder hinzugefügt. Postern hat sie nicht entfernt.`,
  },
  restored: {
    signOut: (name, count) => `Sie sind wieder bei ${count === 1 ? name : ofServers(count)} angemeldet.`,
    remove: (name, count) => `${count === 1 ? `${name} ist` : `${servers(count)} sind`} wieder da.`,
  },
  tooLate: 'Zum Rückgängigmachen ist es zu spät. Das Löschen hat begonnen.',
  entriesNotRestored: (apps) =>
    apps.length === 0
      ? ''
      : `Postern konnte den Eintrag in ${apps.join(', ')} nicht wiederherstellen. Fügen Sie ihn unter „${integrationWords.apps}“ neu hinzu.`,
  incomplete: {
    signOut: (name, count) =>
      count === 1
        ? `Die Anmeldung bei ${name} ist noch auf diesem Computer.`
        : `Postern konnte nicht alle Anmeldungen bei ${ofServers(count)} löschen.`,
    remove: (name, count) =>
      count === 1
        ? `Ein Teil der Daten von ${name} ist noch auf diesem Computer.`
        : `Postern konnte nicht alle Daten von ${ofServers(count)} löschen.`,
  },
  triesAgain: (reason) => `${reason} Postern versucht es beim nächsten Start noch einmal.`,
};
