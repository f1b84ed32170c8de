/** What the keychain's process and its parent say to each other. The value travels here only: never argv, never env. */
export interface KeychainRequest {
  readonly operation: 'read' | 'write' | 'delete';
  readonly service: string;
  readonly account: string;
  /** Of `write`. */
  readonly value?: string;
}

/** What the process cannot work without: the module that calls the keychain, its
 * compiled part, or the library of the system that this calls. */
export type MissingPart = 'module' | 'build' | 'libsecret';

export type KeychainAnswer =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string; readonly code?: string; readonly missing?: MissingPart };
