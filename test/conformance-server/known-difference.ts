/** Of one scenario, the checks that go otherwise than directly, and why. */
export interface KnownDifference {
  readonly scenario: string;
  readonly revision: string;
  /** Names of the checks. */
  readonly checks: readonly string[];
  readonly reason: string;
}
