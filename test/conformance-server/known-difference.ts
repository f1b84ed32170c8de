/** Checks of a scenario that differ from the direct run, and why. */
export interface KnownDifference {
  readonly scenario: string;
  readonly revision: string;
  /** Names of the checks. */
  readonly checks: readonly string[];
  readonly reason: string;
}
