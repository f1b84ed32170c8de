import { postern } from './postern.ts';

/**
 * What main says first, asked for before the rest of the window's code has run, React with it: both take their time, side
 * by side. No change falls between, since none can arrive while that code runs, and at its end the store listens.
 */
export const firstSnapshots = postern.app.snapshots();
