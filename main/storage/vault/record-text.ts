import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';

/** A record as JSON. A `Secret` in it would be kept as "[secret]" and lost: INTERNAL, since its value was meant. */
export function renderRecord(value: unknown): string {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name, rendered: unknown) {
    if (this[name] instanceof Secret) throw new PosternError('INTERNAL', { stage: 'storage' });
    return rendered;
  }) as string | undefined;
  if (text === undefined) throw new PosternError('INTERNAL', { stage: 'storage' });
  return text;
}
