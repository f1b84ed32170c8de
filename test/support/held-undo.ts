import { undoSeconds } from '../../shared/deletion-bounds.ts';
import { systemClock } from '../../main/engine/clock.ts';
import type { Clock } from '../../main/ports.ts';

/** The clock of the system, but that the seconds of an undo pass when a test says so. */
export function holdUndo(): { readonly clock: Clock; pass(): void } {
  const waiting = new Set<() => void>();
  return {
    clock: {
      ...systemClock,
      after(milliseconds, run) {
        if (milliseconds !== undoSeconds * 1_000) return systemClock.after(milliseconds, run);
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
