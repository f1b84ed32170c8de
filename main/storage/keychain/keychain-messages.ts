/** What the keychain's process and its parent say to each other. The value travels here only: never argv, never env. */
export interface KeychainRequest {
  readonly operation: 'read' | 'write' | 'delete';
  readonly service: string;
  readonly account: string;
  /** Of `write`. */
  readonly value?: string;
}

export type KeychainAnswer =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string; readonly code?: string };
