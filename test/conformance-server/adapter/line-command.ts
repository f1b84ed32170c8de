import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A command that speaks MCP on its standard streams, one message per line. */
export interface LineCommand {
  write(line: string): void;
  /** Ends its input, which ends the command. */
  end(): void;
}

export interface LineListener {
  onLine(line: string): void;
  onEnd(): void;
}

export function startLineCommand([file = '', ...words]: readonly string[], listener: LineListener): LineCommand {
  const child = spawn(file, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  createInterface({ input: child.stdout }).on('line', (line) => listener.onLine(line));
  // A write to an ended process.
  child.stdin.on('error', () => {});
  child.once('close', () => listener.onEnd());
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    end: () => void child.stdin.end(),
  };
}
