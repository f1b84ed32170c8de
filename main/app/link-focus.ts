import type { PosternLink } from '../../shared/postern-link.ts';

/** Milliseconds in which links bring the window to the front once. */
const rest = 5_000;

/** When a link may bring the window to the front: any page of the web can send many. */
export class LinkFocus {
  #last = -Infinity;

  /** `isAsked`: the person signs in, or is asked something. `now`: milliseconds of a clock that is never set. */
  takes({ kind }: PosternLink, isAsked: boolean, now = performance.now()): boolean {
    if (kind === 'unusable' || isAsked || now - this.#last < rest) return false;
    this.#last = now;
    return true;
  }
}
