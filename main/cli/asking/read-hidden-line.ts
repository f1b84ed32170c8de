import { stdinLength } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { StdinLines } from '../terminal/stdin-lines.ts';
import { UsageError } from '../options/usage-error.ts';

const interrupt = '\u0003';
const endOfInput = '\u0004';

/**
 * Reads one line from a terminal without showing it. `ask` writes the question once the echo is off, or a fast answer
 * would be shown. `undefined`: the person pressed Ctrl-D on an empty line.
 * Errors: USER_CANCELLED on Ctrl-C (in raw mode the terminal sends no signal), the reason of `signal`.
 */
export async function readHiddenLine(
  stdin: StdinLines,
  ask: () => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let typed: string[] = [];
  let done = false;
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const release = stdin.takeKeys((keys) => {
    // Terminals mark a paste (`ESC [200~`) and send arrow keys as escape sequences: no part of a secret.
    for (const key of keys.replace(/\u001b\[[0-9;]*[~A-Za-z]/gu, '')) {
      if (done) return;
      if (key === '\r' || key === '\n' || (key === endOfInput && typed.length > 0)) finish(typed.join(''));
      else if (key === endOfInput) finish(undefined);
      else if (key === interrupt) reject(new PosternError('USER_CANCELLED', { stage: 'credentials' }));
      else if (key === '\u007f' || key === '\b') typed.pop();
      else if (key === '\u0015') typed = [];
      else if (key >= ' ' && typed.push(key) > stdinLength) reject(new UsageError('The line has no end.'));
    }
  });
  function finish(line: string | undefined): void {
    done = true;
    resolve(line);
  }
  try {
    ask();
    return await promise;
  } finally {
    release();
    signal.removeEventListener('abort', abort);
  }
}
