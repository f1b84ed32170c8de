/** Follows a stream of events as it passes: whether something can be put in without breaking one (WHATWG HTML 9.2.6). */
export class BetweenEvents {
  #end = '';

  /** Whether all that has passed is whole. */
  get is(): boolean {
    return this.#end === '' || /\n\n$|[\n\r]\r\n?$/u.test(this.#end);
  }

  pass(chunk: Uint8Array): void {
    // An empty line is no longer than that.
    this.#end = (this.#end + String.fromCharCode(...chunk.subarray(-3))).slice(-3);
  }
}
