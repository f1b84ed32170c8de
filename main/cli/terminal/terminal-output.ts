import type { Writable } from 'node:stream';
import { isAsciiLocale, isHighSurrogate, plainPunctuation, printable } from '../text.ts';

/** ECMA-48: what may be done to a terminal. */
export const controlSequences = {
  'erase-line': '\r\u001b[2K',
  green: '\u001b[32m',
  red: '\u001b[31m',
  dim: '\u001b[2m',
  plain: '\u001b[0m',
} as const;

export type ControlSequence = keyof typeof controlSequences;

/**
 * Where text goes. A reader that has gone away (EPIPE) is not an error: the work goes on, unheard. A full disk is one:
 * somebody keeps the text and would take what is left of it for the whole.
 */
export interface TextSink {
  /** A terminal whose lines can be redrawn. */
  readonly isTerminal: boolean;
  /** Whatever the text holds, its control and format characters reach no terminal; line ends do. */
  write(text: string): void;
  /** What a server said, as it came: never for a terminal. */
  writeUnchanged(piece: string | Uint8Array): void;
  /** The only way for what moves or colours. */
  control(sequence: ControlSequence): void;
  /** Resolves when everything has left this process. */
  flush(): Promise<void>;
  /** Whether text that somebody wanted could not be written. */
  hasLost(): boolean;
}

const sliceLength = 65_536;

/** `ascii`: the typographic characters of our own sentences become those of ASCII. */
export function createTextSink(stream: Writable & { isTTY?: boolean }, { ascii = false } = {}): TextSink {
  let open = true;
  let lost = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== 'EPIPE') lost = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    write(text) {
      if (open) stream.write(printable(ascii ? plainPunctuation(text) : text));
    },
    writeUnchanged(piece) {
      if (!open || stream.isTTY === true) return;
      // A stream sets aside three bytes for each character of what it is given at once.
      for (let at = 0, end = 0; at < piece.length; at = end) {
        end = at + sliceLength;
        // Halves of a sign (UTF-16) are nothing by themselves.
        if (typeof piece === 'string' && isHighSurrogate(piece.charCodeAt(end - 1))) end += 1;
        stream.write(piece.slice(at, end));
      }
    },
    control(sequence) {
      if (open) stream.write(controlSequences[sequence]);
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

export type StepMark = 'done' | 'failed' | 'note';

/**
 * The list of steps that a person watches. On a terminal the last line moves while something is under way; anywhere
 * else each step is one plain line when it ends.
 */
export interface LiveSteps {
  /** Starts a step; one that was under way without an end disappears. `text` may change with time. */
  begin(text: string | (() => string)): void;
  end(mark: StepMark, text: string): void;
  /** Takes the moving line away, so that something else can be written or asked. */
  clear(): void;
}

const brailleFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const asciiFrames = ['|', '/', '-', '\\'];
const frameTime = 100;
const marks = { done: '✓', failed: '✗', note: '·' } as const;
const plainMarks = { done: 'ok ', failed: 'no ', note: '-  ' } as const;
const colors = { done: 'green', failed: 'red', note: 'dim' } as const satisfies Record<StepMark, ControlSequence>;

export interface LiveStepsOptions {
  readonly sink: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns of the terminal now. */
  readonly columns: () => number;
}

export function createLiveSteps({ sink, env, columns }: LiveStepsOptions): LiveSteps {
  const frames = isAsciiLocale(env) ? asciiFrames : brailleFrames;
  // A screen reader would read each drawing of a line that moves.
  const alive = sink.isTerminal && env['TERM'] !== 'dumb' && !env['CI'] && !env['ACCESSIBLE'];
  // https://no-color.org: any value that is not empty.
  const colored = alive && !env['NO_COLOR'];
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
      if (!alive) return;
      let frame = 0;
      const draw = (): void => {
        const line = typeof text === 'string' ? text : text();
        // A line that wraps could not be erased by going back to its start.
        const room = Math.max(columns() - 3, 10);
        const shown = line.length > room ? `${line.slice(0, room - 1)}…` : line;
        sink.control('erase-line');
        sink.write(`${frames[frame++ % frames.length]} ${shown}`);
      };
      draw();
      timer = setInterval(draw, frameTime);
      timer.unref();
    },
    end(mark, text) {
      clear();
      const sign = alive ? marks[mark] : plainMarks[mark];
      if (colored) sink.control(colors[mark]);
      sink.write(sign);
      if (colored) sink.control('plain');
      sink.write(` ${text}\n`);
    },
    clear,
  };
}

/** Steps that nobody watches (`--json`). */
export const silentSteps: LiveSteps = { begin() {}, end() {}, clear() {} };

/** Steps where no terminal shows them: each is one plain line when it ends. */
export function plainSteps(say: (line: string) => void): LiveSteps {
  return { begin() {}, end: (mark, text) => say(`${plainMarks[mark]} ${text}`), clear() {} };
}
