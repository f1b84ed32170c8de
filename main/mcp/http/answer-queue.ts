import { serverQuestions } from '../../limits.ts';

/** Answers to a server's own questions: a few under way at once, a few that wait, and no more. */
export class AnswerQueue {
  readonly #waiting: (() => void)[] = [];
  #answering = 0;

  /** Sends it now, later, or not at all. Errors: those of `send`. */
  async answer(send: () => Promise<void>): Promise<void> {
    if (this.#answering < serverQuestions.atOnce) this.#answering += 1;
    else if (this.#waiting.length >= serverQuestions.waiting) return;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      await send();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#answering -= 1;
    }
  }
}
