/** One request as the server saw it; times in milliseconds of its own clock. */
export interface RecordedRequest {
  /** JSON-RPC method, else HTTP method and path. */
  name: string;
  readonly arrived: number;
  ended: number | undefined;
  /** A listening stream, which stays open. */
  isStream: boolean;
}

/** What the server's process tells: its ports once, then its requests when asked. */
export type ServerMessage =
  | { readonly ports: { readonly direct: number; readonly slow: number } }
  | { readonly requests: readonly RecordedRequest[] };

/**
 * Round trips that had to wait for one another: the longest chain of requests of which each arrived only after the
 * answer to the one before had been read (`latency` is what lies between leaving and arriving, twice).
 */
export function countRoundTrips(requests: readonly RecordedRequest[], latency: number): number {
  const rest = requests.filter(({ isStream }) => !isStream);
  const depths: number[] = [];
  for (const [index, { arrived }] of rest.entries()) {
    const before = rest
      .slice(0, index)
      .map(({ ended }, earlier) =>
        ended !== undefined && arrived >= ended + latency * 0.8 ? (depths[earlier] ?? 0) : 0,
      );
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}
