import { onTestFinished } from 'vitest';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import type { ConnectResult } from '../../main/engine/connect/connect-server.ts';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import type {
  CredentialsRequest,
  DevicePage,
  HostsRequest,
  PendingAuthorization,
  SignInEvent,
  SignInInteraction,
  TypedCredentials,
} from '../../main/engine/sign-in/sign-in-interaction.ts';
import { callTool, listTools } from '../../main/engine/use/use-server.ts';
import { systemClock, systemRandom } from '../../main/host/system-ports.ts';
import { createLocalServers } from '../../main/local/local-servers.ts';
import { createCallbackReceiver } from '../../main/net/callback-listener.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { HttpOptions } from '../../main/net/http/http.ts';
import type { Clock, Http, HttpRequest, Vault } from '../../main/ports.ts';
import type { Secret } from '../../main/secret.ts';
import { assertionFiles } from '../../main/storage/files/assertion-file.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openCatalogStore, openPinStore } from '../../main/storage/profile/server-files.ts';
import { createSignInLeases } from '../../main/storage/profile/sign-in-leases.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { createMemoryVault } from '../../main/storage/vault/vault.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { completeSignIn } from './scripted-browser.ts';
import type { SignInChoice } from './scripted-browser.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Goes from the sign-in page to the callback, or not. A rejection fails the sign-in. */
export type ScriptedUser = (pending: PendingAuthorization, signal: AbortSignal) => Promise<void>;

export type AnswerToDialog = (request: CredentialsRequest) => TypedCredentials | 'try-again' | undefined;

export interface TestEngineOptions {
  /** Treats the vault as persistent, so that other processes of the profile matter. */
  readonly persistent?: boolean;
  readonly clock?: Clock;
  readonly http?: HttpOptions;
  readonly user?: ScriptedUser;
  /** Signs in on another device with the shown code. A rejection fails the test. */
  readonly onDevice?: (page: DevicePage) => void;
  /** Accepts or rejects hosts of several owners; without it no user can answer. */
  readonly acceptsHosts?: (request: HostsRequest) => boolean;
  /** Answers to credential forms, in order; after the last one no user can answer. */
  readonly dialogs?: readonly AnswerToDialog[];
}

export interface ConnectOptions extends Partial<IntegrationOptions> {
  readonly credentials?: TypedCredentials;
  readonly registrationToken?: Secret;
  readonly timeout?: number;
}

/** A request that the engine sent, without stream bodies. */
export type SentRequest = Pick<HttpRequest, 'purpose' | 'method' | 'url' | 'headers' | 'body'>;

export interface TestEngine {
  /** The profile folder. */
  readonly folder: string;
  readonly ports: EnginePorts;
  readonly vault: Vault;
  readonly interaction: SignInInteraction;
  /** Every request that the engine sent, in order. */
  readonly sent: readonly SentRequest[];
  readonly events: readonly SignInEvent[];
  /** Every opened authorization URL. */
  readonly opened: readonly URL[];
  /** Every question about hosts. */
  readonly hostRequests: readonly HostsRequest[];
  /** Every shown dialog. */
  readonly dialogs: readonly CredentialsRequest[];
  connect(url: string, options?: ConnectOptions): Promise<ConnectResult>;
  /** Tool names; with `signIn`, a required sign-in is performed. */
  tools(integration: Integration, options?: { readonly signIn?: boolean }): Promise<readonly string[]>;
  /** The text of a tool result. */
  call(
    integration: Integration,
    tool: string,
    input?: Readonly<Record<string, unknown>>,
    options?: { readonly signIn?: boolean },
  ): Promise<string>;
  /** The current stored record. */
  read(integration: Integration): Promise<Integration>;
}

