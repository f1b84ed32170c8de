import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';

/** A timer of 2^31 ms or more fires at once. */
const longestTimer = 2 ** 31 - 1;

export interface ExchangeLimit {
  /** Aborts with a PosternError: DEADLINE, USER_CANCELLED, or what the caller gave as its reason. */
  readonly signal: AbortSignal;
  /** The deadline counts no longer; the caller's own signal still does. */
  stopTimer(): void;
  /** Ends both. */
  release(): void;
}

/** One end for a whole exchange: `milliseconds` from now, or when the caller aborts. */
export function limitExchange(milliseconds: number, stage: Stage, caller: AbortSignal | undefined): ExchangeLimit {
  const controller = new AbortController();
  const timer = setTimeout(
    () =>
      controller.abort(new PosternError('DEADLINE', { stage, detail: { seconds: Math.round(milliseconds / 1_000) } })),
    Math.min(Math.max(milliseconds, 0), longestTimer),
  );
  function cancel(): void {
    const reason: unknown = caller?.reason;
    controller.abort(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage }));
  }
  const stopTimer = () => clearTimeout(timer);
  if (caller?.aborted) cancel();
  else caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    stopTimer,
    release() {
      stopTimer();
      caller?.removeEventListener('abort', cancel);
    },
  };
}
