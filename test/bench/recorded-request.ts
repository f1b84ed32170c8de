/** One request as the server saw it; times in milliseconds on its own clock. */
export interface RecordedRequest {
  /** JSON-RPC method, or else HTTP method and path. */
  name: string;
  readonly arrived: number;
  ended: number | undefined;
  /** True for a listening stream, which stays open. */
  isStream: boolean;
}

/** Messages from the server process: its ports once, then its requests on demand. */
export type ServerMessage =
  | { readonly ports: { readonly direct: number; readonly slow: number } }
  | { readonly requests: readonly RecordedRequest[] };

/**
 * Sequential round trips: the longest chain of requests in which each arrived only after the previous response had been
 * read (`latency` is twice the time between sending and arrival).
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
