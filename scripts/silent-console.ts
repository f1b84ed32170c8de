const discard = (): void => {};

/**
 * Replaces `console` in everything that is built: libraries would print server-chosen names to the terminal and into
 * output that scripts parse. Postern itself writes through its own streams.
 */
export const silentConsole = {
  debug: discard,
  error: discard,
  info: discard,
  log: discard,
  trace: discard,
  warn: discard,
};
