/** What is to be said of a server in a pasted list, by name. */
export const importNotes = [
  'unwrapped-mcp-remote',
  'header-to-fill-in',
  'header-unusable',
  'url-to-fill-in',
  'local-command',
  'command-to-fill-in',
  'command-unusable',
  'switched-off',
  'tools-unread',
] as const;

export type ImportNote = (typeof importNotes)[number];
