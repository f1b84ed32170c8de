import type { CallbackHost } from '../../../shared/choices.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { portHandover } from '../../limits.ts';
import type { CallbackAnswers, CallbackListener } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { pause } from '../work-queue.ts';

export const callbackPath = '/integration/oauth/callback';

/** Where the browser comes back to: the literal address (RFC 8252 7.3), or `localhost` where a service wants that. */
export interface CallbackAddress {
  readonly host: CallbackHost;
  readonly port: number;
}

/** The loopback redirect URI, byte for byte as it is registered and sent. */
export function callbackUrl({ host, port }: CallbackAddress): string {
  return `http://${host}:${port}${callbackPath}`;
}

/**
 * This profile's callback address: its port is chosen once, then kept, since registrations hold it. `chosen`: for one
 * server, whose service may want the other host (RFC 8252 8.3 advises against `localhost`).
 */
export async function callbackAddress(
  ports: Pick<EnginePorts, 'store' | 'callbacks'>,
  chosen?: CallbackHost,
): Promise<CallbackAddress> {
  const kept = await ports.store.settings();
  const host = chosen ?? kept.callbackHost ?? '127.0.0.1';
  if (kept.callbackPort !== undefined) return { host, port: kept.callbackPort };
  const free = await ports.callbacks.freePort();
  // Another process may have chosen meanwhile: the first one stays.
  const settings = await ports.store.updateSettings((current) =>
    current.callbackPort === undefined ? { ...current, callbackPort: free } : current,
  );
  return { host, port: settings.callbackPort ?? free };
}

export interface ListenOptions {
  /** For this server; left out: as in the settings. */
  readonly host?: CallbackHost | undefined;
  readonly mayMove: boolean;
  readonly supersedes: boolean;
  readonly signal: AbortSignal;
}

/**
 * Binds the callback before its address is registered or shown. When the port is taken, a client that registers
 * itself moves to another free one and registers again; a typed client cannot (its app knows one address). With
 * `supersedes` an older sign-in may be giving the port up just now: it gets a moment.
 * Errors: PORT_UNAVAILABLE, the reason of `signal`.
 */
export async function listenForCallback(
  ports: Pick<EnginePorts, 'store' | 'callbacks' | 'clock'>,
  { host, mayMove, supersedes, signal }: ListenOptions,
  answers: CallbackAnswers,
): Promise<CallbackListener> {
  const address = await callbackAddress(ports, host);
  const patience = supersedes ? portHandover.patience : 0;
  const begin = ports.clock.monotonic();
  for (;;) {
    try {
      return await ports.callbacks.listen(address, answers);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      signal.throwIfAborted();
      if (ports.clock.monotonic() - begin >= patience) {
        if (!mayMove) throw error;
        return await ports.callbacks.listen({ ...address, port: await ports.callbacks.freePort() }, answers);
      }
    }
    await pause(ports.clock, portHandover.pause);
  }
}
