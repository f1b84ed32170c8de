import type { AppView } from '../../app-view.ts';
import type { ConnectionView } from '../../connection-view.ts';
import type { IntegrationView } from '../../integration-view.ts';
import { statusWords } from '../../status-words.ts';

export const commonWords = {
  common: {
    product: 'Postern',
    close: 'Close',
    cancel: 'Cancel',
    copy: 'Copy',
    copied: 'Copied',
    save: 'Save',
    saved: 'Saved',
    dismiss: 'Dismiss',
    tryAgain: 'Try again',
    optional: 'optional',
    loading: 'Loading',
    why: 'Why?',
    none: 'none',
    back: 'Back',
  },
  page: {
    broken: 'This page could not be shown.',
    showAgain: 'Show it again',
  },
  scopes: {
    missing: 'not granted',
    none: 'The server asks for none.',
  },
  sidebar: {
    label: 'Connected servers',
    search: 'Search servers',
    connect: 'Connect a server',
    settings: 'Settings',
    inProgress: 'In progress',
    servers: 'Servers',
    count: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'server' : 'servers'}`,
    found: (found: number, count: number) => `${found.toLocaleString('en')} of ${count.toLocaleString('en')}`,
    needYou: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'needs' : 'need'} you`,
    showAll: 'Show all',
    nothingFound: (search: string) => `No server matches “${search}”.`,
    empty: 'No servers yet.',
    unreadable: 'Your servers cannot be shown.',
  },
  status: statusWords,
  busy: {
    connecting: 'Connecting',
    calling: 'Waiting for an answer',
    refreshing: 'Refreshing',
    signingOut: 'Signing out',
    removing: 'Removing',
    signingIn: 'Signing in',
  } satisfies Record<NonNullable<IntegrationView['busy']>, string>,
  offlineUntil: (time: string) => `Offline, retries at ${time}`,
  progress: {
    urlEntered: 'Not started',
    cancelled: 'Stopped',
    discovering: 'Looking',
    discovered: 'Your turn',
    registering: 'Registering',
    awaitingCredentials: 'Needs a client ID',
    authorizationPending: 'Waiting for sign-in',
    exchanging: 'Finishing',
    ticketIssued: 'Finishing',
    integrated: 'Connected',
    reauthenticationRequired: 'Needs sign-in',
    failed: 'Failed',
  } satisfies Record<ConnectionView['state']['name'] | 'cancelled', string>,
  banner: {
    memoryOnlyTitle: 'Sign-ins will be forgotten when Postern closes.',
    memoryOnlyText: 'There is no usable keychain, and Postern never writes a sign-in where others could read it.',
    troubleTitle: 'Sign-ins cannot be read or kept just now.',
    details: 'Storage details',
    test: 'Test again',
  },
  sandbox: {
    title: 'Sign-in pages are not in a sandbox',
    why: {
      off: 'Postern was started with its sandbox switched off.',
      leftOut: 'An AppImage starts without it where user namespaces are refused, as on Ubuntu 23.10 and newer.',
    } satisfies Record<Exclude<AppView['sandbox'], 'on'>, string>,
    risk: 'A harmful page that finds a fault in the window could reach your files. Your browser has a sandbox of its own.',
    useBrowser: 'Open sign-in pages in my browser',
  },
};

export const homeWords = {
  title: 'Home',
  nothing: 'Nothing needs you right now.',
  programs: 'Programs in use',
  noPrograms: 'No program uses your servers yet.',
  calls: 'Last activity',
  allCalls: 'All activity',
};

const servers = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'server' : 'servers'}`;

/** Of the side bar, as a person arranges it. */
export const arrangeWords = {
  chosen: servers,
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  use: 'Use in programs…',
  actions: 'Actions for the selected servers',
  inGroup: (count: number) => (count === 1 ? 'server' : 'servers'),
  pinned: 'pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  move: 'Move to group…',
  rename: 'Rename group…',
  ungroup: 'Dissolve group',
  group: 'Group',
  newGroup: 'New group',
  noGroup: 'No group',
  groupName: 'Group name',
  moveTitle: (name: string) => `Move ${name} to a group`,
  renameTitle: (group: string) => `Rename ${group}`,
  moveButton: 'Move',
  renameButton: 'Rename',
  fold: 'Fold the side bar',
  unfold: 'Unfold the side bar',
};

export const paletteWords = {
  title: 'Go to or do',
  label: 'Server, tool, page or action',
  open: 'Search or do anything',
  shortcut: 'Ctrl K',
  found: 'What was found',
  nothing: 'Nothing found.',
  page: 'Page',
  action: 'Action',
  program: 'Program',
  tool: 'Tool',
  setting: (section: string) => `Settings: ${section}`,
  pause: 'Pause all programs',
  resume: 'Let programs go on',
  serverAction: (server: string, action: string) => `${server}: ${action}`,
};

/** Of `postern:` links. */
export const linkWords = {
  asksToConnect: (host: string) => `A link wants to connect ${host}.`,
  asksToOpen: (name: string | undefined) =>
    name === undefined ? 'A link wants to open a server.' : `A link wants to open ${name}.`,
  held: 'What you were doing is still here.',
  connect: 'Check it',
  open: 'Open it',
  unusable: 'Postern cannot use the link that was opened.',
  unusableMore: 'Copy the address of the server instead, and paste it under “Connect a server”.',
  unknown: 'The link leads to a server that is not in your list.',
  unknownMore: 'It may have been removed. Connect it again to use it.',
};
