import type { Integration } from '../../../shared/integration.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { IntegrationStore } from '../../ports.ts';
import { keptKey, usesApiKey } from '../kept/api-key.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { serverAddress } from '../kept/integration-policy.ts';
import { credentialSource } from './credential-source.ts';
import { KeptServer, keptSession } from './kept-server.ts';
import type { OpenServer } from './opened-server.ts';

/** What a connection was opened with: another sign-in, account or choice wants one of its own. */
function describeSignIn(integration: Integration): string {
  const { url, command, method, state, issuerKey, account, signedInAt, keySavedAt, options } = integration;
  return JSON.stringify([url, command, method, state, issuerKey, account, signedInAt, keySavedAt, options]);
}

/**
 * Servers whose connection, and with it the session, stays between the commands of a window: what a server keeps in a
 * session lasts for as long as the person works with it. Sessions end when nobody has used them for a while, when the
 * sign-in or a choice is another one, and when the window closes.
 */
export class KeptServers {
  readonly #kept = new Map<string, { readonly signIn: string; readonly server: KeptServer }>();
  /** Opened with an earlier sign-in, and still in use when they were seen last. */
  #retired: readonly KeptServer[] = [];

  /** The server as it was opened last, if it is still signed in to in the same way. The last one used stands last. */
  open(ports: EnginePorts, integration: Integration): OpenServer {
    const { id } = integration;
    const signIn = describeSignIn(integration);
    const known = this.#kept.get(id);
    this.#kept.delete(id);
    if (known !== undefined && known.signIn !== signIn) this.#retire(known.server);
    const kept = known?.signIn === signIn ? known : { signIn, server: this.#serve(ports, integration) };
    this.#kept.set(id, kept);
    for (const [other, { server }] of [...this.#kept].slice(0, -keptSession.count)) {
      this.#kept.delete(other);
      void server.end();
    }
    return kept.server;
  }

  /** Ends those that are not in the list any more, or signed in to in another way. While it cannot be read, none. */
  async review(store: Pick<IntegrationStore, 'list'>): Promise<void> {
    const list = await store.list().catch(() => undefined);
    if (list === undefined) return;
    const signIns = new Map(list.map((integration) => [integration.id, describeSignIn(integration)]));
    for (const [id, { signIn, server }] of this.#kept) {
      if (signIns.get(id) === signIn) continue;
      this.#kept.delete(id);
      void server.end();
    }
  }

  /** Ends all of them; resolves when the servers know, or have had their time. */
  async end(): Promise<void> {
    const servers = [...[...this.#kept.values()].map(({ server }) => server), ...this.#retired];
    this.#kept.clear();
    this.#retired = [];
    await Promise.all(servers.map((server) => server.end()));
  }

  /** A call that has just found its sign-in ended is still to say so, and is not cut off for the next one's sake. */
  #retire(server: KeptServer): void {
    server.retire();
    this.#retired = [...this.#retired, server].filter(({ isInUse }) => isInUse);
  }

  #serve(ports: EnginePorts, integration: Integration): KeptServer {
    return new KeptServer(ports, serverAddress(integration), (signal) => credentialsOf(ports, integration, signal));
  }
}

/** A key that another program has replaced must not be sent any more; of tokens the sign-in tells. */
function credentialsOf(ports: EnginePorts, integration: Integration, signal: AbortSignal): CredentialSource {
  if (!usesApiKey(integration)) return credentialSource(ports, integration, signal);
  return { current: () => keptKey(ports, integration).current(), renew: async () => undefined };
}
