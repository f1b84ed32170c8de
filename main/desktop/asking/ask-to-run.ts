import type { LocalCommand } from '../../../shared/local-command.ts';
import type { LocalValues } from '../../integration/kept/local-consent.ts';
import { shownVariables } from '../../secret-words.ts';
import { windowWords } from '../../window-words.ts';
import type { PersonQuestion } from '../../window-ports.ts';

/** What a dialog of the system shows on any screen with its buttons. */
const page = { lines: 24, length: 100 } as const;

/**
 * Asks whether a command may run, all of it: a dialog of the system does not scroll, so one after the other shows what is
 * too long for one, and the last has the button that starts it.
 */
export async function askToRun(
  ask: (question: PersonQuestion) => Promise<boolean>,
  name: string,
  command: LocalCommand,
  values: LocalValues,
): Promise<boolean> {
  const { message, detail, button, next } = windowWords.ask.runCommand(name, command, shownVariables(command, values));
  const lines = detail.split('\n').flatMap((line) => inParts([...line]));
  const count = Math.ceil(lines.length / page.lines);
  for (let number = 1; number <= count; number += 1) {
    const shown = lines.slice((number - 1) * page.lines, number * page.lines).join('\n');
    const place = count === 1 ? '' : ` (${number}/${count})`;
    if (!(await ask({ message: `${message}${place}`, detail: shown, button: number === count ? button : next })))
      return false;
  }
  return true;
}

/** One line for each part; an arrow shows that it goes on. */
function inParts(characters: readonly string[]): readonly string[] {
  if (characters.length <= page.length) return [characters.join('')];
  const first = characters.slice(0, page.length).join('');
  return [`${first} ↩`, ...inParts(characters.slice(page.length))];
}
