/**
 * Characters (code points) of what programs and servers name; calls that are shown; bytes of the end of an answer by
 * HTTP that say how its call went.
 */
export const activityBounds = { method: 64, tool: 128, server: 80, calls: 5_000 } as const;
/** Of files of calls: bytes of one, how many; lines waiting to be written, milliseconds they wait; bytes of a line. */
export const activityFiles = { bytes: 5_242_880, count: 4, waiting: 5_000, pause: 200, line: 2_048 } as const;
/** Milliseconds between two notes in a program's record that it used a server. */
export const noteUseEvery = 60_000;

/** In which the sign-out or removal of a server can be undone, and the window offers it. */
export const undoSeconds = 10;

/**
 * In which a collection that was removed can be taken back, by `postern undo` too. The mistake shows when an app misses the
 * collection; it holds no secret that a long time would expose.
 */
export const collectionUndoSeconds = 3_600;

/** Milliseconds that services have to be told in when the program is quit. */
export const quitPatience = 2_000;

/** Servers that are signed out or removed together: as many as the list is made for. */
export const mostAtOnce = 1_000;

/** Groups of the side bar. */
export const mostGroups = 100;

/** Servers that are pinned, or in one group of it: all of the list. */
export const mostPlaced = mostAtOnce;
