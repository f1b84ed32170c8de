import { systemClock } from '../../main/host/system-ports.ts';
import type { Clock } from '../../main/ports.ts';
import { undoSeconds } from '../../shared/bounds.ts';

/** The system clock, except that the undo delay (or another) only passes when a test says so. */
export function holdUndo(held = [undoSeconds * 1_000]): { readonly clock: Clock; pass(): void } {
  const waiting = new Set<() => void>();
  return {
    clock: {
      ...systemClock,
      after(milliseconds, run) {
        if (!held.includes(milliseconds)) return systemClock.after(milliseconds, run);
        waiting.add(run);
        return () => waiting.delete(run);
      },
    },
    pass() {
      for (const run of waiting) run();
      waiting.clear();
    },
  };
}
