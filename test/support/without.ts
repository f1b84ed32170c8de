/** Removes members from a document. */
export const without =
  (...names: string[]) =>
  (document: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
