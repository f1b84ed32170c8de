import type { LogEntry } from '../../mcp/client/server-questions.ts';
import { logLines } from '../../mcp/use-bounds.ts';
import { printableLine } from '../text/printable.ts';
import type { LiveSteps } from './live-steps.ts';
import type { Output } from './output.ts';

/** Shows what a server writes into its log during a call; `goOn` shows again how far the call is. */
export function serverLog(
  { output, steps }: { readonly output: Output; readonly steps: LiveSteps },
  goOn: () => void,
): (entry: LogEntry) => void {
  let left: number = logLines.count;
  return ({ level, data }) => {
    if (left === 0) return;
    left -= 1;
    const whole = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const text = printableLine(whole, logLines.length);
    output.event('log', { level: printableLine(level, 20), text });
    if (output.json) return;
    steps.clear();
    output.say(`${printableLine(level, 20)}: ${text}`);
    goOn();
  };
}
