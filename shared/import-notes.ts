/** What is to be said of a server in a pasted list, by name. */
export const importNotes = [
  'unwrapped-mcp-remote',
  'header-to-fill-in',
  'header-unusable',
  'url-to-fill-in',
  'local-command',
  'command-to-fill-in',
  'command-unusable',
  'command-empty',
  'switched-off',
  'in-sandbox',
  'members-unread',
] as const;

export type ImportNote = (typeof importNotes)[number];

/** Whether something is missing that only the user has: such an entry is not connected as it is. */
export function isToFillIn(notes: readonly ImportNote[]): boolean {
  return notes.some(
    (note) => note === 'url-to-fill-in' || note === 'header-to-fill-in' || note === 'command-to-fill-in',
  );
}
