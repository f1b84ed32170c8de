const silence = (): void => {};

/**
 * Stands in for `console` in everything that is built: libraries would write names that a server chose to the terminal,
 * and into the output that a script reads. Postern itself writes through its own streams.
 */
export const silentConsole = {
  debug: silence,
  error: silence,
  info: silence,
  log: silence,
  trace: silence,
  warn: silence,
};
