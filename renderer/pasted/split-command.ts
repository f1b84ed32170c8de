/**
 * The words of a command line as a shell of POSIX splits them: quotes, a backslash before a character, a line that goes
 * on after one. Nothing is expanded and nothing is run; what follows `;`, `|` or `&&` is another command.
 */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  const joined = line.replace(/[\\^`]\r?\n\s*/gu, ' ');
  for (const [whole] of joined.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gsu)) {
    if (/^(?:;|\||&&|\|\|)$/u.test(whole)) break;
    words.push(whole.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gsu, unquote));
  }
  return words;
}

function unquote(_whole: string, double?: string, single?: string, escaped?: string): string {
  return double?.replaceAll(/\\(["\\$`])/gu, '$1') ?? single ?? escaped ?? '';
}
