/** In which a sign-out or a removal in the window can be undone. */
export const undoSeconds = 10;

/** Milliseconds that services have to be told in when the program is quit. */
export const quitPatience = 2_000;

/** Servers that are signed out or removed together: as many as the list is made for. */
export const mostAtOnce = 1_000;
