import { undoSeconds } from '../../bounds.ts';
import type { Translated } from '../../language.ts';
import type { RunFacts } from '../../local-command.ts';
import { fetchesCode, visibleWord } from '../../shown-command.ts';
import { activityWords } from './activity-words.ts';

/** Where systems show icons of programs that run; not every desktop of Linux does. */
const trayNames: Readonly<Record<string, string>> & { readonly linux: string } = {
  darwin: 'menu bar',
  win32: 'notification area',
  linux: 'tray, if your desktop has one',
};

const list = new Intl.ListFormat('en', { type: 'conjunction' });

function oneOrMany(names: readonly string[]): string {
  return names.length === 1 ? names.join('') : `${names.length} servers`;
}

/** Before what follows: entries that were shown. */
function takenOut(programs: readonly string[]): string {
  return programs.length === 0
    ? ''
    : `The entries that you were shown are taken out of ${list.format(programs)} first. `;
}

/** What the system shows for Postern: menus, tray, notices and dialogs. */
export const systemWords = {
  program: 'Postern',
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
    /** What Electron does by itself, and would name in English. */
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
  toolsChanged: 'Tools have changed since you looked at them last. See Permissions.',
  signInEnded: 'The sign-in has ended. Sign in again to go on.',
  programAsks: {
    known: (program: string) => `${program} wants to use it. Open Postern to answer.`,
    stranger: (name: string) =>
      name === ''
        ? 'A program that does not say what it is wants to use it. Open Postern to answer.'
        : `A program that says it is “${name}” wants to use it. Open Postern to answer.`,
  },
  callAsks: (program: string | undefined) =>
    `${program ?? 'A program'} wants to call a tool of it. A small window waits for your answer.`,
  serverAsks: 'It asks you something. Open Postern to answer.',
  programNeeds: {
    'sign-in': (program: string) => `${program} wants to use it. Sign in to go on.`,
    permissions: (program: string) => `${program} wants to use it, which needs more permissions.`,
    key: (program: string) => `${program} wants to use it, which needs another API key.`,
  },
  notEncrypted: (host: string) => `${host} (not encrypted)`,
  installed: { message: 'The command is installed.', detail: 'In a new terminal, try: postern list' },
  byHand: {
    occupied: (link: string) => `Something else is at ${link}.`,
    notAllowed: 'That needs an administrator of this Mac.',
    detail: (line: string) => `Run this in a terminal:\n\n${line}`,
    buttons: ['Copy', 'Close'],
  },
  tray: {
    open: 'Open Postern',
    pause: 'Pause',
    resume: 'Resume',
    quit: 'Quit Postern',
    needs: (server: string) => `${server} needs you…`,
    more: (servers: number) => `${servers} more…`,
    fine: 'nothing needs you',
    paused: 'programs are paused',
    needYou: (servers: number) => `${servers} ${servers === 1 ? 'server needs' : 'servers need'} you`,
  },
  keepsRunning: {
    message: 'Postern keeps running',
    detail: (platform: string) =>
      `So your programs can go on using your servers. Its icon is in the ${trayNames[platform] ?? trayNames.linux}. Starting Postern again opens this window. Whether it keeps running is in Settings.`,
    buttons: ['OK', 'Quit Postern'],
  },
  cancel: 'Cancel',
  certificateFile: 'Certificates of your company (PEM)',
  assertionFile: (server: string) => `The file with the assertion for ${server}`,
  ask: {
    deleteAll: (servers: number | undefined, programs: readonly string[]) => ({
      message: 'Delete all data of Postern?',
      detail: `${takenOut(programs)}${servers === undefined ? 'All servers' : servers === 1 ? '1 server' : `${servers} servers`}, every sign-in, the settings and the logs are deleted from this computer. The services are told that the access ends, as far as they can be reached. This cannot be undone.`,
      button: 'Delete all data',
    }),
    signOut: (names: readonly string[]) => ({
      message: `Sign out of ${oneOrMany(names)}?`,
      detail: `You can undo it for ${undoSeconds} seconds. Then the sign-in is deleted from this computer, and the service is told to end the access, where it offers that. The server stays in your list.`,
      button: 'Sign out',
    }),
    revoke: (program: string) => ({
      message: `Let ${program} use nothing of Postern any more?`,
      detail: 'What it does with your servers just now is ended. Its entries stay in its file.',
      button: 'Revoke access',
    }),
    runCommand: ({ name, command, shown, remote, replaced }: RunFacts) => ({
      message: `Let “${name}” run on this computer?`,
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
            ? `${visibleWord(variable.name)} can decide which code runs. It is ${visibleWord(variable.value)}`
            : `${visibleWord(variable.name)} is ${visibleWord(variable.value)}`,
        ),
        ...(command.sealed === undefined ? [] : ['“…” stands for a secret, which Postern keeps sealed.']),
        ...(fetchesCode(command)
          ? [`“${visibleWord(command.command)}” fetches code and runs it: it may be other code each time.`]
          : []),
        ...(remote
          ? [
              remote.isBridged
                ? `mcp-remote only leads to ${visibleWord(remote.address)}, which needs no program on this computer.`
                : `${visibleWord(remote.name)} has a server of its own, which needs no program on this computer: ${visibleWord(remote.address)}`,
            ]
          : []),
        ...(replaced ? [`It replaces the command that “${name}” has now: ${visibleWord(replaced.command)}`] : []),
        ...(replaced && replaced.variables.length > 0
          ? [`The values of ${replaced.variables.map((variable) => visibleWord(variable)).join(', ')} are deleted.`]
          : []),
        'It runs as you, and can do on this computer what you can.',
      ].join('\n'),
      button: 'Allow and start',
      next: 'Next',
    }),
    remove: (names: readonly string[], programs: readonly string[]) => ({
      message: `Remove ${oneOrMany(names)}?`,
      detail: `${takenOut(programs)}You can undo it for ${undoSeconds} seconds. Then the sign-in is deleted from this computer, and the service is told to end the access, where it offers that. What you stored at the service stays there.`,
      button: 'Remove',
    }),
  },
  exportedList: 'postern-integrations.json',
  exportedActivity: 'postern-activity.csv',
  /** Heads of that table. */
  activityColumns: activityWords.facts,
} as const;

export type SystemWords = Translated<typeof systemWords>;
