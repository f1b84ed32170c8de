import { undoSeconds } from '../../bounds.ts';
import type { Translated } from '../../language.ts';
import type { RunFacts } from '../../local-command.ts';
import { downloadsCode, visibleWord } from '../../command-display.ts';
import { activityWords } from './activity-words.ts';
import { appWords } from './app-words.ts';

/** Not every Linux desktop has a tray. */
const trayNames: Readonly<Record<string, string>> & { readonly linux: string } = {
  darwin: 'menu bar',
  win32: 'notification area',
  linux: 'tray, if your desktop has one',
};

const list = new Intl.ListFormat('en', { type: 'conjunction' });

function oneOrMany(names: readonly string[]): string {
  return names.length === 1 ? names.join('') : `${names.length} servers`;
}

/** Introduces a question, if entries will be removed from apps first. */
function entriesRemovedFirst(apps: readonly string[]): string {
  return apps.length === 0 ? '' : `Postern first removes the entries it showed you from ${list.format(apps)}. `;
}

/** Menus, tray, notifications and system dialogs. */
export const systemWords = {
  app: 'Postern',
  example: appWords.connected.example,
  menu: {
    about: 'About Postern',
    settings: 'Settings…',
    connect: 'Connect a Server…',
    find: 'Find',
    file: '&File',
    edit: '&Edit',
    view: '&View',
    help: '&Help',
    updates: 'Updates…',
    installCommand: 'Install the postern Command…',
    /** Electron's built-in menu roles, which it would label in English. */
    roles: {
      services: 'Services',
      hide: 'Hide Postern',
      hideOthers: 'Hide Others',
      unhide: 'Show All',
      quit: 'Quit Postern',
      close: 'Close Window',
      undo: 'Undo',
      redo: 'Redo',
      cut: 'Cut',
      copy: 'Copy',
      paste: 'Paste',
      selectAll: 'Select All',
      resetZoom: 'Actual Size',
      zoomIn: 'Zoom In',
      zoomOut: 'Zoom Out',
      togglefullscreen: 'Full Screen',
      windowMenu: 'Window',
      minimize: 'Minimize',
      zoom: 'Zoom',
      front: 'Bring All to Front',
    },
  },
  toolsChanged: 'Its tools have changed. Review the changes under AI apps.',
  signInEnded: 'Your sign-in expired. Sign in again.',
  appAsks: {
    known: (app: string) => `${app} wants to use this server. Open Postern to answer.`,
    unknownApp: (name: string) =>
      name === ''
        ? 'An unidentified app wants to use this server. Open Postern to answer.'
        : `An app that calls itself “${name}” wants to use this server. Open Postern to answer.`,
  },
  callAsks: (app: string | undefined, call: string | undefined) =>
    `${app ?? 'An unknown app'} wants to call a tool of this server${call === undefined ? '. Answer in the small window.' : `:\n${call}`}`,
  callAnswers: { once: 'Allow once', no: 'Deny', show: 'Review' },
  serverAsks: 'This server has a question. Open Postern to answer.',
  appNeeds: {
    'sign-in': (app: string) => `${app} wants to use this server. Sign in to continue.`,
    permissions: (app: string) => `${app} wants to use this server, which needs more permissions.`,
    key: (app: string) => `${app} wants to use this server, which needs another API key.`,
  },
  notEncrypted: (host: string) => `${host} (not encrypted)`,
  installed: { message: 'The postern command is installed.', detail: 'In a new terminal, try: postern list' },
  manualInstall: {
    occupied: (link: string) => `Something else already exists at ${link}.`,
    notAllowed: 'This needs an administrator of this Mac.',
    detail: (line: string) => `Run this in a terminal:\n\n${line}`,
    buttons: ['Copy', 'Close'],
  },
  tray: {
    open: 'Open Postern',
    pause: 'Pause all apps',
    resume: 'Resume all apps',
    quit: 'Quit Postern',
    needs: (server: string) => `${server} needs attention…`,
    more: (servers: number) => `${servers} more…`,
    fine: 'nothing needs attention',
    paused: 'all apps are paused',
    needAttention: (servers: number) => `${servers} ${servers === 1 ? 'server needs' : 'servers need'} attention`,
  },
  keepsRunning: {
    message: 'Postern keeps running',
    detail: (platform: string) =>
      `AI apps can keep using your servers. Look for Postern’s icon in the ${trayNames[platform] ?? trayNames.linux}. Start Postern again to open this window. You can change this in Settings.`,
    buttons: ['OK', 'Quit Postern'],
  },
  cancel: 'Cancel',
  certificateFile: 'Certificates of your company (PEM)',
  assertionFile: (server: string) => `Assertion file for ${server}`,
  ask: {
    deleteAll: (servers: number | undefined, apps: readonly string[]) => ({
      message: 'Delete all Postern data?',
      detail: `${entriesRemovedFirst(apps)}${servers === undefined ? 'All servers' : servers === 1 ? '1 server' : `${servers} servers`}, every sign-in, the settings and the logs are deleted from this computer. Postern asks each service it can reach to revoke its access. You can’t undo this.`,
      button: 'Delete all data',
    }),
    revoke: (app: string) => ({
      message: `Revoke all access of ${app}?`,
      detail: 'Its running calls end now. Its entries stay in its configuration.',
      button: 'Revoke access',
    }),
    runCommand: ({ name, command, shown, remote, replaced }: RunFacts) => ({
      message: `Run “${name}” on this computer?`,
      detail: [
        visibleWord(command.path),
        ...command.arguments.map((word) => `    ${visibleWord(word)}`),
        '',
        command.folder === undefined ? 'In your home folder' : `In the folder ${visibleWord(command.folder)}`,
        ...(command.variables.length === 0
          ? []
          : [`With ${command.variables.map((variable) => visibleWord(variable)).join(', ')}`]),
        ...(command.lifetime === 'shared' ? ['One process for all apps'] : []),
        ...(command.from === undefined ? [] : [`It comes from ${visibleWord(command.from)}.`]),
        ...shown.map((variable) =>
          variable.decides
            ? `${visibleWord(variable.name)} can change which code runs. It is ${visibleWord(variable.value)}`
            : `${visibleWord(variable.name)} is ${visibleWord(variable.value)}`,
        ),
        ...(command.sealed === undefined ? [] : ['“…” stands for a secret, which Postern stores encrypted.']),
        ...(downloadsCode(command)
          ? [`“${visibleWord(command.command)}” downloads code and runs it. The code may differ each time.`]
          : []),
        ...(remote
          ? [
              remote.isBridged
                ? `mcp-remote only connects to ${visibleWord(remote.address)}, which Postern can reach directly.`
                : `${visibleWord(remote.name)} has its own remote server, so nothing has to run on this computer: ${visibleWord(remote.address)}`,
            ]
          : []),
        ...(replaced ? [`It replaces the current command of “${name}”: ${visibleWord(replaced.command)}`] : []),
        ...(replaced && replaced.variables.length > 0
          ? [`Postern deletes the values of ${replaced.variables.map((variable) => visibleWord(variable)).join(', ')}.`]
          : []),
        'It runs as you and can do anything you can on this computer.',
      ].join('\n'),
      button: 'Allow and start',
      next: 'Next',
    }),
    remove: (names: readonly string[], apps: readonly string[]) => ({
      message: `Remove ${oneOrMany(names)}?`,
      detail: `${entriesRemovedFirst(apps)}You can undo this for ${undoSeconds} seconds. Then Postern deletes the sign-in from this computer and asks the service to revoke it, if the service supports that. Data at the service is not deleted.`,
      button: 'Remove',
    }),
  },
  exportedList: 'postern-integrations.json',
  exportedActivity: 'postern-activity.csv',
  /** Column headings of that file. */
  activityColumns: activityWords.facts,
} as const;

export type SystemWords = Translated<typeof systemWords>;
