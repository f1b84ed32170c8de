import type { PinStore, ToolPins } from '../../main/ports.ts';

/** Reviewed tool descriptions, in memory. */
export function createMemoryPins(): PinStore {
  const stored = new Map<string, ToolPins>();
  return {
    read: async (id) => stored.get(id),
    async change(id, edit) {
      const pins = edit(stored.get(id));
      stored.set(id, pins);
      return pins;
    },
    async forget(...ids) {
      for (const id of ids) stored.delete(id);
    },
    sweep: async () => {},
  };
}
