import type { CallbackHost } from '../../../shared/choices.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { portHandover } from '../../limits.ts';
import type { CallbackHandlers, CallbackListener } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { pause } from '../work-queue.ts';

export const callbackPath = '/integration/oauth/callback';

/**
 * Where the browser returns: the literal loopback address (RFC 8252 7.3), or `localhost` for services that require it.
 */
interface CallbackAddress {
  readonly host: CallbackHost;
  readonly port: number;
}

/** The loopback redirect URI, exactly as registered and sent. */
export function callbackUrl({ host, port }: CallbackAddress): string {
  return `http://${host}:${port}${callbackPath}`;
}

/**
 * This profile's callback address. The port is chosen once and stored, since registrations contain it. `chosen`: the
 * host for one server whose service wants the other form (RFC 8252 8.3 advises against `localhost`).
 */
export async function callbackAddress(
  ports: Pick<EnginePorts, 'store' | 'callbacks'>,
  chosen?: CallbackHost,
): Promise<CallbackAddress> {
  const stored = await ports.store.settings();
  const host = chosen ?? stored.callbackHost ?? '127.0.0.1';
  if (stored.callbackPort !== undefined) return { host, port: stored.callbackPort };
  const free = await ports.callbacks.freePort();
  // Another process may have stored a port meanwhile: the first one wins.
  const settings = await ports.store.updateSettings((current) =>
    current.callbackPort === undefined ? { ...current, callbackPort: free } : current,
  );
  return { host, port: settings.callbackPort ?? free };
}

interface ListenOptions {
  /** Overrides the setting for this server. */
  readonly host?: CallbackHost | undefined;
  readonly canMove: boolean;
  readonly supersedes: boolean;
  readonly signal: AbortSignal;
}

/**
 * Binds the callback listener before its address is registered or shown. If the port is taken and `canMove`, it moves
 * to a free port and the client registers again; a typed client cannot move, since its OAuth app has one redirect URI.
 * With `supersedes`, an older sign-in may be about to free the port, so it is retried briefly. Errors:
 * PORT_UNAVAILABLE, the reason of `signal`.
 */
export async function listenForCallback(
  ports: Pick<EnginePorts, 'store' | 'callbacks' | 'clock'>,
  { host, canMove, supersedes, signal }: ListenOptions,
  handlers: CallbackHandlers,
): Promise<CallbackListener> {
  const address = await callbackAddress(ports, host);
  const patience = supersedes ? portHandover.timeout : 0;
  const start = ports.clock.monotonic();
  for (;;) {
    try {
      return await ports.callbacks.listen(address, handlers);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      signal.throwIfAborted();
      if (ports.clock.monotonic() - start >= patience) {
        if (!canMove) throw error;
        return await ports.callbacks.listen({ ...address, port: await ports.callbacks.freePort() }, handlers);
      }
    }
    await pause(ports.clock, portHandover.pause);
  }
}
