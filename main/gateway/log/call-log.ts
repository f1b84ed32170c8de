import { activityBounds } from '../../../shared/activity-bounds.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { displayText } from '../../address/display-text.ts';
import type { ActivityStore } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { statedRevision, isObject } from '../messages/envelope.ts';
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
  if (answer.hasError) {
    const { error } = answer.message;
    const code = isObject(error) ? error['code'] : undefined;
    return Number.isSafeInteger(code) ? `${code as number}` : 'MCP_FAILED';
  }
  return method === 'tools/call' && answer.isToolError ? 'toolError' : 'ok';
}

/** What a program listens on has no other end than that it stops. */
function hasStopped(outcome: CallOutcome): boolean {
  return outcome === 'cancelled' || outcome === 'SESSION_LOST';
}

/** Almost every name is plain, and then costs next to nothing. */
function fitName(name: string, length: number): string {
  return name.length <= length && /^[\w./:-]*$/u.test(name) ? name : displayText(name, length);
}
