/** One refresh request as the authorization server saw it. Times in milliseconds of its monotonic clock. */
export interface RefreshRequest {
  readonly refreshToken: string;
  /** Which life of which worker sent it. */
  readonly run: string;
  readonly at: number;
  /** Its outcome. `cut`: the connection was broken, by either side, before the response was sent. */
  outcome: 'rotated' | 'refused' | 'busy' | 'cut' | 'open';
  /** The pair was rotated for it, whether or not the response arrived. */
  hasRotated: boolean;
}

/** A worker that was killed: everything that it had not stored by then is gone. */
export interface Death {
  readonly run: string;
  readonly at: number;
}
