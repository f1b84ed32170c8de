import type { Browser } from './browser.ts';
import electron, { app } from './electron.ts';

interface Evaluation {
  readonly evaluate: number;
  /** Text of a function that takes the electron module and an argument. */
  readonly source: string;
  readonly argument: unknown;
}

/**
 * For a parent on Node's IPC channel: reports where its client connects to the pages, and runs functions in the main
 * process, as Playwright does with Electron.
 */
export function serveTests({ debuggingAddress }: Browser): void {
  const { channel } = process;
  if (!process.send) return;
  // A parent that is gone needs no answer.
  const send = (message: object): void => void process.send?.(message, undefined, {}, () => {});
  void debuggingAddress().then((pages) => send({ pages }));
  process.on('message', (message) => {
    const { evaluate, source, argument } = message as Evaluation;
    if (typeof evaluate !== 'number') return;
    // A value that cannot be sent, such as a handle, is also an error.
    void run(source, argument)
      .then((value) => send({ evaluated: evaluate, value }))
      .catch((error: unknown) =>
        send({ evaluated: evaluate, error: error instanceof Error ? error.message : String(error) }),
      );
  });
  // If the parent was killed, end too.
  process.once('disconnect', () => app.quit());
  // The channel must not keep the app running.
  channel?.unref();
}

async function run(source: string, argument: unknown): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-implied-eval -- a test's own function, in a process of the test
  const call = new Function(`return (${source})`)() as (module: typeof electron, argument: unknown) => unknown;
  return await call(electron, argument);
}
