const silence = (): void => {};

/**
 * Replaces `console` in everything that is built: libraries would print server-chosen names to the terminal and into
 * output that scripts parse. Postern itself writes through its own streams.
 */
export const silentConsole = {
  debug: silence,
  error: silence,
  info: silence,
  log: silence,
  trace: silence,
  warn: silence,
};
