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
  },
  signInEnded: 'The sign-in has ended. Sign in again to go on.',
  notEncrypted: (host: string) => `${host} (not encrypted)`,
  exportedList: 'postern-integrations.json',
} as const;
