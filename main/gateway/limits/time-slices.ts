/** Milliseconds that work on one message may take before others have their turn. */
const slice = 10;

/** Cuts long work, so that nobody else waits for all of it. */
export class TimeSlices {
  #begun = performance.now();

  /** Lets others go on, once this has taken long enough. */
  async rest(): Promise<void> {
    if (performance.now() - this.#begun < slice) return;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#begun = performance.now();
  }
}
