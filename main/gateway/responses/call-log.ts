import type { ActivityCall } from '../../../shared/activity.ts';
import { activityBounds, lastUsedInterval } from '../../../shared/bounds.ts';
import { collectionReference } from '../../../shared/entry-name.ts';
import { errorCatalog, isErrorCode } from '../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { withWaiting } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { displayText } from '../../address/display-text.ts';
import type { ActivityStore, Collections, AppRecords } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { isObject, statedRevision } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** A number: the code of a server's error. */
export type CallOutcome = 'ok' | 'toolError' | 'cancelled' | ErrorCode | `${number}`;

/** Which app calls which server. */
export interface Caller {
  /** Id from the app table. */
  readonly app: string | undefined;
  readonly server: {
    readonly integration: { readonly id?: string; readonly name: string };
    /** Recognizes requests that Postern makes on behalf of an app that uses sessions. */
    readonly own?: { isOwn(id: string): boolean };
    /** Called for every use that the server has answered. */
    noteUse?(): void;
  };
}

export interface CallLogPorts {
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Never answered in the server's place. */
const uses: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** A request in flight. Must be ended exactly once. */
export interface LoggedCall {
  /** `bytes`: of the response. */
  end(outcome: CallOutcome, bytes: number): void;
}

/** Logs the requests of one app: who called what and how that ended, but none of the content. */
export class CallLog {
  readonly #ports: CallLogPorts;
  readonly #caller: Caller;

  constructor({ activity, clock }: CallLogPorts, caller: Caller) {
    this.#ports = { activity, clock };
    this.#caller = caller;
  }

  /** Also logs notifications that are dropped, since those have no response. */
  begin(message: Pick<RequestEnvelope, 'method' | 'params' | 'bytes'> & { readonly id?: string }): LoggedCall {
    const { id: requestId, method: sent, params, bytes } = message;
    const { activity, clock } = this.#ports;
    const isBridged = requestId !== undefined && this.#caller.server.own?.isOwn(requestId) === true;
    // Log what the app sent, not what the bridge made of it.
    if (isBridged && sent === 'subscriptions/listen') return { end: () => {} };
    const method = isBridged && sent === 'server/discover' ? 'initialize' : sent;
    const at = clock.now();
    const begin = clock.monotonic();
    const { name } = params;
    const tool = method === 'tools/call' && typeof name === 'string' ? name : undefined;
    const isStateless = method === 'server/discover' || (!isBridged && statedRevision(params) !== undefined);
    const bytesIn = bytes.byteLength;
    return {
      end: (outcome, bytesOut) => {
        const { app, server } = this.#caller;
        const { id, name: serverName } = server.integration;
        if (uses.has(method) && (outcome === 'ok' || outcome === 'toolError')) server.noteUse?.();
        activity.add({
          at,
          ...(app !== undefined && { app }),
          ...(id !== undefined && { integration: id }),
          server: fitName(serverName, activityBounds.server),
          method: fitName(method, activityBounds.method),
          ...(tool !== undefined && { tool: fitName(tool, activityBounds.tool) }),
          outcome: method === 'subscriptions/listen' && hasStopped(outcome) ? 'ok' : outcome,
          ms: Math.max(0, Math.round(clock.monotonic() - begin)),
          bytesIn,
          bytesOut,
          protocol: isStateless ? 'stateless' : 'session',
        });
      },
    };
  }
}

/** Outcome of a call, from the server's response. */
export function outcomeOf(method: string, response: ResponseEnvelope): CallOutcome {
  if (response.hasError) return failureOf(response);
  return method === 'tools/call' && response.isToolError ? 'toolError' : 'ok';
}

/** Outcome of an error response. */
export function failureOf({ message: { error } }: ResponseEnvelope): ErrorCode | `${number}` {
  const code = isObject(error) ? error['code'] : undefined;
  return Number.isSafeInteger(code) ? `${code as number}` : 'MCP_FAILED';
}

/** A subscription has no other end than that it stops. */
function hasStopped(outcome: CallOutcome): boolean {
  return outcome === 'cancelled' || (isErrorCode(outcome) && isAbout(errorCatalog[outcome], 'session-lost'));
}

/** Fast path: almost every name is plain. */
function fitName(name: string, length: number): string {
  return name.length <= length && /^[\w./:-]*$/u.test(name) ? name : displayText(name, length);
}

interface LastUsePorts {
  readonly apps: Pick<AppRecords, 'change'>;
  readonly collections: Pick<Collections, 'list'>;
  /** Whether the user wants calls logged. */
  readonly isOn: () => Promise<boolean>;
}

/** Records when an app last used Postern: after a call, and rarely, since that rewrites the list. */
export class LastUse {
  readonly #ports: LastUsePorts;
  /** Time of the last note, by app and server. */
  readonly #noted = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: LastUsePorts) {
    this.#ports = ports;
  }

  /** Costs the call nothing: written later. */
  note({ at, app, integration, method }: Pick<ActivityCall, 'at' | 'app' | 'integration' | 'method'>): void {
    // An app that is merely open sends pings.
    if (app === undefined || integration === undefined || method === 'ping') return;
    const use = `${app} ${integration}`;
    if (!isLater(at, this.#noted.get(use))) return;
    this.#noted.set(use, at);
    this.#writing = this.#writing.then(() => this.#write(at, app, integration)).catch(() => {});
  }

  /** Resolves when everything is written, or cannot be. Never rejects. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(at: number, app: string, integration: string): Promise<void> {
    const collectionsWithServer = (await this.#ports.collections.list()).filter(({ members }) =>
      members.includes(integration),
    );
    const grants = new Set([integration, ...collectionsWithServer.map(collectionReference)]);
    const isOn = await this.#ports.isOn();
    await this.#ports.apps.change((records) => {
      // A call does not tell which access let it through, so each one that could have counts.
      const isDue = (record: AppRecord): boolean =>
        record.app === app &&
        record.revokedAt === undefined &&
        record.integrations.some((grant) => grants.has(grant)) &&
        isOn &&
        isLater(at, record.lastUsedAt);
      // The app's entry is in place if no other access can have let the call through.
      const isPasted = (record: AppRecord): boolean => {
        const [only, ...others] = record.integrations.filter((grant) => grants.has(grant));
        const isWaiting = only !== undefined && record.waiting?.includes(only) === true;
        return record.app === app && record.revokedAt === undefined && others.length === 0 && isWaiting;
      };
      if (!records.some((record) => isDue(record) || isPasted(record))) return records;
      return records.map((record) => {
        const noted = isDue(record) ? { ...record, lastUsedAt: at } : record;
        return isPasted(record)
          ? withWaiting(
              noted,
              (noted.waiting ?? []).filter((grant) => !grants.has(grant)),
            )
          : noted;
      });
    });
  }
}

/** Long enough ago; or earlier than the note, if the clock was set back. */
function isLater(at: number, noted: number | undefined): boolean {
  return noted === undefined || at - noted >= lastUsedInterval || at < noted;
}
