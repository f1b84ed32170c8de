import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { refusalBytes } from '../../limits.ts';
import { readAtMost } from '../messages/read-document.ts';

/** What a server says no with, as the library knows it. The text is for its own reading alone. */
export async function readRefusal(response: Response): Promise<SdkHttpError> {
  const { status, statusText } = response;
  const text = (await readAtMost(response, refusalBytes)).toString('utf8');
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Refused', { status, statusText, text });
}
