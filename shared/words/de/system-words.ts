import { undoSeconds } from '../../bounds.ts';
import type { RunFacts } from '../../local-command.ts';
import { fetchesCode, visibleWord } from '../../shown-command.ts';
import type { SystemWords } from '../en/system-words.ts';
import { activityWords } from './activity-words.ts';

const trayPlaces: Readonly<Record<string, string>> & { readonly linux: string } = {
  darwin: 'in der Menüleiste',
  win32: 'im Infobereich',
  linux: 'in der Systemleiste, falls Ihr Desktop eine hat',
};

const list = new Intl.ListFormat('de', { type: 'conjunction' });

function oneOrMany(names: readonly string[]): string {
  return names.length === 1 ? `„${names.join('')}“` : `${names.length} Server`;
}

/** Before what follows: entries that were shown. */
function takenOut(programs: readonly string[]): string {
  return programs.length === 0
    ? ''
    : `Zuerst werden die gezeigten Einträge aus ${list.format(programs)} herausgenommen. `;
}

/** The same in German. */
export const systemWords: SystemWords = {
  program: 'Postern',
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
  toolsChanged: 'Tools haben sich geändert, seit Sie zuletzt nachgesehen haben. Siehe Berechtigungen.',
  signInEnded: 'Die Anmeldung ist abgelaufen. Melden Sie sich neu an, um weiterzumachen.',
  programAsks: {
    known: (program: string) => `${program} möchte diesen Server nutzen. Öffnen Sie Postern, um zu antworten.`,
    stranger: (name: string) =>
      name === ''
        ? 'Ein Programm, das sich nicht vorstellt, möchte diesen Server nutzen. Öffnen Sie Postern, um zu antworten.'
        : `Ein Programm, das sich „${name}“ nennt, möchte diesen Server nutzen. Öffnen Sie Postern, um zu antworten.`,
  },
  callAsks: (program: string | undefined) =>
    `${program ?? 'Ein Programm'} möchte ein Tool dieses Servers aufrufen. Ein kleines Fenster wartet auf Ihre Antwort.`,
  serverAsks: 'Dieser Server fragt Sie etwas. Öffnen Sie Postern, um zu antworten.',
  programNeeds: {
    'sign-in': (program: string) => `${program} möchte diesen Server nutzen. Melden Sie sich dafür an.`,
    permissions: (program: string) => `${program} möchte diesen Server nutzen und braucht dafür mehr Berechtigungen.`,
    key: (program: string) => `${program} möchte diesen Server nutzen und braucht dafür einen anderen API-Schlüssel.`,
  },
  notEncrypted: (host: string) => `${host} (unverschlüsselt)`,
  installed: { message: 'Der Befehl ist installiert.', detail: 'Versuchen Sie in einem neuen Terminal: postern list' },
  byHand: {
    occupied: (link: string) => `Unter ${link} liegt schon etwas anderes.`,
    notAllowed: 'Dafür ist ein Administrator dieses Mac nötig.',
    detail: (line: string) => `Führen Sie das in einem Terminal aus:\n\n${line}`,
    buttons: ['Kopieren', 'Schließen'],
  },
  tray: {
    open: 'Postern öffnen',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    quit: 'Postern beenden',
    needs: (server: string) => `${server} wartet auf Sie…`,
    more: (servers: number) => `${servers} weitere…`,
    fine: 'nichts zu tun',
    paused: 'Programme sind angehalten',
    needYou: (servers: number) => `${servers} Server ${servers === 1 ? 'wartet' : 'warten'} auf Sie`,
  },
  keepsRunning: {
    message: 'Postern läuft weiter',
    detail: (platform: string) =>
      `So können Ihre Programme Ihre Server weiter nutzen. Das Symbol steht ${trayPlaces[platform] ?? trayPlaces.linux}. Ein neuer Start von Postern öffnet dieses Fenster. Ob Postern weiterläuft, steht in den Einstellungen.`,
    buttons: ['OK', 'Postern beenden'],
  },
  cancel: 'Abbrechen',
  certificateFile: 'Zertifikate Ihrer Firma (PEM)',
  assertionFile: (server: string) => `Die Datei mit der Assertion für ${server}`,
  ask: {
    deleteAll: (servers: number | undefined, programs: readonly string[]) => ({
      message: 'Alle Daten von Postern löschen?',
      detail: `${takenOut(programs)}${servers === undefined ? 'Alle Server' : `${servers} Server`}, alle Anmeldungen, die Einstellungen und die Protokolle werden von diesem Computer gelöscht. Die Dienste erfahren, dass der Zugriff endet, soweit sie erreichbar sind. Das lässt sich nicht rückgängig machen.`,
      button: 'Alle Daten löschen',
    }),
    signOut: (names: readonly string[]) => ({
      message: `Von ${oneOrMany(names)} abmelden?`,
      detail: `Sie können das ${undoSeconds} Sekunden lang rückgängig machen. Danach wird die Anmeldung von diesem Computer gelöscht, und der Dienst wird gebeten, den Zugriff zu beenden, wo er das anbietet. Der Server bleibt in Ihrer Liste.`,
      button: 'Abmelden',
    }),
    revoke: (program: string) => ({
      message: `${program} den ganzen Zugriff auf Postern entziehen?`,
      detail: 'Was es gerade mit Ihren Servern macht, wird beendet. Seine Einträge bleiben in seiner Datei.',
      button: 'Zugriff entziehen',
    }),
    runCommand: ({ name, command, shown, remote, replaced }: RunFacts) => ({
      message: `„${name}“ auf diesem Computer ausführen?`,
      detail: [
        visibleWord(command.path),
        ...command.arguments.map((word) => `    ${visibleWord(word)}`),
        '',
        command.folder === undefined ? 'In Ihrem Benutzerordner' : `Im Ordner ${visibleWord(command.folder)}`,
        ...(command.variables.length === 0
          ? []
          : [`Mit ${command.variables.map((variable) => visibleWord(variable)).join(', ')}`]),
        ...(command.lifetime === 'shared' ? ['Ein Prozess für alle Apps'] : []),
        ...(command.from === undefined ? [] : [`Er kommt aus ${visibleWord(command.from)}.`]),
        ...shown.map((variable) =>
          variable.decides
            ? `${visibleWord(variable.name)} kann bestimmen, welcher Code läuft. Der Wert ist ${visibleWord(variable.value)}`
            : `${visibleWord(variable.name)} ist ${visibleWord(variable.value)}`,
        ),
        ...(command.sealed === undefined ? [] : ['„…“ steht für ein Geheimnis, das Postern versiegelt aufbewahrt.']),
        ...(fetchesCode(command)
          ? [`„${visibleWord(command.command)}“ lädt Code und führt ihn aus: Es kann jedes Mal anderer sein.`]
          : []),
        ...(remote
          ? [
              remote.isBridged
                ? `mcp-remote führt nur zu ${visibleWord(remote.address)}. Das braucht kein Programm auf diesem Computer.`
                : `${visibleWord(remote.name)} hat einen eigenen Server, der kein Programm auf diesem Computer braucht: ${visibleWord(remote.address)}`,
            ]
          : []),
        ...(replaced ? [`Er ersetzt den bisherigen Befehl von „${name}“: ${visibleWord(replaced.command)}`] : []),
        ...(replaced && replaced.variables.length > 0
          ? [`Die Werte für ${replaced.variables.map((variable) => visibleWord(variable)).join(', ')} werden gelöscht.`]
          : []),
        'Es läuft mit Ihren Rechten und darf auf diesem Computer, was Sie dürfen.',
      ].join('\n'),
      button: 'Erlauben und starten',
      next: 'Weiter',
    }),
    remove: (names: readonly string[], programs: readonly string[]) => ({
      message: `${oneOrMany(names)} entfernen?`,
      detail: `${takenOut(programs)}Sie können das ${undoSeconds} Sekunden lang rückgängig machen. Danach wird die Anmeldung von diesem Computer gelöscht, und der Dienst wird gebeten, den Zugriff zu beenden, wo er das anbietet. Was Sie beim Dienst gespeichert haben, bleibt dort.`,
      button: 'Entfernen',
    }),
  },
  exportedList: 'postern-integrations.json',
  exportedActivity: 'postern-aktivitaet.csv',
  activityColumns: activityWords.facts,
} as const;
