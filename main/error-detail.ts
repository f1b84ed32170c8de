import type { ErrorDetail, PosternError } from './postern-error.ts';

/** What fills the sentences of an error: for those that write sentences, as `architecture.test.ts` lists them. */
export function readDetail({ detail }: Pick<PosternError, 'detail'>): ErrorDetail {
  return detail as ErrorDetail;
}
