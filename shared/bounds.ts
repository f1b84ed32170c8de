/**
 * Characters (code points) of names from apps and servers; calls shown; bytes at the end of an HTTP response that show
 * how its call went.
 */
export const activityBounds = { method: 64, tool: 128, server: 80, calls: 5_000 } as const;
/**
 * Activity files: bytes per file, number of files; lines waiting to be written, their maximum wait in milliseconds;
 * bytes per line.
 */
export const activityFiles = { bytes: 5_242_880, count: 4, waiting: 5_000, pause: 200, line: 2_048 } as const;
/** Bytes of an AI app's icon. */
export const appIconBytes = 1_048_576;
/**
 * Today's calls on Home: pairs of app and server, groups of like calls counted and shown; milliseconds for which an
 * unanswered call is shown.
 */
export const todayBounds = { uses: 20_000, groups: 1_000, shown: 8, unanswered: 7 * 24 * 3_600_000 } as const;
/** Milliseconds between two updates of an app's `lastUsedAt`. */
export const lastUsedInterval = 60_000;

/** How long a server's sign-out or removal can be undone. */
export const undoSeconds = 10;

/**
 * How long a removed collection can be restored, also by `postern undo`. The mistake shows only when an app misses the
 * collection, and it contains no secret that a long time would expose.
 */
export const collectionUndoSeconds = 3_600;

/** Milliseconds for revocations at the services when Postern quits. */
export const quitPatience = 2_000;

/** Servers that can be signed out or removed together: the maximum size of the list. */
export const maxServersAtOnce = 1_000;

/** Groups in the sidebar. */
export const maxGroups = 100;

/** Servers that can be pinned, or be in one group: all of them. */
export const maxPlacedServers = maxServersAtOnce;
