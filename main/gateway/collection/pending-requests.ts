import { idKey } from '../../mcp/messages/message-headers.ts';
import { errorText, rpcCode, tooManyText, underWay } from '../answers/answers.ts';
import { Places } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { Member } from './member.ts';
import { isList } from './merged.ts';

export interface AskedResource {
  readonly address: string;
  readonly uri: string;
}

/** A request of the program without an answer. */
interface Pending {
  readonly request: RequestEnvelope;
  /** Who answers it, once that is known. */
  member: Member | undefined;
  /** The resource that it is about, as the AI app and the member write it. */
  asked: AskedResource | undefined;
  readonly leave: () => void;
}

/** The requests of a program to a collection that are under way, by their ids. */
export class PendingRequests {
  readonly #places: Places;
  readonly #open = new Map<string, Pending>();

  constructor(budget: AppBudget) {
    this.#places = new Places(budget);
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Runs `work` in its turn. Answers what is said instead, as JSON text. */
  enter(request: RequestEnvelope, work: () => Promise<void>): string | undefined {
    const { id, bytes } = request;
    if (this.#open.has(idKey(id))) return errorText(id, rpcCode.notARequest, underWay);
    if (this.#places.isFullFor(bytes.byteLength)) return tooManyText(id);
    const place = this.#places.enter(bytes.byteLength);
    this.#open.set(idKey(id), { request, member: undefined, asked: undefined, leave: () => place.leave() });
    void place.take().then(work);
    return undefined;
  }

  /** Whether it has no answer yet. */
  has(request: RequestEnvelope): boolean {
    return this.#open.get(idKey(request.id))?.request === request;
  }

  /** Notes who answers it. Answers whether anybody waits for that. */
  giveTo(member: Member, request: RequestEnvelope, asked?: AskedResource): boolean {
    const pending = this.#open.get(idKey(request.id));
    if (pending?.request !== request) return false;
    pending.member = member;
    pending.asked = asked;
    return true;
  }

  /** Whether this member is to answer it. */
  isOf(member: Member, id: string): boolean {
    return this.#open.get(idKey(id))?.member === member;
  }

  /** Those that this member is to answer. */
  of(member: Member): readonly RequestEnvelope[] {
    return [...this.#open.values()].filter((pending) => pending.member === member).map(({ request }) => request);
  }

  /** The resource that this request is about. */
  askedIn(id: string): AskedResource | undefined {
    return this.#open.get(idKey(id))?.asked;
  }

  /** The last listing: it asks all members. */
  get listing(): string | undefined {
    return [...this.#open.values()].findLast(({ request }) => isList(request.method))?.request.id;
  }

  /**
   * The request that a message of a member is about, by its token for progress; `undefined`: the AI app waits for none
   * of this member, which then has nothing to say. Of anything else than progress a server does not say what it is
   * about; as a rule it is the one that came last.
   */
  aboutOf(member: Member, token: unknown): string | undefined {
    const isMeant = ({ params }: RequestEnvelope): boolean =>
      token === undefined || JSON.stringify(tokenOf(params)) === JSON.stringify(token);
    return this.of(member).findLast(isMeant)?.id;
  }

  /** It is over. Answers what it was; `undefined`: it was over before. */
  end(id: string): Omit<Pending, 'leave'> | undefined {
    const pending = this.#open.get(idKey(id));
    pending?.leave();
    this.#open.delete(idKey(id));
    return pending;
  }
}

function tokenOf({ _meta }: JsonObject): unknown {
  return isObject(_meta) ? _meta['progressToken'] : undefined;
}
