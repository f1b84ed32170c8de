/** All that is kept of a person on this computer, to be deleted as a whole. Each step may be taken again. */
export interface KeptData {
  /**
   * Ends sign-ins of other processes before they store anything. Errors: CFG_NEWER before it touches any of it, CFG_*.
   */
  prepare(): Promise<void>;
  /**
   * Deletes each keychain entry, then its file, or only the records where it refuses. How many. Errors: KC_*, CFG_*.
   */
  deleteSecrets(): Promise<number>;
  /** Deletes settings, list, copies of damaged ones, logs, and what locks and sign-ins left. Errors: CFG_*. */
  deleteRest(): Promise<void>;
}
