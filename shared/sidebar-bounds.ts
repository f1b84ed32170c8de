import { mostAtOnce } from './deletion-bounds.ts';

/** Groups of the side bar. */
export const mostGroups = 100;

/** Servers that are pinned, or in one group of it: all of the list. */
export const mostPlaced = mostAtOnce;
