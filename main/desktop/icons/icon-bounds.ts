/**
 * Of a server's pictures: how many it may name, how many are tried for each theme, characters of one address or of one
 * that stands in the text, bytes, pixels a side; milliseconds for one, and until it is asked for again.
 */
export const iconBounds = {
  named: 16,
  tries: 3,
  text: 180_000,
  bytes: 131_072,
  side: 1_024,
  deadline: 10_000,
  fresh: 7 * 86_400_000,
} as const;
