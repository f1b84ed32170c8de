import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import type { ProgramAnswer } from '../../gateway-ports.ts';
import { asStream, isStream, pass } from './http-answers.ts';
import type { HttpSession } from './http-session.ts';

/** Asks the server for its stream. Errors: PosternError. */
type OpenAtServer = () => Promise<Response>;

/** What a program listens to by HTTP: in a session, or where its server has none. `isReady`: that can be asked. */
export type Listened = Pick<HttpSession, 'stream' | 'behind' | 'reached' | 'isReady'>;

/**
 * A stream for a program that wants to hear what its server sends by itself. Where the server has none, or cannot be
 * asked, it is ours, so that the program is told when it has to ask again. Errors: PosternError.
 */
export async function listen(
  { stream, behind, reached, isReady }: Listened,
  open: OpenAtServer,
  /** Aborts when the program no longer listens. */
  signal: AbortSignal,
  isAway: (error: unknown) => boolean,
): Promise<ProgramAnswer> {
  if (isReady) {
    try {
      const response = await open();
      if (isStream(response))
        return { ...pass(response), body: stream.open(Promise.resolve(response.body ?? undefined)) };
      if (response.status < 500) {
        if (response.status !== 405) return pass(response);
        // A server without such a stream sends nothing by itself; Postern may have something to say.
        await response.body?.cancel();
        return asStream(stream.open(Promise.resolve(undefined)));
      }
      await response.body?.cancel();
      throw noMcp('connection', { status: response.status });
    } catch (error) {
      if (!isAway(error)) throw error;
      behind.begin();
    }
  }
  return asStream(stream.open(reached(signal).then(open).then(bodyOf)));
}

async function bodyOf(response: Response): Promise<ReadableStream<Uint8Array> | undefined> {
  if (isStream(response)) return response.body ?? undefined;
  await response.body?.cancel();
  if (response.status === 405) return undefined;
  throw noMcp('connection', { status: response.status });
}
