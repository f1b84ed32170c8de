/** Milliseconds since 1970: this version was made later, so a clock that says less is wrong. */
export const releasedAfter = Date.UTC(2026, 10, 1);
