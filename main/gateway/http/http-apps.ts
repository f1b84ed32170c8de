// All apps that use the gateway over HTTP: admits each by its secret.

import { createHash } from 'node:crypto';
import type { Collection } from '../../../shared/collection.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { runAsOwner } from '../../yield-if-busy.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { Admission, AppRecords } from '../../gateway-ports.ts';
import { surveyInSlices } from '../../mcp/messages/survey-json.ts';
import type { Random } from '../../ports.ts';
import { requestConsent, canAsk, findBySecret, mayUse } from '../capabilities/app-access.ts';
import { errorText, rpcCode } from '../responses/responses.ts';
import { isStatelessMessage } from '../bridge/revisions.ts';
import type { Target, Targets } from '../collection/targets.ts';
import { CallLog } from '../responses/call-log.ts';
import { asObject, isSessionHandshake, readEnvelope } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { contradictsHeaders } from '../capabilities/capabilities.ts';
import type { ServedServer } from '../server/served-server.ts';
import type { OpenSessionPorts } from '../session/open-session.ts';
import { onAbort } from './exchanges.ts';
import { HttpApp } from './http-app.ts';
import type { HttpAppPorts } from './http-app.ts';

export interface HttpAppsOptions extends OpenSessionPorts {
  readonly apps: AppRecords;
  readonly random: Random;
  readonly serve: (integration: Integration) => ServedServer;
  readonly targets: Targets;
}

interface OpenApp {
  readonly httpApp: HttpApp;
  /** Required permission: the server's id, or a collection. */
  readonly access: string;
  readonly record: AppRecord;
  /** As last stored. */
  target: Target;
}

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
    const { apps, paused, targets } = this.#options;
    const record = findBySecret(await apps.list(), secret);
    if (!record) return { kind: 'unknown' };
    const target = await targets.find(reference);
    if (!target) return { kind: 'not-allowed' };
    const { id, name } = target;
    const key = `${record.id} ${id}`;
    if (!mayUse(record, id) && !this.#allowedOnce.has(key)) {
      if (paused().has(record) || !canAsk(this.#options, record, target)) return { kind: 'not-allowed' };
      const accessRequest = { record, entry: record.id, ownNames: [], parent: undefined, integration: { id, name } };
      if ((await requestConsent(this.#options, accessRequest)).isOnce) this.#allowedOnce.add(key);
    }
    const openApp = this.#openApps.get(key) ?? this.#open(target, record, this.#allowedOnce.has(key));
    openApp.target = target;
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

  #open(target: Target, record: AppRecord, isOnce: boolean): OpenApp {
    const { clock, random, targets } = this.#options;
    const app = { app: record, record, isOnce, isAtSocket: false };
    const openApp: OpenApp = {
      httpApp: new HttpApp({
        clock,
        random,
        // Messages cannot be requeued to an HTTP app.
        open: (side) => targets.open(openApp.target, { ...side, ...app, requeue: async () => {} }, unlimited),
        ...(target.kind === 'collection'
          ? this.#rulesOfCollection(target.collection)
          : this.#rulesOfServer(target.integration, record)),
      }),
      access: target.id,
      record,
      target,
    };
    return openApp;
  }

  #rulesOfServer(integration: Integration, record: AppRecord): TargetRules {
    const server = (): ServedServer => this.#options.serve(integration);
    return {
      sharedKey: () => '',
      // Stateless revisions have no such stream (MCP 2026-07-28, streamable HTTP).
      hasStream: () => server().integration.protocol !== 'stateless',
      // The server decides.
      rejectionOf: () => undefined,
      refuse: (error) => server().refuse(record.name, error),
      log: (request, outcome, bytes) =>
        new CallLog(this.#options, { app: record.app, server: server() }).begin(request).end(outcome, bytes),
    };
  }

  #rulesOfCollection(collection: Collection): TargetRules {
    return {
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
      refuse: this.#options.targets.refusalsFor(collection),
      // Calls are logged per member.
      log: () => {},
    };
  }
}

/** What differs between a server and a collection. */
type TargetRules = Omit<HttpAppPorts, 'clock' | 'random' | 'open'>;

/** Client info and capabilities from the request metadata: processes that share a session must agree in these. */
function clientKey({ params: { _meta } }: RequestEnvelope): string {
  const meta = asObject(_meta);
  return JSON.stringify(['clientInfo', 'clientCapabilities'].map((name) => meta[`io.modelcontextprotocol/${name}`]));
}
