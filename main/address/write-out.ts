/** Text in which nothing is hidden: what has no shape of its own, or turns the direction of text, is written out. */
export function writeOutHidden(text: string): string {
  return text.replaceAll(
    /[^\P{C}\n]|[\u2028\u2029\u115f\u1160\u3164\uffa0\u034f\ufe00-\ufe0f\u17b4\u17b5\u180b-\u180f\u2800\u{e0100}-\u{e01ef}]/gu,
    (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
