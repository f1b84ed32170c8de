// All apps that use the gateway over HTTP: admits each by its secret.

import { createHash } from 'node:crypto';
import type { Collection } from '../../../shared/collection.ts';
import { collectionNameIn, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { runAsOwner } from '../../yield-if-busy.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { Admission, AppUser, AppRecords } from '../../gateway-ports.ts';
import { surveyInSlices } from '../../mcp/messages/survey-json.ts';
import type { IntegrationStore, Random } from '../../ports.ts';
import { requestConsent, canAsk, findBySecret, mayUse } from '../capabilities/app-access.ts';
import { errorText, rpcCode } from '../responses/responses.ts';
import { isStatelessMessage } from '../bridge/revisions.ts';
import { CollectionAppSession } from '../collection/collection-app-session.ts';
import type { OpenCollections } from '../collection/open-collections.ts';
import { CallLog } from '../responses/call-log.ts';
import { isSessionHandshake, isObject, readEnvelope } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { contradictsHeaders } from '../capabilities/capabilities.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/open-session.ts';
import type { OpenSessionPorts } from '../session/open-session.ts';
import { onAbort } from './exchanges.ts';
import { HttpApp } from './http-app.ts';
import type { HttpSession, HttpSessionOptions } from './http-app.ts';

export interface HttpAppsOptions extends OpenSessionPorts {
  readonly apps: AppRecords;
  readonly user: AppUser;
  readonly store: Pick<IntegrationStore, 'list'>;
  readonly random: Random;
  readonly serve: (integration: Integration) => ServedServer;
  readonly collections: OpenCollections;
}

interface OpenApp {
  readonly httpApp: HttpApp;
  /** Required permission: the server's id, or a collection. */
  readonly access: string;
  readonly record: AppRecord;
}

/** The server or collection that an app requests. */
type Target = Pick<Integration, 'id' | 'name'> &
  ({ readonly integration: Integration } | { readonly collection: Collection });

/** Apps that use HTTP, each with one server or one collection. */
export class HttpApps {
  readonly #options: HttpAppsOptions;
  readonly #openApps = new Map<string, OpenApp>();
  /** By hash of the secret and alias of the server. Cached, since every request has a secret and the list is a file. */
  #admitted = new Map<string, Admission>();
  /** Allowed until Postern exits, since an HTTP app has no session that ends. */
  readonly #allowedOnce = new Set<string>();
  #hasActivity = false;
  #inFlight = 0;

  constructor(options: HttpAppsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#openApps.size === 0;
  }

  /** Whether an app has sent a request since the last call, or waits for a response. */
  consumeActivity(): boolean {
    const hasActivity = this.#hasActivity || this.#inFlight > 0;
    this.#hasActivity = false;
    return hasActivity;
  }

  /** Identifies an app by its secret and checks whether it may use this server. Never rejects. */
  async admit(secret: string, reference: string): Promise<Admission> {
    // If the list changes meanwhile, the result must not be cached in the new map.
    const admitted = this.#admitted;
    const key = `${createHash('sha256').update(secret).digest('hex')} ${reference}`;
    try {
      const admission = admitted.get(key) ?? (await this.#find(secret, reference));
      if (admission.kind === 'admitted') admitted.set(key, admission);
      return admission;
    } catch {
      return { kind: 'not-allowed' };
    }
  }

  /** The list has changed: checks each app again. */
  forgetAdmissions(): void {
    this.#admitted = new Map();
  }

  /** Closes apps that are no longer allowed. */
  closeDisallowed(isAllowed: (record: AppRecord, access: string, isOnce: boolean) => boolean): void {
    for (const [key, { httpApp, access, record }] of this.#openApps) {
      if (isAllowed(record, access, this.#allowedOnce.has(key))) continue;
      this.#openApps.delete(key);
      this.#allowedOnce.delete(key);
      void httpApp.close();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#openApps.values()].map(({ httpApp }) => httpApp.close()));
  }

  async #find(secret: string, reference: string): Promise<Admission> {
    const { apps, paused } = this.#options;
    const record = findBySecret(await apps.list(), secret);
    if (!record) return { kind: 'unknown' };
    const target = await this.#findTarget(reference);
    if (!target) return { kind: 'not-allowed' };
    const { id, name } = target;
    const key = `${record.id} ${id}`;
    if (!mayUse(record, id) && !this.#allowedOnce.has(key)) {
      if (paused().has(record) || !canAsk(this.#options, record, target)) return { kind: 'not-allowed' };
      const accessRequest = { record, entry: record.id, ownNames: [], parent: undefined, integration: { id, name } };
      if ((await requestConsent(this.#options, accessRequest)).isOnce) this.#allowedOnce.add(key);
    }
    const openApp = this.#openApps.get(key) ?? this.#open(target, record, this.#allowedOnce.has(key));
    this.#openApps.set(key, openApp);
    const { httpApp } = openApp;
    return {
      kind: 'admitted',
      app: record.id,
      openReading: (hangUp) => this.#options.budget.of(record.id).openReading(hangUp),
      respond: (request) => {
        this.#hasActivity = true;
        this.#inFlight += 1;
        onAbort(request.signal, () => (this.#inFlight -= 1));
        return runAsOwner(record.id, async () => {
          await surveyInSlices(request.body);
          return await httpApp.handle(request, request.method === 'POST' ? readEnvelope(request.body) : undefined);
        });
      },
    };
  }

  async #findTarget(reference: string): Promise<Target | undefined> {
    const { store, collections } = this.#options;
    const name = collectionNameIn(reference);
    if (name === undefined) {
      const integration = (await store.list()).find(({ alias }) => alias === reference);
      return integration && { id: integration.id, name: integration.name, integration };
    }
    const collection = await collections.find(name);
    return collection && { id: collectionReference(collection), name: titleOf(collection), collection };
  }

  #open(target: Target, record: AppRecord, isOnce: boolean): OpenApp {
    const access = target.id;
    const grant = { record, isOnce, access };
    const httpApp =
      'collection' in target
        ? this.#newCollectionApp(target.collection, grant)
        : this.#newServerApp(target.integration, grant);
    return { httpApp, access, record };
  }

  #newServerApp(integration: Integration, grant: AppGrant): HttpApp {
    const { clock, random, serve } = this.#options;
    const { record } = grant;
    const server = serve(integration);
    const calls = new CallLog(this.#options, { app: record.app, server });
    return new HttpApp({
      clock,
      random,
      open: (side) => this.#openServer(server, side, grant),
      sharedKey: () => '',
      // Stateless revisions have no such stream (MCP 2026-07-28, streamable HTTP).
      hasStream: () => server.integration.protocol !== 'stateless',
      // The server decides.
      rejectionOf: () => undefined,
      refuse: (error) => server.refuse(record.name, error),
      log: (request, outcome, bytes) => calls.begin(request).end(outcome, bytes),
    });
  }

  /** Errors: GATEWAY_BUSY, those of `storedAddress`. */
  #openServer(server: ServedServer, side: HttpSessionOptions, grant: AppGrant): HttpSession {
    const app = { ...side, ...grant, app: grant.record, isAtSocket: false, isByHttp: true, canEvict: true };
    // Messages cannot be requeued to an HTTP app.
    const opened = openSession(this.#options, server, { ...app, requeue: async () => {} }, unlimited);
    const { session } = opened;
    return {
      receive: ({ bytes }, context) => opened.receive(bytes, context),
      drop: opened.drop,
      listen: () => session.listen(),
      touch: opened.touch,
      close: () => opened.close(),
    };
  }

  #newCollectionApp(collection: Collection, { record, isOnce }: AppGrant): HttpApp {
    const { clock, random, collections } = this.#options;
    const refuse = collections.refusalsFor(collection);
    return new HttpApp({
      clock,
      random,
      open: ({ hangUp, ...side }) => openCollection(collections, collection, { ...side, hangUp, record, isOnce }),
      // Outside of a session, the app receives no server requests, so it has nothing to respond to.
      sharedKey: (message) => (message.kind === 'request' ? clientKey(message) : undefined),
      hasStream: () => false,
      rejectionOf: (message, headers) => {
        if (message.kind !== 'request') return undefined;
        if (contradictsHeaders(message, headers))
          return errorText(message.id, rpcCode.headerMismatch, 'The header fields and the body do not match.');
        const isAcceptable =
          headers['mcp-session-id'] !== undefined || isSessionHandshake(message) || isStatelessMessage(message);
        return isAcceptable
          ? undefined
          : errorText(message.id, rpcCode.notARequest, 'Start a session with initialize.');
      },
      refuse,
      // Calls are logged per member.
      log: () => {},
    });
  }
}

interface AppGrant {
  readonly record: AppRecord;
  readonly isOnce: boolean;
  /** Required permission: the server's id, or a collection. */
  readonly access: string;
}

async function openCollection(
  open: OpenCollections,
  collection: Collection,
  { send, httpResponses, hangUp, isShared, record, isOnce }: HttpSessionOptions & Pick<AppGrant, 'record' | 'isOnce'>,
): Promise<HttpSession> {
  const app = await CollectionAppSession.open(
    (callbacks) => open.open(collection, { ...callbacks, app: record, record, isOnce, hangUp, isAtSocket: false }),
    {
      send,
      httpResponses,
      requeue: async () => {},
      newId: open.newId,
      refuse: open.refusalsFor(collection),
      touch: (session) => open.touch(session),
      close: async (session) => void (await open.close(session)),
    },
  );
  return {
    receive: (message, { requestKey }) => app.handle(message, requestKey),
    drop: (requestKey) => void (isShared && app.cancel(requestKey)),
    listen: () => {},
    touch: () => app.touch(),
    close: () => app.close(),
  };
}

/** Client info and capabilities from the request metadata: processes that share a session must agree in these. */
function clientKey({ params: { _meta } }: RequestEnvelope): string {
  const meta = isObject(_meta) ? _meta : {};
  return JSON.stringify(['clientInfo', 'clientCapabilities'].map((name) => meta[`io.modelcontextprotocol/${name}`]));
}
