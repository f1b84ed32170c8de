import type { Behaviour } from '../honest-answers.ts';

/** Takes the request and never says anything. */
export const silence: Behaviour = () => {};
