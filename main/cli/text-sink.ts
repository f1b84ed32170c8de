import type { Writable } from 'node:stream';

/** Where text goes. A reader that has gone away (EPIPE) is not an error: the work goes on, unheard. */
export interface TextSink {
  /** A terminal on which lines may be drawn again. */
  readonly isTerminal: boolean;
  write(text: string): void;
  /** Resolves when everything has left this process. */
  flush(): Promise<void>;
}

export function createTextSink(stream: Writable & { isTTY?: boolean }): TextSink {
  let open = true;
  stream.on('error', () => (open = false));
  return {
    isTerminal: stream.isTTY === true,
    write(text) {
      if (open) stream.write(text);
    },
    async flush() {
      if (!open || stream.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.once('error', () => resolve());
        stream.write('', () => resolve());
      });
    },
  };
}
