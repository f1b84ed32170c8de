/** Bounds of one search of the MCP registry; `kept`: pages of answers, for `fresh` milliseconds without a question. */
export const registrySearch = {
  words: 80,
  pages: 3,
  pageSize: 100,
  shown: 50,
  bodyBytes: 1_048_576,
  /** Milliseconds over all its pages. */
  deadline: 15_000,
  kept: 30,
  fresh: 3_600_000,
  cursor: 1_024,
  etag: 256,
} as const;

/** Of one entry of it: addresses, what is to be filled in, values to choose from; characters of each text. */
export const registryEntry = { name: 200, remotes: 6, blanks: 8, choices: 40, headers: 8, text: 240 } as const;
