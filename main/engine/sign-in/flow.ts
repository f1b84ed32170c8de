import type { IssuerKey, WireEra } from '../../../shared/integration.ts';
import { isCancellation, PosternError } from '../../errors/postern-error.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import type { Log } from '../../ports.ts';
import { errorOf, transition } from './flow-state.ts';
import type { FlowEvent, FlowState } from './flow-state.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';

/** The verdict on a server: what it is, before anything is stored. */
export interface Inspection {
  readonly discovery: Discovery;
  /** `NoAuth`, and it really lists its tools without a token. */
  readonly open?: {
    readonly tools: readonly Tool[];
    readonly era: WireEra;
    /** What it names as its pictures, as it came. */
    readonly icons?: unknown;
  };
  /** `NoAuth`, but it wants a sign-in and says nowhere how: why not. */
  readonly refusal?: PosternError;
  /** What stood in the query of a server that wants a sign-in: discovery and sign-in are of the address without it. */
  readonly keys?: readonly FixedHeader[] | undefined;
}

/** What has been learnt about a server on the way; it stays in sight when an attempt ends. */
export interface Found {
  readonly steps: readonly DiscoveryStep[];
  /** The verdict that was shown last. */
  readonly shown?: Inspection;
  /**
   * The one that a person rested with: every sign-in starts from it, whatever has been shown since. None holds once
   * other choices would lead elsewhere.
   */
  readonly restedWith?: Inspection | undefined;
  /** The service that was shown first in this attempt: what was typed for it goes to no later one. */
  readonly firstIssuerKey?: IssuerKey | undefined;
  /** The service that has refused to register Postern, as it would again. */
  readonly registrationRefusedBy?: IssuerKey;
}

/**
 * The one state of a connection, through all its attempts, and who is told. All effects stay outside: this only walks
 * the table.
 */
export class Flow {
  #state: FlowState = { name: 'urlEntered' };
  #found: Found = { steps: [] };
  #endedIn: FlowState['name'] | undefined;
  #interaction: Pick<SignInInteraction, 'onEvent'> | undefined;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get state(): FlowState {
    return this.#state;
  }

  /** Where the last attempt stood that failed or was called off. */
  get endedIn(): FlowState['name'] | undefined {
    return this.#endedIn;
  }

  get found(): Found {
    return this.#found;
  }

  /** An attempt begins, of which `interaction` is told. */
  begin(interaction: Pick<SignInInteraction, 'onEvent'>, from: FlowState = { name: 'urlEntered' }): void {
    this.#interaction = interaction;
    this.#state = from;
    this.#found = { ...this.#found, firstIssuerKey: undefined };
  }

  /** Another address, or another look at it: what was found before says nothing any more. */
  clear(): void {
    this.#state = { name: 'urlEntered' };
    this.#found = { steps: [] };
  }

  report(step: DiscoveryStep): void {
    this.#found = { ...this.#found, steps: [...this.#found.steps, step] };
    this.#interaction?.onEvent({ event: 'step', step });
  }

  /** From now on, what the service has refused for good is no longer offered. */
  noteRefusedRegistration(issuerKey: IssuerKey): void {
    this.#found = { ...this.#found, registrationRefusedBy: issuerKey };
  }

  /** Tells how to sign in to the server, even when that has changed on the way. */
  show(inspection: Inspection): void {
    const { discovery } = inspection;
    const firstIssuerKey = this.#found.firstIssuerKey ?? discovery.issuerKey;
    this.#found = { ...this.#found, shown: inspection, firstIssuerKey };
    this.#interaction?.onEvent({ event: 'method', discovery });
  }

  /** Discovery is over, and it is the person's turn with what it found. */
  rest(inspection: Inspection): void {
    this.#found = { ...this.#found, restedWith: inspection };
    this.show(inspection);
    this.advance({ type: 'methodDecided', method: inspection.discovery.method });
  }

  /** Other choices would lead elsewhere: the next attempt looks again. */
  doubt(): void {
    this.#found = { ...this.#found, restedWith: undefined };
  }

  advance(event: FlowEvent): void {
    const next = transition(this.#state, event);
    if (next === this.#state) {
      this.#log.write('flow-event-ignored', { state: this.#state.name, type: event.type });
      return;
    }
    this.#state = next;
    this.#interaction?.onEvent({ event: 'state', state: next });
  }

  /**
   * An attempt has ended with `error`, or since `signal` aborted. Gives what is to be thrown: USER_CANCELLED where a
   * person ended it. What it gave ends nothing a second time.
   */
  end(error: unknown, signal: AbortSignal): unknown {
    if (error !== undefined && errorOf(this.#state) === error) return error;
    this.#endedIn = this.#state.name;
    if (!signal.aborted && !isCancellation(error)) {
      this.advance({ type: 'failed', error });
      return error;
    }
    const cancelled = new PosternError('USER_CANCELLED', { stage: 'authorization', cause: error });
    this.advance({ type: 'cancelled', error: cancelled });
    return cancelled;
  }
}
