import { EventEmitter } from 'node:events';
import { createStdinLines } from '../../main/cli/terminal/terminal-input.ts';
import type { StdinLines } from '../../main/cli/terminal/terminal-input.ts';

/** Standard input that a test controls. */
export interface TypedStdin {
  readonly lines: StdinLines;
  type(text: string | Uint8Array): void;
  end(): void;
  /** Every switch of the terminal to raw mode and back. */
  readonly rawModes: readonly boolean[];
  readonly opened: () => number;
}

export function typedStdin({ isTerminal = false } = {}): TypedStdin {
  const events = new EventEmitter();
  const rawModes: boolean[] = [];
  let opened = 0;
  const stream = Object.assign(events, {
    setRawMode: (raw: boolean) => rawModes.push(raw),
  });
  return {
    lines: createStdinLines(() => {
      opened += 1;
      return stream;
    }, isTerminal),
    type: (text) => void events.emit('data', Buffer.from(text)),
    end: () => void events.emit('end'),
    rawModes,
    opened: () => opened,
  };
}
