import type { IssuerKey, ServerProtocol } from '../../../shared/integration.ts';
import { isCancellation, PosternError } from '../../errors/postern-error.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import type { Log } from '../../ports.ts';
import { errorOf, transition } from './flow-state.ts';
import type { FlowEvent, FlowState } from './flow-state.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';

/** What a server is, before anything is stored. */
export interface Inspection {
  readonly discovery: Discovery;
  /** `NoAuth`, proven by listing its tools without a token. */
  readonly open?: {
    readonly tools: readonly Tool[];
    readonly protocol: ServerProtocol;
    readonly ownName?: string | undefined;
    /** Icons it names, unvalidated. */
    readonly icons?: unknown;
  };
  /** `NoAuth`, but the server wants a sign-in without publishing how: the reason its metadata is missing. */
  readonly refusal?: PosternError;
  /**
   * Keys found in the address of a server that wants a sign-in. Discovery and sign-in use the address without the ones
   * in its query.
   */
  readonly keys?: readonly FixedHeader[] | undefined;
}

/** What an attempt found out about a server; still shown after the attempt ends. */
interface FlowFindings {
  readonly steps: readonly DiscoveryStep[];
  /** The latest inspection shown. */
  readonly shownInspection?: Inspection;
  /**
   * The inspection the user continued from: every sign-in starts from it, whatever was shown since. Cleared when other
   * choices could lead elsewhere.
   */
  readonly startingPoint?: Inspection | undefined;
  /** The first issuer shown in this attempt; credentials typed for it go to no later one. */
  readonly firstIssuerKey?: IssuerKey | undefined;
  /** The issuer that refused to register Postern for good. */
  readonly registrationRefusedBy?: IssuerKey;
}

/**
 * State of one sign-in across all its attempts; reports changes to the interaction. No side effects: it only walks the
 * transition table.
 */
export class Flow {
  #state: FlowState = { name: 'urlEntered' };
  #findings: FlowFindings = { steps: [] };
  #endedIn: FlowState['name'] | undefined;
  #interaction: Pick<SignInInteraction, 'onEvent'> | undefined;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get state(): FlowState {
    return this.#state;
  }

  /** State in which the last attempt failed or was cancelled. */
  get endedIn(): FlowState['name'] | undefined {
    return this.#endedIn;
  }

  get findings(): FlowFindings {
    return this.#findings;
  }

  /** Starts an attempt, whose events go to `interaction`. */
  begin(interaction: Pick<SignInInteraction, 'onEvent'>, from: FlowState = { name: 'urlEntered' }): void {
    this.#interaction = interaction;
    this.#state = from;
    this.#findings = { ...this.#findings, firstIssuerKey: undefined };
  }

  /** Another address, or a new discovery of this one: earlier findings no longer apply. */
  clear(): void {
    this.#state = { name: 'urlEntered' };
    this.#findings = { steps: [] };
  }

  report(step: DiscoveryStep): void {
    this.#findings = { ...this.#findings, steps: [...this.#findings.steps, step] };
    this.#interaction?.onEvent({ event: 'step', step });
  }

  /** The dialog stops offering registration at this issuer. */
  noteRefusedRegistration(issuerKey: IssuerKey): void {
    this.#findings = { ...this.#findings, registrationRefusedBy: issuerKey };
  }

  /** Reports how to sign in to the server, also when that has changed meanwhile. */
  show(inspection: Inspection): void {
    const { discovery } = inspection;
    const firstIssuerKey = this.#findings.firstIssuerKey ?? discovery.issuerKey;
    this.#findings = { ...this.#findings, shownInspection: inspection, firstIssuerKey };
    this.#interaction?.onEvent({ event: 'method', discovery });
  }

  /** Discovery is done; the user chooses the next step. */
  setStartingPoint(inspection: Inspection): void {
    this.#findings = { ...this.#findings, startingPoint: inspection };
    this.show(inspection);
    this.advance({ type: 'methodDecided', method: inspection.discovery.method });
  }

  /** Other choices could lead elsewhere, so the next attempt runs discovery again. */
  clearStartingPoint(): void {
    this.#findings = { ...this.#findings, startingPoint: undefined };
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
   * Ends an attempt with `error`, or because `signal` aborted. Returns what to throw: USER_CANCELLED if the user ended
   * it. Calling it again with an error it returned changes nothing.
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
