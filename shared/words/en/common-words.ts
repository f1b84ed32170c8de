import type { CallEnd } from '../../activity.ts';
import type { DesktopView } from '../../desktop-view.ts';
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
    commandKey: (isMac: boolean) => (isMac ? '⌘' : 'Ctrl'),
  },
  page: {
    broken: 'This page could not be shown.',
    reload: 'Reload page',
  },
  scopes: {
    missing: 'not granted',
    none: 'The server asks for no permissions.',
  },
  sidebar: {
    label: 'Connected servers',
    search: 'Search servers',
    searchHint: 'Search',
    connect: 'Connect a server',
    settings: 'Settings',
    inProgress: 'In progress',
    servers: 'Servers',
    count: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'server' : 'servers'}`,
    found: (found: number, count: number) => `${found.toLocaleString('en')} of ${count.toLocaleString('en')}`,
    needAttention: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'needs' : 'need'} attention`,
    showAll: 'Show all',
    nothingFound: (search: string) => `No server matches “${search}”.`,
    empty: 'No servers yet.',
    unreadable: 'Postern can’t show your servers.',
  },
  status: statusWords,
  busy: {
    connecting: 'Connecting',
    calling: 'Waiting for a response',
    refreshing: 'Renewing sign-in',
    signingOut: 'Signing out',
    removing: 'Removing',
    signingIn: 'Signing in',
  } satisfies Record<NonNullable<IntegrationView['busy']>, string>,
  offlineUntil: (time: string) => `Offline, retrying at ${time}`,
  progress: {
    urlEntered: 'Not started',
    cancelled: 'Stopped',
    discovering: 'Checking',
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
    memoryOnlyTitle: 'Your sign-ins will be lost when you quit Postern.',
    memoryOnlyText: 'Postern found no usable keychain, and it never saves sign-ins unprotected.',
    troubleTitle: 'Postern can’t read or save sign-ins right now.',
    details: 'Show storage details',
    test: 'Test again',
  },
  sandbox: {
    title: 'Sign-in pages run without a sandbox',
    why: {
      off: 'Postern was started with the sandbox turned off.',
      leftOut: 'An AppImage runs without it where user namespaces are restricted, as on Ubuntu 23.10 and later.',
    } satisfies Record<Exclude<DesktopView['sandbox'], 'on'>, string>,
    risk: 'A malicious page could exploit a bug in the window to reach your files. Your browser has its own sandbox.',
    useBrowser: 'Open sign-in pages in my browser',
  },
};

const serverCount = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'server' : 'servers'}`;

export const homeWords = {
  title: 'Home',
  nothing: 'Nothing needs your attention.',
  noApps: 'No AI app uses your servers yet.',
  allCalls: 'Show all activity',
  matrix: 'Who uses what',
  app: 'AI app',
  showAll: (apps: number, servers: number) =>
    `Show all (${apps.toLocaleString('en')} ${apps === 1 ? 'app' : 'apps'}, ${serverCount(servers)})`,
  use: {
    today: (count: number) => `${count.toLocaleString('en')} today`,
    /** What an app may do that did nothing today. */
    rules: { all: 'all tools', some: 'some tools', ask: 'asks first', read: 'reads only' },
    signIn: 'sign in',
    needsUser: 'needs you',
    waiting: 'waiting',
    paused: 'paused',
    add: (server: string, app: string) => `Use ${server} in ${app}`,
    of: (app: string, server: string, use: string) => `${app}, ${server}: ${use}`,
  },
  today: 'Today',
  /** By method; the other ones have the tool. */
  worked: {
    'tools/call': '{app} used “{tool}” in {server}',
    'resources/read': '{app} read a resource in {server}',
    'prompts/get': '{app} used a prompt of {server}',
  } as Readonly<Record<string, string | undefined>>,
  ended: {
    ok: '{app} used “{tool}” in {server}',
    failed: 'Failed: {app} tried “{tool}” in {server}',
    cancelled: 'Canceled by the app: {app} tried “{tool}” in {server}',
    declined: 'You said no: {app} wanted to use “{tool}” in {server}',
    unanswered: 'You did not answer: {app} wanted to use “{tool}” in {server}',
    undecided: 'Not allowed yet: {app} wanted to use “{tool}” in {server}',
  } satisfies Record<CallEnd, string>,
  times: (count: number, last: string) =>
    count === 1 ? `once · ${last}` : `${count.toLocaleString('en')} times · last ${last}`,
  unknownApp: 'An unknown app',
  allowNextTime: 'Allow next time…',
  dismiss: (count: number) => (count === 1 ? 'Dismiss' : 'Dismiss all'),
};

/** Arranging the sidebar. */
export const arrangeWords = {
  chosen: serverCount,
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  use: 'Use in apps…',
  actions: 'Actions for the selected servers',
  inGroup: (count: number) => (count === 1 ? 'server' : 'servers'),
  pinned: 'pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  move: 'Move to group…',
  rename: 'Rename group…',
  ungroup: 'Ungroup',
  group: 'Group',
  newGroup: 'New group',
  noGroup: 'No group',
  groupName: 'Group name',
  moveTitle: (name: string) => `Move ${name} to a group`,
  renameTitle: (group: string) => `Rename ${group}`,
  moveButton: 'Move',
  renameButton: 'Rename',
  fold: 'Collapse the sidebar',
  unfold: 'Expand the sidebar',
};

export const paletteWords = {
  title: 'Search or run a command',
  label: 'Server, tool, page or action',
  open: 'Search or run a command',
  found: 'Results',
  nothing: 'No results.',
  page: 'Page',
  action: 'Action',
  app: 'App',
  tool: 'Tool',
  setting: (section: string) => `Settings: ${section}`,
  pause: 'Pause all apps',
  resume: 'Resume all apps',
  serverAction: (server: string, action: string) => `${server}: ${action}`,
};

/** `postern:` links. */
export const linkWords = {
  asksToConnect: (host: string) => `A link wants to connect Postern to ${host}.`,
  asksToOpen: (name: string | undefined) =>
    name === undefined ? 'A link wants to open a server.' : `A link wants to open ${name}.`,
  workStays: 'Your current work stays open.',
  connect: 'Check server',
  open: 'Open server',
  unusable: 'Postern can’t use this link.',
  unusableMore: 'Copy the server’s address instead, and paste it under “Connect a server”.',
  unknown: 'The link points to a server that is not in your list.',
  unknownMore: 'It may have been removed. Connect it again to use it.',
};