/** A user who approves everything on the demo's pages. */
export function approving(choice: SignInChoice = {}): ScriptedUser {
  return async ({ url, callbackUrl }, signal) => {
    const end = await completeSignIn(url, { ...choice, signal });
    // Ending elsewhere would mean waiting ten minutes for the state to expire.
    if (!end.url.startsWith(callbackUrl))
      throw new Error(`the sign-in ended at ${end.url}, ${end.status}: ${end.text}`);
  };
}

/**
 * The engine as the command line composes it, with real HTTP, a real callback listener and its own profile folder. Only
 * the vault is in memory and the user is scripted. Everything is closed after the test.
 */
export function createTestEngine(options: TestEngineOptions = {}): TestEngine {
  const folder = temporaryFolder();
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  const vault: Vault = { ...createMemoryVault(), isPersistent: options.persistent ?? false };
  const real = createHttp(options.http);
  onTestFinished(() => real.close());
  const sent: SentRequest[] = [];
  const events: SignInEvent[] = [];
  const opened: URL[] = [];
  const dialogs: CredentialsRequest[] = [];
  const hostRequests: HostsRequest[] = [];
  const record = ({ purpose, method, url, headers, body }: SentRequest): void => {
    sent.push({ purpose, method, url, ...(headers && { headers }), ...(body !== undefined && { body }) });
  };
  const http: Http = {
    ...real,
    exchange: (request) => (record(request), real.exchange(request)),
    stream: (request) => {
      const { body, ...rest } = request;
      record({ ...rest, ...(body !== undefined && { body: Buffer.from(body).toString('utf8') }) });
      return real.stream(request);
    },
  };
  const ports: EnginePorts = {
    http,
    clock: options.clock ?? systemClock,
    random: systemRandom,
    callbacks: { ...createCallbackReceiver(), freePort },
    vault: async () => vault,
    store,
    locks,
    leases: createSignInLeases({ folder, locks }),
    log: { write: () => {} },
    assertions: assertionFiles,
    refreshesInFlight: new Map(),
    catalog: openCatalogStore(folder),
    pins: openPinStore({ profileFolder: folder, locks, list: store }),
    local: createLocalServers(folder),
  };
  const user = options.user ?? approving();
  const interaction: SignInInteraction = {
    onEvent: (event) => void events.push(event),
    askCredentials: async (request) => {
      dialogs.push(request);
      return options.dialogs?.[dialogs.length - 1]?.(request);
    },
    confirmHosts: async (request) => {
      hostRequests.push(request);
      return options.acceptsHosts?.(request);
    },
    open: async (pending, signal) => {
      opened.push(new URL(pending.url));
      await user(pending, signal);
    },
    ...(options.onDevice && { showDevicePage: options.onDevice }),
  };
  const { signal } = new AbortController();
  const access = (signIn = false) => ({ signal, ...(signIn && { user: { signIn: interaction } }) });

  return {
    folder,
    ports,
    vault,
    interaction,
    sent,
    events,
    opened,
    dialogs,
    hostRequests: hostRequests,
    connect: async (url, { credentials, registrationToken, timeout, ...chosen } = {}) => {
      const integrationOptions: IntegrationOptions = {
        local: true,
        allowedHosts: [],
        allowHttp: false,
        pkce: 'when-listed',
        legacyEndpoints: false,
        sendResource: true,
        ...chosen,
      };
      const request = { url, options: integrationOptions, credentials, registrationToken, timeout, surface: 'test' };
      return await connectServer(ports, request, interaction, signal);
    },
    tools: async (integration, { signIn } = {}) =>
      (await listTools(ports, integration, access(signIn))).map(({ name }) => name),
    call: async (integration, tool, input = {}, { signIn } = {}) => {
      const { content } = await callTool(ports, integration, { name: tool, arguments: input }, access(signIn));
      const [first] = content;
      return first?.type === 'text' ? first.text : '';
    },
    read: async ({ id }) => {
      const stored = await store.read(id);
      if (stored === undefined) throw new Error('The integration is gone.');
      return stored;
    },
  };
}
