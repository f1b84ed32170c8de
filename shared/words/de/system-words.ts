import { undoSeconds } from '../../bounds.ts';
import type { RunFacts } from '../../local-command.ts';
import { downloadsCode, visibleWord } from '../../command-display.ts';
import type { SystemWords } from '../en/system-words.ts';
import { activityWords } from './activity-words.ts';
import { appWords } from './app-words.ts';

const trayPlaces: Readonly<Record<string, string>> & { readonly linux: string } = {
  darwin: 'in der Menüleiste',
  win32: 'im Infobereich',
  linux: 'in der Systemleiste, falls Ihr Desktop eine hat',
};

const list = new Intl.ListFormat('de', { type: 'conjunction' });

function oneOrMany(names: readonly string[]): string {
  return names.length === 1 ? `„${names.join('')}“` : `${names.length} Server`;
}

/** Introduces a question, if entries will be removed from apps first. */
function entriesRemovedFirst(apps: readonly string[]): string {
  return apps.length === 0 ? '' : `Postern entfernt zuerst die gezeigten Einträge aus ${list.format(apps)}. `;
}

export const systemWords: SystemWords = {
  app: 'Postern',
  example: appWords.connected.example,
  menu: {
    about: 'Über Postern',
    settings: 'Einstellungen…',
    connect: 'Server verbinden…',
    find: 'Suchen',
    file: '&Datei',
    edit: '&Bearbeiten',
    view: '&Ansicht',
    help: '&Hilfe',
    updates: 'Updates…',
    installCommand: 'Befehl „postern“ installieren…',
    roles: {
      services: 'Dienste',
      hide: 'Postern ausblenden',
      hideOthers: 'Andere ausblenden',
      unhide: 'Alle einblenden',
      quit: 'Postern beenden',
      close: 'Fenster schließen',
      undo: 'Rückgängig',
      redo: 'Wiederholen',
      cut: 'Ausschneiden',
      copy: 'Kopieren',
      paste: 'Einfügen',
      selectAll: 'Alles auswählen',
      resetZoom: 'Originalgröße',
      zoomIn: 'Vergrößern',
      zoomOut: 'Verkleinern',
      togglefullscreen: 'Vollbild',
      windowMenu: 'Fenster',
      minimize: 'Minimieren',
      zoom: 'Zoomen',
      front: 'Alle nach vorne bringen',
    },
  },
  toolsChanged: 'Die Tools haben sich geändert. Prüfen Sie die Änderungen unter „KI-Apps“.',
  signInEnded: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an.',
  appAsks: {
    known: (app: string) => `${app} möchte diesen Server nutzen. Öffnen Sie Postern, um zu antworten.`,
    unknownApp: (name: string) =>
      name === ''
        ? 'Eine App, die sich nicht ausweist, möchte diesen Server nutzen. Öffnen Sie Postern, um zu antworten.'
        : `Eine App, die sich „${name}“ nennt, möchte diesen Server nutzen. Öffnen Sie Postern, um zu antworten.`,
  },
  callAsks: (app: string | undefined, call: string | undefined) =>
    `${app ?? 'Eine unbekannte App'} möchte ein Tool dieses Servers aufrufen${call === undefined ? '. Antworten Sie im kleinen Fenster.' : `:\n${call}`}`,
  callAnswers: { once: 'Einmal erlauben', no: 'Ablehnen', show: 'Ansehen' },
  serverAsks: 'Dieser Server hat eine Frage. Öffnen Sie Postern, um zu antworten.',
  appNeeds: {
    'sign-in': (app: string) => `${app} möchte diesen Server nutzen. Melden Sie sich dafür an.`,
    permissions: (app: string) => `${app} möchte diesen Server nutzen und braucht dafür mehr Berechtigungen.`,
    key: (app: string) => `${app} möchte diesen Server nutzen und braucht dafür einen anderen API-Schlüssel.`,
  },
  notEncrypted: (host: string) => `${host} (unverschlüsselt)`,
  installed: {
    message: 'Der Befehl „postern“ ist installiert.',
    detail: 'Probieren Sie in einem neuen Terminal: postern list',
  },
  manualInstall: {
    occupied: (link: string) => `Unter ${link} liegt schon etwas anderes.`,
    notAllowed: 'Dafür ist ein Administrator dieses Mac nötig.',
    detail: (line: string) => `Führen Sie das in einem Terminal aus:\n\n${line}`,
    buttons: ['Kopieren', 'Schließen'],
  },
  tray: {
    open: 'Postern öffnen',
    pause: 'Alle Apps anhalten',
    resume: 'Alle Apps fortsetzen',
    quit: 'Postern beenden',
    needs: (server: string) => `${server} wartet auf Sie…`,
    more: (servers: number) => `${servers} weitere…`,
    fine: 'nichts zu tun',
    paused: 'alle Apps sind angehalten',
    needAttention: (servers: number) => `${servers} Server ${servers === 1 ? 'wartet' : 'warten'} auf Sie`,
  },
  keepsRunning: {
    message: 'Postern läuft weiter',
    detail: (platform: string) =>
      `KI-Apps können Ihre Server weiter nutzen. Das Symbol von Postern ist ${trayPlaces[platform] ?? trayPlaces.linux}. Starten Sie Postern noch einmal, um dieses Fenster zu öffnen. Das können Sie in den Einstellungen ändern.`,
    buttons: ['OK', 'Postern beenden'],
  },
  cancel: 'Abbrechen',
  certificateFile: 'Zertifikate Ihrer Firma (PEM)',
  assertionFile: (server: string) => `Assertion-Datei für ${server}`,
  ask: {
    deleteAll: (servers: number | undefined, apps: readonly string[]) => ({
      message: 'Alle Daten von Postern löschen?',
      detail: `${entriesRemovedFirst(apps)}${servers === undefined ? 'Alle Server' : `${servers} Server`}, alle Anmeldungen, die Einstellungen und die Protokolle werden von diesem Computer gelöscht. Postern bittet jeden erreichbaren Dienst, den Zugriff zu widerrufen. Das lässt sich nicht rückgängig machen.`,
      button: 'Alle Daten löschen',
    }),
    revoke: (app: string) => ({
      message: `${app} allen Zugriff entziehen?`,
      detail: 'Laufende Aufrufe werden beendet. Die Einträge bleiben in der Konfiguration.',
      button: 'Zugriff entziehen',
    }),
    runCommand: ({ name, command, shown, remote, replaced }: RunFacts) => ({
      message: `„${name}“ auf diesem Computer ausführen?`,
      detail: [
        visibleWord(command.path),
        ...command.arguments.map((word) => `    ${visibleWord(word)}`),
        '',
        command.folder === undefined ? 'In Ihrem persönlichen Ordner' : `Im Ordner ${visibleWord(command.folder)}`,
        ...(command.variables.length === 0
          ? []
          : [`Mit ${command.variables.map((variable) => visibleWord(variable)).join(', ')}`]),
        ...(command.lifetime === 'shared' ? ['Ein Prozess für alle Apps'] : []),
        ...(command.from === undefined ? [] : [`Er kommt aus ${visibleWord(command.from)}.`]),
        ...shown.map((variable) =>
          variable.decides
            ? `${visibleWord(variable.name)} kann ändern, welcher Code läuft. Der Wert ist ${visibleWord(variable.value)}`
            : `${visibleWord(variable.name)} ist ${visibleWord(variable.value)}`,
        ),
        ...(command.sealed === undefined ? [] : ['„…“ steht für ein Geheimnis, das Postern verschlüsselt speichert.']),
        ...(downloadsCode(command)
          ? [
              `„${visibleWord(command.command)}“ lädt Code herunter und führt ihn aus. Er kann jedes Mal ein anderer sein.`,
            ]
          : []),
        ...(remote
          ? [
              remote.isBridged
                ? `mcp-remote stellt nur eine Verbindung zu ${visibleWord(remote.address)} her, das Postern direkt erreicht.`
                : `${visibleWord(remote.name)} hat einen eigenen Server im Web. Auf diesem Computer muss dafür nichts laufen: ${visibleWord(remote.address)}`,
            ]
          : []),
        ...(replaced ? [`Er ersetzt den bisherigen Befehl von „${name}“: ${visibleWord(replaced.command)}`] : []),
        ...(replaced && replaced.variables.length > 0
          ? [`Postern löscht die Werte von ${replaced.variables.map((variable) => visibleWord(variable)).join(', ')}.`]
          : []),
        'Er läuft mit Ihren Rechten und darf auf diesem Computer alles, was Sie dürfen.',
      ].join('\n'),
      button: 'Erlauben und starten',
      next: 'Weiter',
    }),
    remove: (names: readonly string[], apps: readonly string[]) => ({
      message: `${oneOrMany(names)} entfernen?`,
      detail: `${entriesRemovedFirst(apps)}Sie können das ${undoSeconds} Sekunden lang rückgängig machen. Danach löscht Postern die Anmeldung von diesem Computer und bittet den Dienst, sie zu widerrufen, wenn er das unterstützt. Daten beim Dienst werden nicht gelöscht.`,
      button: 'Entfernen',
    }),
  },
  exportedList: 'postern-integrations.json',
  exportedActivity: 'postern-aktivitaet.csv',
  activityColumns: activityWords.facts,
} as const;
