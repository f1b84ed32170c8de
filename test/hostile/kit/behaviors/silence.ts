import type { Behavior } from '../honest-answers.ts';

/** Accepts the request and never responds. */
export const silence: Behavior = () => {};
