import { controlSequences } from '../../main/cli/terminal/terminal-output.ts';
import type { TextSink } from '../../main/cli/terminal/terminal-output.ts';

/** A sink that records what was written. */
export function recordedSink({ isTerminal = false } = {}): TextSink & { readonly text: string } {
  let text = '';
  return {
    isTerminal,
    get text() {
      return text;
    },
    write(more) {
      text += more;
    },
    writeRaw(piece) {
      text += typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1');
    },
    control(sequence) {
      text += controlSequences[sequence];
    },
    flush: async () => {},
    hasLostOutput: () => false,
  };
}
