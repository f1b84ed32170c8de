import type { CdpParams, CdpSession } from './cdp-connection.ts';
import { notEmulated } from './not-emulated.ts';

/** `executeJavaScript` of web contents: converts the result of Chromium's `Runtime.evaluate` as Electron does. */
export async function contentsResult(session: CdpSession, { result, exceptionDetails }: CdpParams): Promise<unknown> {
  if (exceptionDetails === undefined) {
    if (result.type === 'function' || result.type === 'symbol') throw new Error('An object could not be cloned.');
    return result.value as unknown;
  }
  const { text, exception } = exceptionDetails;
  if (!String(text).startsWith('Uncaught (in promise)'))
    throw new Error(
      'Script failed to execute, this normally means an error was thrown. Check the renderer console for the error.',
    );
  // An error of any class becomes a plain Error here.
  if (exception?.subtype === 'error') throw new Error(await readMessage(session, String(exception.objectId)));
  if (exception === undefined || exception.value === undefined)
    notEmulated('executeJavaScript of what rejects with nothing, or with an object that is no error');
  throw exception.value;
}

/** `executeJavaScript` of a frame, which rejects with only text. */
export function frameResult({ result, exceptionDetails }: CdpParams): unknown {
  if (exceptionDetails === undefined) return result.type === 'function' ? null : ((result.value as unknown) ?? null);
  const { exception, text } = exceptionDetails;
  throw String(exception?.description ?? exception?.value ?? text);
}

async function readMessage(session: CdpSession, objectId: string): Promise<string> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: 'function () { return String(this.message); }',
    returnByValue: true,
  });
  return String(result.value);
}
