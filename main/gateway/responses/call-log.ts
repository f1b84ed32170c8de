// Logs calls of apps, and when each app last used Postern.

import { isObject } from '../../../shared/json-object.ts';
import type { ActivityCall } from '../../../shared/activity.ts';
import { activityBounds, lastUsedInterval } from '../../../shared/bounds.ts';
import { collectionReference } from '../../../shared/entry-name.ts';
import { usageMethods } from '../../../shared/status-words.ts';
import { errorCatalog, isErrorCode } from '../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import { withWaiting } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { displayText } from '../../address/display-text.ts';
import type { ActivityStore, Collections, AppRecords } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { statedRevision } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** A number: the code of a server's error. */
export type CallOutcome = 'ok' | 'toolError' | 'cancelled' | ErrorCode | `${number}`;

/** The app and server of a call. */
export interface Caller {
  /** Id from the app table. */
  readonly app: string | undefined;
  readonly server: {
    readonly integration: { readonly id?: string; readonly name: string };
    /** Recognizes requests that Postern makes on behalf of an app that uses sessions. */
    readonly own?: { isOwn(id: string): boolean };
    /** Called for every usage call that the server has answered. */
    noteUse?(): void;
  };
}

export interface CallLogPorts {
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** A request in flight. Must be ended exactly once. */
export interface LoggedCall {
  /** Runs `work` without counting its time: the user's thinking is not the server's duration. */
  untimed(work: () => Promise<void>): Promise<void>;
  /** `bytes`: of the response. */
  end(outcome: CallOutcome, bytes: number): void;
}

/** Logs the requests of one app: method, tool and outcome, but no content. */
export class CallLog {
  readonly #ports: CallLogPorts;
  readonly #caller: Caller;

  constructor({ activity, clock }: CallLogPorts, caller: Caller) {
    this.#ports = { activity, clock };
    this.#caller = caller;
  }

  /** Also logs notifications that are dropped, since those have no response. */
  begin(message: Pick<RequestEnvelope, 'method' | 'params' | 'bytes'> & { readonly id?: string }): LoggedCall {
    const { id: requestId, method: receivedMethod, params, bytes } = message;
    const { activity, clock } = this.#ports;
    const isBridged = requestId !== undefined && this.#caller.server.own?.isOwn(requestId) === true;
    // Log the app's own request, not what the bridge sent instead.
    if (isBridged && receivedMethod === 'subscriptions/listen') return { untimed: (work) => work(), end: () => {} };
    const method = isBridged && receivedMethod === 'server/discover' ? 'initialize' : receivedMethod;
    const at = clock.now();
    let begin = clock.monotonic();
    let pausedAt: number | undefined;
    const { name } = params;
    const tool = method === 'tools/call' && typeof name === 'string' ? name : undefined;
    const isStateless = method === 'server/discover' || (!isBridged && statedRevision(params) !== undefined);
    const bytesIn = bytes.byteLength;
    return {
      untimed: async (work) => {
        const from = (pausedAt = clock.monotonic());
        try {
          await work();
        } finally {
          begin += clock.monotonic() - from;
          pausedAt = undefined;
        }
      },
      end: (outcome, bytesOut) => {
        const { app, server } = this.#caller;
        const { id, name: serverName } = server.integration;
        if (usageMethods.has(method) && (outcome === 'ok' || outcome === 'toolError')) server.noteUse?.();
        activity.add({
          at,
          ...(app !== undefined && { app }),
          ...(id !== undefined && { integration: id }),
          server: fitName(serverName, activityBounds.server),
          method: fitName(method, activityBounds.method),
          ...(tool !== undefined && { tool: fitName(tool, activityBounds.tool) }),
          outcome: method === 'subscriptions/listen' && hasStopped(outcome) ? 'ok' : outcome,
          ms: Math.max(0, Math.round((pausedAt ?? clock.monotonic()) - begin)),
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

/** True if a subscription was merely closed, which is its normal end. */
function hasStopped(outcome: CallOutcome): boolean {
  return outcome === 'cancelled' || (isErrorCode(outcome) && hasTrait(errorCatalog[outcome], 'session-lost'));
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

/** Records when an app last used Postern. At most once per interval, since that rewrites the list of apps. */
export class LastUse {
  readonly #ports: LastUsePorts;
  /** Time of the last note, by app and server. */
  readonly #lastNoted = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: LastUsePorts) {
    this.#ports = ports;
  }

  /** Returns at once; written later. */
  note({ at, app, integration, method }: Pick<ActivityCall, 'at' | 'app' | 'integration' | 'method'>): void {
    // Apps send pings even if unused.
    if (app === undefined || integration === undefined || method === 'ping') return;
    const use = `${app} ${integration}`;
    if (!isOverdue(at, this.#lastNoted.get(use))) return;
    this.#lastNoted.set(use, at);
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
      // Any of these permissions may have allowed the call, so all count as used.
      const isDue = (record: AppRecord): boolean =>
        record.app === app &&
        record.revokedAt === undefined &&
        record.integrations.some((grant) => grants.has(grant)) &&
        isOn &&
        isOverdue(at, record.lastUsedAt);
      // An entry works if only its permission can have allowed the call.
      const isCalled = (record: AppRecord): boolean => {
        const [only, ...others] = record.integrations.filter((grant) => grants.has(grant));
        const isWaiting = only !== undefined && record.waiting?.includes(only) === true;
        return record.app === app && record.revokedAt === undefined && others.length === 0 && isWaiting;
      };
      if (!records.some((record) => isDue(record) || isCalled(record))) return records;
      return records.map((record) => {
        const noted = isDue(record) ? { ...record, lastUsedAt: at } : record;
        if (!isCalled(record)) return noted;
        const { waiting = [], called = [] } = noted;
        return withWaiting(
          noted,
          waiting.filter((grant) => !grants.has(grant)),
          [...called, ...waiting.filter((grant) => grants.has(grant))],
        );
      });
    });
  }
}

/** True if the last note is old enough, or in the future because the clock was set back. */
function isOverdue(at: number, noted: number | undefined): boolean {
  return noted === undefined || at - noted >= lastUsedInterval || at < noted;
}
