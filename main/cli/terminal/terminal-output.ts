import type { Writable } from 'node:stream';
import { isAsciiLocale, isHighSurrogate, plainPunctuation, printable } from '../text.ts';

/** The only control sequences that Postern writes (ECMA-48). */
export const controlSequences = {
  'erase-line': '\r\u001b[2K',
  green: '\u001b[32m',
  red: '\u001b[31m',
  dim: '\u001b[2m',
  plain: '\u001b[0m',
} as const;

type ControlSequence = keyof typeof controlSequences;

/**
 * An output stream for text. A closed reader (EPIPE) is not an error: the work continues. Other write errors, such as a
 * full disk, are: the truncated output would look complete.
 */
export interface TextSink {
  /** Whether lines can be redrawn. */
  readonly isTerminal: boolean;
  /** Escapes control and format characters, except line ends. */
  write(text: string): void;
  /** Writes server content byte for byte. Does nothing on a terminal. */
  writeRaw(piece: string | Uint8Array): void;
  /** The only way to move the cursor or set colors. */
  control(sequence: ControlSequence): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
  /** Whether output was lost, other than to a closed reader. */
  hasLostOutput(): boolean;
}

const sliceLength = 65_536;

/** `ascii`: replaces the typographic punctuation of our own sentences. */
export function createTextSink(stream: Writable & { isTTY?: boolean }, { ascii = false } = {}): TextSink {
  let isOpen = true;
  let isLost = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isOpen = false;
    if (error.code !== 'EPIPE') isLost = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    write(text) {
      if (isOpen) stream.write(printable(ascii ? plainPunctuation(text) : text));
    },
    writeRaw(piece) {
      if (!isOpen || stream.isTTY === true) return;
      // In slices, because a stream allocates three bytes per character of each write.
      for (let at = 0, end = 0; at < piece.length; at = end) {
        end = at + sliceLength;
        // Do not split a surrogate pair.
        if (typeof piece === 'string' && isHighSurrogate(piece.charCodeAt(end - 1))) end += 1;
        stream.write(piece.slice(at, end));
      }
    },
    control(sequence) {
      if (isOpen) stream.write(controlSequences[sequence]);
    },
    async flush() {
      // Node reports a write error one event loop turn later.
      await new Promise(setImmediate);
      if (!isOpen || stream.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.once('error', () => resolve());
        stream.write('', () => setImmediate(resolve));
      });
    },
    hasLostOutput: () => isLost,
  };
}

export type StepMark = 'done' | 'failed' | 'note';

/** Progress steps. On a terminal, the current step is animated. Elsewhere, each step is one line when it ends. */
export interface LiveSteps {
  /** Starts a step and erases an unfinished one. `text` may change over time. */
  begin(text: string | (() => string)): void;
  end(mark: StepMark, text: string): void;
  /** Erases the animated line, so that something else can be written. */
  clear(): void;
}

const brailleFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const asciiFrames = ['|', '/', '-', '\\'];
const frameTime = 100;
const marks = { done: '✓', failed: '✗', note: '·' } as const;
const plainMarks = { done: 'ok ', failed: 'no ', note: '-  ' } as const;
const colors = { done: 'green', failed: 'red', note: 'dim' } as const satisfies Record<StepMark, ControlSequence>;

interface LiveStepsOptions {
  readonly sink: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Current width of the terminal. */
  readonly columns: () => number;
}

export function createLiveSteps({ sink, env, columns }: LiveStepsOptions): LiveSteps {
  const frames = isAsciiLocale(env) ? asciiFrames : brailleFrames;
  // A screen reader would read every frame.
  const isAnimated = sink.isTerminal && env['TERM'] !== 'dumb' && !env['CI'] && !env['ACCESSIBLE'];
  // Any non-empty value (https://no-color.org).
  const isColored = isAnimated && !env['NO_COLOR'];
  let timer: NodeJS.Timeout | undefined;

  function clear(): void {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    sink.control('erase-line');
  }

  return {
    begin(text) {
      clear();
      if (!isAnimated) return;
      let frame = 0;
      const draw = (): void => {
        const line = typeof text === 'string' ? text : text();
        // A wrapped line could not be erased.
        const room = Math.max(columns() - 3, 10);
        const visible = line.length > room ? `${line.slice(0, room - 1)}…` : line;
        sink.control('erase-line');
        sink.write(`${frames[frame++ % frames.length]} ${visible}`);
      };
      draw();
      timer = setInterval(draw, frameTime);
      timer.unref();
    },
    end(mark, text) {
      clear();
      const symbol = isAnimated ? marks[mark] : plainMarks[mark];
      if (isColored) sink.control(colors[mark]);
      sink.write(symbol);
      if (isColored) sink.control('plain');
      sink.write(` ${text}\n`);
    },
    clear,
  };
}

/** No steps, for `--json`. */
export const silentSteps: LiveSteps = { begin() {}, end() {}, clear() {} };

/** Steps without a terminal: one line for each when it ends. */
export function plainSteps(write: (line: string) => void): LiveSteps {
  return { begin() {}, end: (mark, text) => write(`${plainMarks[mark]} ${text}`), clear() {} };
}
