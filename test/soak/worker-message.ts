/** A report of a worker to its parent. */
export type WorkerMessage =
  | { readonly kind: 'used' }
  | { readonly kind: 'failed'; readonly id: string; readonly code: string }
  | { readonly kind: 'signed-in'; readonly id: string }
  | { readonly kind: 'stored'; readonly refreshToken: string }
  /** Heap in use after a collection. */
  | { readonly kind: 'memory'; readonly bytes: number };
