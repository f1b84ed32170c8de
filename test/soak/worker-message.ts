/** What a worker tells its parent. */
export type WorkerMessage =
  | { readonly kind: 'used' }
  | { readonly kind: 'failed'; readonly id: string; readonly code: string }
  /** A refresh token may not be sent any more, since nobody knows what became of it. */
  | { readonly kind: 'given-up'; readonly refreshToken: string }
  | { readonly kind: 'signed-in'; readonly id: string }
  | { readonly kind: 'stored'; readonly refreshToken: string }
  /** Heap in use after a collection. */
  | { readonly kind: 'memory'; readonly bytes: number };
