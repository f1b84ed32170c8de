/** Counts what a reader holds of a message that is on its way. */
export interface Holding {
  /** It holds so many bytes now; resolves when it may. Fewer than before it may at once. Never rejects. */
  hold(bytes: number): Promise<void>;
}

/** Of whom nobody counts it: what is read is bounded by itself. */
export const uncounted: Holding = { hold: async () => {} };
