/** The same id, whichever way it is written: some servers answer `"1"` to 1. */
export function idKey(id: string): string {
  if (!id.startsWith('"')) return id;
  try {
    return String(JSON.parse(id));
  } catch {
    return id;
  }
}

/**
 * Whether a server that answers with this id means the request with that one. Many keep of a number only what
 * JavaScript does: 12345678901234567890 comes back as 12345678901234567000, and 1.0 as 1.
 */
export function meansId(answered: string, asked: string): boolean {
  const key = idKey(answered);
  if (key === idKey(asked)) return true;
  return !asked.startsWith('"') && /^-?\d/u.test(key) && Number(key) === Number(asked);
}
