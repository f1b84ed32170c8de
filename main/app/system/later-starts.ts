import { app } from 'electron';
import { findPosternLink, isBackgroundLink } from '../../address/postern-link.ts';
import { asksForBackground } from './background-start.ts';

export interface StartHandlers {
  /** Brings the window. */
  readonly show: () => void;
  /** A link was opened, as it was given. */
  readonly open: (link: string) => void;
}

/** Starts while the program runs, and links that people open. To be made before `ready`: macOS may have one by then. */
export class LaterStarts {
  #link: string | undefined;
  #handlers: StartHandlers | undefined;

  /** `words`: what this process was started with. */
  constructor(words: readonly string[]) {
    this.#take(words);
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#take([link]);
    });
    // Of the words of a second start a link and one switch are looked for, and none is used.
    app.on('second-instance', (_event, others) => {
      if (!this.#take(others) && !asksForBackground(others)) this.#handlers?.show();
    });
  }

  /** Of all that came before only the newest link is opened. */
  handle(handlers: StartHandlers): void {
    this.#handlers = handlers;
    if (this.#link !== undefined) handlers.open(this.#link);
    this.#link = undefined;
  }

  #take(words: readonly string[]): boolean {
    const link = findPosternLink(words);
    if (link === undefined) return false;
    if (isBackgroundLink(link)) return true;
    if (this.#handlers) this.#handlers.open(link);
    else this.#link = link;
    return true;
  }
}
