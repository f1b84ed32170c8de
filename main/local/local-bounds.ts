const kibibyte = 1_024;

/** Of servers that run on this computer; bytes, and times in milliseconds. */
export const localServers = {
  /** Processes at once. */
  running: 50,
  /** The end of what one has written to its standard error. */
  output: 1_024 * kibibyte,
  /** Lines that are no message: bytes of them in one second, of each at least so many. */
  noise: { bytes: 256 * kibibyte, line: 32, within: 1_000 },
  /** Ends that nobody asked for: so many within that time, and it is not started again. */
  ends: { count: 5, within: 300_000 },
  backOff: { first: 1_000, longest: 60_000 },
  /**
   * How long it may take to end: by itself, once it is told to, and once it is killed; either of the first two, where
   * Postern itself is about to end.
   */
  stop: { byItself: 2_000, told: 3_000, killed: 2_000, hurried: 500 },
  /** For what it has still said when it ended. */
  lastWords: 200,
  /** For the system to say which processes run. */
  systemQuery: 10_000,
  /** For the answer of the user's shell; characters of what its files print. */
  shell: 2_000,
  shellOutput: 256 * kibibyte,
} as const;
