import type { CallbackListener, CallbackVerdict } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import type { EnginePorts } from './engine-ports.ts';

export const callbackPath = '/integration/oauth/callback';

/** The loopback redirect URI of `port` (RFC 8252 7.3: the literal address, not `localhost`). */
export function callbackUrl(port: number): string {
  return `http://127.0.0.1:${port}${callbackPath}`;
}

/** This profile's callback port: chosen once, then kept, since registrations hold it. */
export async function callbackPort(ports: Pick<EnginePorts, 'store' | 'callbacks'>): Promise<number> {
  const { callbackPort: kept } = await ports.store.settings();
  if (kept !== undefined) return kept;
  const free = await ports.callbacks.freePort();
  // Another process may have chosen meanwhile: the first one stays.
  const settings = await ports.store.updateSettings((current) =>
    current.callbackPort === undefined ? { ...current, callbackPort: free } : current,
  );
  return settings.callbackPort ?? free;
}

/**
 * Binds the callback before its address is registered or shown. When the port is taken, a client that registers
 * itself moves to another free one and registers anew; a typed client cannot (its app knows one address).
 * Errors: PORT_UNAVAILABLE.
 */
export async function listenForCallback(
  ports: Pick<EnginePorts, 'store' | 'callbacks'>,
  mayMove: boolean,
  onCallback: (query: string) => CallbackVerdict,
): Promise<CallbackListener> {
  const port = await callbackPort(ports);
  try {
    return await ports.callbacks.listen(port, onCallback);
  } catch (error) {
    if (!mayMove || !(error instanceof PosternError) || error.code !== 'PORT_UNAVAILABLE') throw error;
    return await ports.callbacks.listen(await ports.callbacks.freePort(), onCallback);
  }
}
