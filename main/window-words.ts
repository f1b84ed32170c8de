import { undoSeconds } from '../shared/bounds.ts';
import type { Language } from '../shared/choices.ts';
import type { ShownVariable } from '../shared/shown-command.ts';
import type { Translated } from '../shared/language.ts';
import type { LocalCommand } from '../shared/local-command.ts';
import { visibleWord } from '../shared/visible-word.ts';
import { germanWindowWords } from './german-window-words.ts';

type RunWords = Pick<LocalCommand, 'path' | 'arguments' | 'folder' | 'variables' | 'sealed'>;

/** Where systems show icons of programs that run; not every desktop of Linux does. */
const trayNames: Readonly<Partial<Record<NodeJS.Platform, string>>> & { readonly linux: string } = {
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

/** Words that main itself shows: menus, notices, titles. Those of the pages are in the renderer's catalogue. */
const english = {
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
    detail: (platform: NodeJS.Platform) =>
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
    runCommand: (
      name: string,
      { path, arguments: words, folder, variables, sealed }: RunWords,
      shown: readonly ShownVariable[],
    ) => ({
      message: `Let “${name}” run on this computer?`,
      detail: [
        visibleWord(path),
        ...words.map((word) => `    ${visibleWord(word)}`),
        '',
        ...(folder === undefined ? [] : [`In the folder ${visibleWord(folder)}`]),
        ...(variables.length === 0 ? [] : [`With ${variables.map((variable) => visibleWord(variable)).join(', ')}`]),
        ...shown.map((variable) =>
          variable.decides
            ? `${visibleWord(variable.name)} can decide which code runs. It is ${visibleWord(variable.value)}`
            : `${visibleWord(variable.name)} is ${visibleWord(variable.value)}`,
        ),
        ...(sealed === undefined ? [] : ['“…” stands for a secret, which Postern keeps sealed.']),
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
} as const;

export type WindowWords = Translated<typeof english>;

/** In the language that the window speaks. Read them when something is shown, not once as a module is loaded. */
export let windowWords: WindowWords = english;

/** What the window speaks. */
export let windowLanguage: Language = 'en';

/** From now on main shows its words in `language`. False: it did so already. */
export function speakInWindows(language: Language): boolean {
  if (language === windowLanguage) return false;
  windowLanguage = language;
  windowWords = language === 'de' ? germanWindowWords : english;
  return true;
}
