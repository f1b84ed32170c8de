import type { Discovery } from '../oauth/discovery.ts';
import { PosternError } from '../postern-error.ts';

/** The server wants a sign-in and publishes nothing that says how: the reason is why its metadata could not be had. */
export function unpublished({ reason, reasonHost, resourceMetadata, url }: Discovery): PosternError {
  return new PosternError(reason ?? 'ASM_MISSING', {
    stage: 'discovery',
    detail: { host: reasonHost ?? new URL(url).host, ...(resourceMetadata && { named: 1 }) },
  });
}
