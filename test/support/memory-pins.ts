import type { PinStore, ToolPins } from '../../main/ports.ts';

/** What tools said of themselves, in memory. */
export function createMemoryPins(): PinStore {
  const kept = new Map<string, ToolPins>();
  return {
    read: async (id) => kept.get(id),
    async change(id, edit) {
      const pins = edit(kept.get(id));
      kept.set(id, pins);
      return pins;
    },
    async forget(...ids) {
      for (const id of ids) kept.delete(id);
    },
    sweep: async () => {},
  };
}
