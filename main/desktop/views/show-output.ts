/** Colours and the like, which a terminal would take for orders. */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/gu;
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What a program has written, as text: nothing in it moves, hides or turns what stands beside it. */
export function showOutput(text: string): string {
  return text.replace(/\r\n?/gu, '\n').replace(sequences, '').replace(hidden, '');
}
