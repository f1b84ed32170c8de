/** Words that main itself shows: menus, notices, titles. Those of the pages are in the renderer's catalogue. */
export const windowWords = {
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
  },
  signInEnded: 'The sign-in has ended. Sign in again to go on.',
  notEncrypted: (host: string) => `${host} (not encrypted)`,
  installed: { message: 'The command is there.', detail: 'In a new terminal, try: postern list' },
  byHand: {
    occupied: (link: string) => `Something else is at ${link}.`,
    notAllowed: 'That needs an administrator of this Mac.',
    detail: (line: string) => `Run this in a terminal:\n\n${line}`,
    buttons: ['Copy', 'Close'],
  },
  exportedList: 'postern-integrations.json',
} as const;
