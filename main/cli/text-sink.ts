import type { Writable } from 'node:stream';

/**
 * Where text goes. A reader that has gone away (EPIPE) is not an error: the work goes on, unheard. A full disk is one:
 * somebody keeps the text and would take what is left of it for the whole.
 */
export interface TextSink {
  /** A terminal on which lines may be drawn again. */
  readonly isTerminal: boolean;
  write(text: string): void;
  /** Resolves when everything has left this process. */
  flush(): Promise<void>;
  /** Whether text that somebody wanted could not be written. */
  hasLost(): boolean;
}

export function createTextSink(stream: Writable & { isTTY?: boolean }): TextSink {
  let open = true;
  let lost = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== 'EPIPE') lost = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    write(text) {
      if (open) stream.write(text);
    },
    async flush() {
      // Node tells an error of a write one turn after it.
      await new Promise(setImmediate);
      if (!open || stream.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.once('error', () => resolve());
        stream.write('', () => setImmediate(resolve));
      });
    },
    hasLost: () => lost,
  };
}
