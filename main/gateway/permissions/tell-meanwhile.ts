import { askedCalls } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { notificationText } from '../answers/answers.ts';
import { isObject } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

export interface Waiting {
  /** Aborts when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** The person has been asked about this call already. */
  readonly isGoingOn?: boolean;
  /** Says to the program that it still waits. */
  readonly tell: (notification: string) => void;
}

/** A program that has asked for progress gives up later (MCP 2025-11-25, timeouts). Answers what ends it. */
export function tellMeanwhile(clock: Pick<Clock, 'after'>, { params }: RequestEnvelope, { tell }: Waiting): () => void {
  const { _meta } = params;
  const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
  if (progressToken === undefined) return () => {};
  let stop: () => void;
  let progress = 0;
  const later = (): void => {
    stop = clock.after(askedCalls.progress, () => {
      // Below whatever the tool itself begins with: progress only grows.
      progress += 1e-6;
      const message = 'Waiting for the person to allow this in Postern.';
      tell(notificationText('notifications/progress', { progressToken, progress, message }));
      later();
    });
  };
  later();
  return () => stop();
}
