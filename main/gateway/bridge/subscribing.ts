import type { Clock } from '../../ports.ts';
import { gatewaySession } from '../../limits.ts';
import { rpcCode } from '../answers/answers.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** What older programs are told by themselves, with the capability that says so and the member that asks for it. */
const changes = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const;

interface Listen {
  readonly id: string;
  readonly acknowledged: PromiseWithResolvers<boolean>;
}

export interface SubscribingPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** An id that no other request has, as JSON text. */
  readonly newId: () => string;
  readonly ask: (id: string, params: JsonObject) => void;
  /** Lets go of a request. */
  readonly cancel: (id: string) => void;
}

/**
 * What an older program hears without asking again: one `subscriptions/listen` at the server stands for all of it (MCP
 * 2026-07-28, subscriptions), and is replaced when the program subscribes to more or to less.
 */
export class Subscribing {
  readonly #ports: SubscribingPorts;
  readonly #changes: JsonObject;
  readonly #resources = new Set<string>();
  #listen: Listen | undefined;
  #stopWaiting: () => void = () => {};
  #isOver = false;

  /** `capabilities`: of the server. */
  constructor(ports: SubscribingPorts, capabilities: unknown) {
    this.#ports = ports;
    const said = isObject(capabilities) ? capabilities : {};
    const told = changes.filter(([name]) => isObject(said[name]) && said[name]['listChanged'] === true);
    this.#changes = Object.fromEntries(told.map(([, member]) => [member, true]));
  }

  /** Begins, or begins anew: the one before ends once this one stands. Answers whether the server agreed. */
  async listen(): Promise<boolean> {
    this.#stopWaiting();
    const before = this.#listen;
    if (this.#isOver || (Object.keys(this.#changes).length === 0 && this.#resources.size === 0)) {
      this.#listen = undefined;
      if (before) this.#ports.cancel(before.id);
      return true;
    }
    const resources = this.#resources.size > 0 && { resourceSubscriptions: [...this.#resources] };
    const listen: Listen = { id: this.#ports.newId(), acknowledged: Promise.withResolvers<boolean>() };
    this.#listen = listen;
    this.#ports.ask(listen.id, { notifications: { ...this.#changes, ...resources } });
    const isAgreed = await listen.acknowledged.promise;
    before?.acknowledged.resolve(isAgreed);
    if (before) this.#ports.cancel(before.id);
    return isAgreed;
  }

  /** `false`: the server does not tell of changes of this resource. */
  async subscribe(uri: string): Promise<boolean> {
    if (this.#resources.has(uri)) return true;
    this.#resources.add(uri);
    if (await this.listen()) return true;
    this.#resources.delete(uri);
    return false;
  }

  async unsubscribe(uri: string): Promise<void> {
    if (this.#resources.delete(uri)) await this.listen();
  }

  /** Takes what acknowledges one. */
  acknowledge({ _meta }: JsonObject): void {
    const id = isObject(_meta) ? JSON.stringify(_meta['io.modelcontextprotocol/subscriptionId']) : undefined;
    if (id === undefined || id === this.#listen?.id) this.#listen?.acknowledged.resolve(true);
  }

  /** Takes the end of one: whether it was one. A server that knows no such request is asked no more. */
  takeEnd(id: string, code: unknown): boolean {
    const listen = this.#listen;
    if (listen?.id !== id) return false;
    this.#listen = undefined;
    listen.acknowledged.resolve(false);
    if (code === rpcCode.unknownMethod || this.#isOver) return true;
    this.#stopWaiting = this.#ports.clock.after(gatewaySession.lookAgain, () => void this.listen());
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#listen?.acknowledged.resolve(false);
  }
}
