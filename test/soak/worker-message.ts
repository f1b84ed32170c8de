/** What a worker tells its parent. */
export type WorkerMessage =
  | { readonly kind: 'used' }
  | { readonly kind: 'failed'; readonly id: string; readonly code: string }
  /** A refresh is about to be counted and sent. */
  | { readonly kind: 'sending'; readonly refreshToken: string }
  /** It may have been obeyed without an answer. */
  | { readonly kind: 'unanswered'; readonly refreshToken: string }
  /** What the answer said stands in the vault: its count is taken back, or the pair is deleted. */
  | { readonly kind: 'settled'; readonly refreshToken: string }
  /** A refresh token may not be sent any more, since nobody knows what became of it. */
  | { readonly kind: 'given-up'; readonly refreshToken: string }
  | { readonly kind: 'signed-in'; readonly id: string }
  | { readonly kind: 'stored'; readonly refreshToken: string }
  /** Heap in use after a collection. */
  | { readonly kind: 'memory'; readonly bytes: number };
