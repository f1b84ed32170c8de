import { remedies } from '../shared/error-codes.ts';
import type { PlainError } from '../shared/error-codes.ts';
import { displayHost } from './address/display-host.ts';
import { toPlainError } from './plain-error.ts';
import { PosternError } from './postern-error.ts';

/** An error for a window: as everywhere, with the host it is about and what could be ticked, for the button beside it. */
export function toWindowError(error: unknown): PlainError {
  const plain = toPlainError(error);
  if (!(error instanceof PosternError)) return plain;
  const { host, remedy } = error.detail;
  return {
    ...plain,
    ...(typeof host === 'string' && host !== '' && { host: displayHost(host) }),
    ...(remedies.some((known) => known === remedy) && { remedy: remedies.find((known) => known === remedy) }),
  };
}
