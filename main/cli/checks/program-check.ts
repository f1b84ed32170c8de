/** What programs need to use servers through Postern, in words for a person; the facts beside them are for programs. */
export interface ProgramCheck {
  readonly name: 'gateway' | 'http' | 'pipe' | 'programs' | 'collections' | 'activity' | 'pause';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
  /** Who serves programs; `null`: nobody, or one that does not say. */
  readonly holder?: { readonly kind: 'window' | 'serve'; readonly pid: number } | null;
  readonly socket?: string | null;
  readonly port?: number;
  /** What entries start, and of which version it is. */
  readonly path?: string;
  readonly version?: string;
  readonly program?: string;
  readonly entry?: string;
}
