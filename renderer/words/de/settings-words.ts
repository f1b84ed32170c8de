import type { settingsWords as english } from '../en/settings-words.ts';
import type { Translated } from '../../../shared/translated.ts';

export const settingsWords: Translated<typeof english> = {
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
  list: 'Serverliste',
  listText:
    'Die Liste ohne Geheimnisse: zum Aufheben, Weitergeben oder Umziehen. Was in einer Adresse nach einem ? steht, wird weggelassen; ein Schlüssel in der Adresse selbst nicht.',
  exportButton: 'Exportieren',
  importButton: 'Importieren',
  exported: 'Die Liste wurde gespeichert.',
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
