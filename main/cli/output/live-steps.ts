import type { ControlSequence, TextSink } from '../terminal/text-sink.ts';
import { isAsciiLocale } from '../text/printable.ts';

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
