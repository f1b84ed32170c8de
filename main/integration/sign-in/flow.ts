import type { FlowState } from '../../../shared/flow-state.ts';
import type { Log } from '../../ports.ts';
import type { FlowEvent } from './flow-state.ts';
import { transition } from './flow-state.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';

/** Where one connection stands, and who is told. All effects stay outside: this only walks the table. */
export class Flow {
  #state: FlowState;
  readonly #interaction: Pick<SignInInteraction, 'onEvent'>;
  readonly #log: Log;

  constructor(interaction: Pick<SignInInteraction, 'onEvent'>, log: Log, state: FlowState = { name: 'urlEntered' }) {
    this.#interaction = interaction;
    this.#log = log;
    this.#state = state;
  }

  get state(): FlowState {
    return this.#state;
  }

  advance(event: FlowEvent): void {
    const next = transition(this.#state, event);
    if (next === this.#state) {
      this.#log.write('flow-event-ignored', { state: this.#state.name, type: event.type });
      return;
    }
    this.#state = next;
    this.#interaction.onEvent({ event: 'state', state: next });
  }
}
