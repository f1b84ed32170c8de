import type { Progress } from '../../mcp/client/tool-call.ts';
import { printableLine } from '../text/printable.ts';
import type { LiveSteps } from './live-steps.ts';
import type { Output } from './output.ts';

/** Milliseconds between two lines about one call for programs. */
const interval = 1_000;

export interface CallProgress {
  onProgress(this: void, progress: Progress): void;
  /** After something else was written. */
  showAgain(this: void): void;
}

/** Shows how far a call of `tool` is: on a terminal in one moving line with its time, for programs in lines. */
export function callProgress(
  { output, steps }: { readonly output: Output; readonly steps: LiveSteps },
  tool: string,
): CallProgress {
  const started = performance.now();
  let last = -Infinity;
  let latest: Progress | undefined;
  const begin = (): void => steps.begin(() => [describe(tool, latest), clock(performance.now() - started)].join('  '));
  begin();
  const onProgress = (progress: Progress): void => {
    latest = progress;
    const now = performance.now();
    if (now - last < interval) return;
    last = now;
    const { progress: done, total, message } = progress;
    output.event('progress', {
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: printableLine(message, 200) }),
    });
  };
  return { onProgress, showAgain: begin };
}

function describe(tool: string, latest: Progress | undefined): string {
  const name = printableLine(tool, 60);
  if (!latest) return `Calling ${name}`;
  const { progress, total, message } = latest;
  const isPart = total !== undefined && total > 0 && progress >= 0 && progress <= total;
  const part = isPart ? `${Math.floor((progress / total) * 100)} %` : '';
  return [`Calling ${name}`, part, printableLine(message ?? '', 200)].filter((text) => text !== '').join('  ');
}

/** `1:05`, or `1:02:05`. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
