import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connectServer } from '../../../main/engine/connect/connect-server.ts';
import type { ConnectResult } from '../../../main/engine/connect/connect-server.ts';
import type { EnginePorts } from '../../../main/engine/engine-ports.ts';
import type { SignInEvent, SignInInteraction } from '../../../main/engine/sign-in/sign-in-interaction.ts';
import { createLog } from '../../../main/host/open-profile.ts';
import { systemClock, systemRandom } from '../../../main/host/system-ports.ts';
import { createLocalServers } from '../../../main/local/local-servers.ts';
import { createCallbackReceiver } from '../../../main/net/callback-listener.ts';
import { createHttp } from '../../../main/net/http/http.ts';
import { limitDiscoveries } from '../../../main/net/http/open-http.ts';
import type { HostLookup } from '../../../main/net/http/pinned-connector.ts';
import type { Clock, Http, HttpRequest, Vault } from '../../../main/ports.ts';
import { assertionFiles } from '../../../main/storage/files/assertion-file.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openCatalogStore, openPinStore } from '../../../main/storage/profile/server-files.ts';
import { createSignInLeases } from '../../../main/storage/profile/sign-in-leases.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { openVault } from '../../../main/storage/vault/vault.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { RequestPurpose } from '../../../shared/trace.ts';
import { freePort } from '../../support/free-port.ts';
import { pem } from '../../support/loopback-server.ts';
import { createMemoryKeychain } from '../../support/memory-keychain.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Place } from './honest-answers.ts';
import { names } from './hostile-world.ts';
import { followSignIn } from './follow-sign-in.ts';

export interface HostileEngineOptions {
  readonly lookup?: HostLookup;
  /** For servers that run into the deadlines: those of their requests are short. */
  readonly slow?: Place;
  readonly ca?: readonly string[];
  readonly user?: (url: string, signal: AbortSignal) => Promise<void>;
  /** Milliseconds until an unfinished sign-in times out. */
  readonly timeToSignIn?: number;
}

export interface HostileEngine {
  readonly ports: EnginePorts;
  readonly folder: string;
  readonly interaction: SignInInteraction;
  readonly events: readonly SignInEvent[];
  /** Every address that was opened in a browser. */
  readonly opened: readonly string[];
  readonly clock: CountingClock;
  /** From now on requests to this endpoint have short deadlines. */
  hasten(place: Place): void;
  connect(url: string, options?: Partial<IntegrationOptions>): Promise<ConnectResult>;
  /** Every byte of the profile folder, as text. */
  profileText(): string;
  close(): Promise<void>;
}

export interface CountingClock extends Clock {
  /** Pending timers. */
  readonly waiting: number;
}

const here: HostLookup = async () => [{ address: '127.0.0.1', family: 4 }];

/** An engine whose deadlines are short enough to wait for, where a behavior runs into them. */
export function engineFor(isSlow: boolean, place: Place): HostileEngine {
  return isSlow ? createHostileEngine({ slow: place }) : createHostileEngine();
}

/** The purposes of requests to each endpoint. */
const purposesOf: Readonly<Record<Place, readonly RequestPurpose[]>> = {
  mcp: ['probe', 'mcp'],
  prm: ['protected-resource-metadata'],
  asm: ['authorization-server-metadata'],
  register: ['registration'],
  authorize: [],
  token: ['token'],
  refresh: ['refresh'],
  revoke: ['revocation'],
};

/** The engine with everything real but the resolver, the keychain and the user. */
export function createHostileEngine({
  lookup,
  slow,
  ca,
  user,
  timeToSignIn = 120_000,
}: HostileEngineOptions = {}): HostileEngine {
  const folder = temporaryFolder();
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  const real = createHttp({ lookup: lookup ?? here, ca: ca ?? [pem('authority')] });
  const clock = countTimers(systemClock);
  let hasty = slow;
  const hurried = hurry(real, () => hasty);
  let vault: Promise<Vault> | undefined;
  // A sign-in that fails early does not wait for the vault that is being prepared; deleting the folder must.
  const readying: Promise<void>[] = [];
  onTestFinished(async () => void (await Promise.allSettled(readying)));
  const open = async (): Promise<Vault> => {
    const opened = await openVault({ folder, keychain, locks, random: systemRandom, backend: 'test' });
    return {
      ...opened,
      ready() {
        const ready = opened.ready();
        readying.push(ready);
        return ready;
      },
    };
  };
  const keychain = createMemoryKeychain();
  const ports: EnginePorts = {
    http: limitDiscoveries(hurried, clock),
    clock,
    random: systemRandom,
    callbacks: { ...createCallbackReceiver(), freePort },
    vault: () => (vault ??= open()),
    store,
    locks,
    leases: createSignInLeases({ folder, locks }),
    assertions: assertionFiles,
    refreshesInFlight: new Map(),
    catalog: openCatalogStore(folder),
    pins: openPinStore({ profileFolder: folder, locks, list: store }),
    local: createLocalServers(folder),
    log: createLog(join(folder, 'logs')),
  };
  const events: SignInEvent[] = [];
  const opened: string[] = [];
  const interaction: SignInInteraction = {
    onEvent: (event) => void events.push(event),
    askCredentials: async () => undefined,
    async open({ url }, signal) {
      opened.push(url);
      await (user ?? followSignIn)(url, signal);
    },
  };
  onTestFinished(() => real.close());
  return {
    ports,
    folder,
    interaction,
    events,
    opened,
    clock,
    connect: (url, options = {}) =>
      connectServer(
        ports,
        { url, options: { ...defaults, ...options }, surface: 'test', timeout: timeToSignIn },
        interaction,
        new AbortController().signal,
      ),
    hasten: (place) => void (hasty = place),
    profileText: () => readAll(folder),
    close: () => real.close(),
  };
}

const defaults: IntegrationOptions = {
  local: true,
  allowedHosts: [names.auth],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
};

/** Only requests to the slow endpoint: honest ones may take the time a busy machine needs. */
function hurry(http: Http, slow: () => Place | undefined): Http {
  const faster = <Request extends Pick<HttpRequest, 'deadline' | 'purpose'>>(request: Request): Request => {
    const place = slow();
    const isHasty = place !== undefined && purposesOf[place].includes(request.purpose);
    return isHasty ? { ...request, deadline: Math.min(request.deadline, 500) } : request;
  };
  return {
    exchange: (request) => http.exchange(faster(request)),
    stream: (request) => http.stream(faster(request)),
    resolveHost: http.resolveHost,
  };
}

function countTimers(clock: Clock): CountingClock {
  const waiting = new Set<object>();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(milliseconds, run) {
      const timer = {};
      waiting.add(timer);
      const cancel = clock.after(milliseconds, () => {
        waiting.delete(timer);
        run();
      });
      return () => {
        waiting.delete(timer);
        cancel();
      };
    },
    get waiting() {
      return waiting.size;
    },
  };
}

function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
