import { LostRequest, UnsentRequest } from '../../request-error.ts';

/**
 * What has to be done before a request can be sent: where that has failed, the request itself has surely not left.
 * Errors: those of the work.
 */
export async function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LostRequest)) throw error;
    throw new UnsentRequest(error.code, { ...error.options, cause: error });
  }
}
