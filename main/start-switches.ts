/**
 * Of the words that a program was started with those that may be switches. The protocol of Windows puts a link behind
 * the end of all switches (`--`), whatever it holds.
 */
export function startSwitches(given: readonly string[]): readonly string[] {
  const end = given.indexOf('--');
  return end === -1 ? given : given.slice(0, end);
}
