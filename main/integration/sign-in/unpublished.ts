import type { Discovery } from '../../oauth/discovery.ts';
import { PosternError } from '../../postern-error.ts';

/** The server wants a sign-in and publishes nothing that says how: the reason is why its metadata could not be read. */
export function unpublished({ reason, reasonDetail, reasonRemedy, resourceMetadata, url }: Discovery): PosternError {
  return new PosternError(reason ?? 'ASM_MISSING', {
    stage: 'discovery',
    remedy: reasonRemedy,
    detail: { host: new URL(url).host, ...reasonDetail, ...(resourceMetadata && { named: 1 }) },
  });
}
