import type { ActivityCall } from '../../../shared/activity.ts';
import { activityBounds, noteUseEvery } from '../../../shared/bounds.ts';
import { collectionReference } from '../../../shared/entry-name.ts';
import { errorCatalogue, isErrorCode } from '../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { withWaiting } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { displayText } from '../../address/display-text.ts';
import type { ActivityStore, Collections, ProgramRecords } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { isObject, statedRevision } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** A number: the code of a server's error. */
export type CallOutcome = 'ok' | 'toolError' | 'cancelled' | ErrorCode | `${number}`;

/** Who calls, and whom. */
export interface Caller {
  /** Of the table of programs. */
  readonly program: string | undefined;
  readonly server: {
    readonly integration: { readonly id?: string; readonly name: string };
    /** Which requests are Postern's, in the place of an older program. */
    readonly own?: { isOwn(id: string): boolean };
    /** Told of a use that the server has answered. */
    noteUse?(): void;
  };
}

export interface CallLogPorts {
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Never answered in the server's place. */
const uses: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** A request on its way. Whoever begins one ends it once. */
export interface NotedCall {
  /** `bytes`: of the answer. */
  end(outcome: CallOutcome, bytes: number): void;
}

/** Notes the requests of one program: who called what and how that ended, and nothing that was said in it. */
export class CallLog {
  readonly #ports: CallLogPorts;
  readonly #caller: Caller;

  constructor({ activity, clock }: CallLogPorts, caller: Caller) {
    this.#ports = { activity, clock };
    this.#caller = caller;
  }

  /** Also for a notification that goes nowhere, since nobody is told of it. */
  begin(message: Pick<RequestEnvelope, 'method' | 'params' | 'bytes'> & { readonly id?: string }): NotedCall {
    const { id: requestId, method: sent, params, bytes } = message;
    const { activity, clock } = this.#ports;
    const isBridged = requestId !== undefined && this.#caller.server.own?.isOwn(requestId) === true;
    // What the program sent is noted, and not what became of it on the newer wire.
    if (isBridged && sent === 'subscriptions/listen') return { end: () => {} };
    const method = isBridged && sent === 'server/discover' ? 'initialize' : sent;
    const at = clock.now();
    const begin = clock.monotonic();
    const { name } = params;
    const tool = method === 'tools/call' && typeof name === 'string' ? name : undefined;
    const isNewer = method === 'server/discover' || (!isBridged && statedRevision(params) !== undefined);
    const bytesIn = bytes.byteLength;
    return {
      end: (outcome, bytesOut) => {
        const { program, server } = this.#caller;
        const { id, name: serverName } = server.integration;
        if (uses.has(method) && (outcome === 'ok' || outcome === 'toolError')) server.noteUse?.();
        activity.add({
          at,
          ...(program !== undefined && { program }),
          ...(id !== undefined && { integration: id }),
          server: fitName(serverName, activityBounds.server),
          method: fitName(method, activityBounds.method),
          ...(tool !== undefined && { tool: fitName(tool, activityBounds.tool) }),
          outcome: method === 'subscriptions/listen' && hasStopped(outcome) ? 'ok' : outcome,
          ms: Math.max(0, Math.round(clock.monotonic() - begin)),
          bytesIn,
          bytesOut,
          era: isNewer ? 'modern' : 'legacy',
        });
      },
    };
  }
}

/** How a server's answer says that a call went. */
export function outcomeOf(method: string, answer: AnswerEnvelope): CallOutcome {
  if (answer.hasError) return failureOf(answer);
  return method === 'tools/call' && answer.isToolError ? 'toolError' : 'ok';
}

/** Of an answer that is an error. */
export function failureOf({ message: { error } }: AnswerEnvelope): ErrorCode | `${number}` {
  const code = isObject(error) ? error['code'] : undefined;
  return Number.isSafeInteger(code) ? `${code as number}` : 'MCP_FAILED';
}

/** What a program listens on has no other end than that it stops. */
function hasStopped(outcome: CallOutcome): boolean {
  return outcome === 'cancelled' || (isErrorCode(outcome) && isAbout(errorCatalogue[outcome], 'session-lost'));
}

/** Almost every name is plain, and then costs next to nothing. */
function fitName(name: string, length: number): string {
  return name.length <= length && /^[\w./:-]*$/u.test(name) ? name : displayText(name, length);
}

interface LastUsePorts {
  readonly programs: Pick<ProgramRecords, 'change'>;
  readonly collections: Pick<Collections, 'list'>;
  /** Whether the person wants calls noted. */
  readonly isOn: () => Promise<boolean>;
}

/**
 * Notes in their records when programs used Postern last: after a call, and seldom, since the list is written for it.
 */
export class LastUse {
  readonly #ports: LastUsePorts;
  /** By program and server, the moment that was noted. */
  readonly #noted = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: LastUsePorts) {
    this.#ports = ports;
  }

  /** Costs the call nothing: it is written later. */
  note({ at, program, integration, method }: Pick<ActivityCall, 'at' | 'program' | 'integration' | 'method'>): void {
    // A program that is merely open pings.
    if (program === undefined || integration === undefined || method === 'ping') return;
    const use = `${program} ${integration}`;
    if (!isLater(at, this.#noted.get(use))) return;
    this.#noted.set(use, at);
    this.#writing = this.#writing.then(() => this.#write(at, program, integration)).catch(() => {});
  }

  /** Resolves when what was noted is written, or cannot be. Never rejects. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(at: number, program: string, integration: string): Promise<void> {
    const having = (await this.#ports.collections.list()).filter(({ members }) => members.includes(integration));
    const rights = new Set([integration, ...having.map(collectionReference)]);
    const isOn = await this.#ports.isOn();
    await this.#ports.programs.change((records) => {
      // A call does not say which of its rights let it through: each that could have counts.
      const isDue = (record: ProgramRecord): boolean =>
        record.program === program &&
        record.revokedAt === undefined &&
        record.integrations.some((right) => rights.has(right)) &&
        isOn &&
        isLater(at, record.lastUsedAt);
      // Its lines are there, where no other right can have let it through.
      const isPasted = (record: ProgramRecord): boolean => {
        const [only, ...others] = record.integrations.filter((right) => rights.has(right));
        const isWaiting = only !== undefined && record.waiting?.includes(only) === true;
        return record.program === program && record.revokedAt === undefined && others.length === 0 && isWaiting;
      };
      if (!records.some((record) => isDue(record) || isPasted(record))) return records;
      return records.map((record) => {
        const noted = isDue(record) ? { ...record, lastUsedAt: at } : record;
        return isPasted(record)
          ? withWaiting(
              noted,
              (noted.waiting ?? []).filter((right) => !rights.has(right)),
            )
          : noted;
      });
    });
  }
}

/** Long enough after; or before it, where the clock was set back. */
function isLater(at: number, noted: number | undefined): boolean {
  return noted === undefined || at - noted >= noteUseEvery || at < noted;
}
