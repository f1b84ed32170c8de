import type { WireEra } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { Send } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import type { AnswersByHttp, Refusal, SendAbout } from '../answers/answers.ts';
import type { Judgement } from '../answers/judge-failure.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { CallLog } from '../answers/call-log.ts';
import { changeOf, changesOf, hasChanged, isHandshake } from '../messages/catalogue.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import type { CallPermits } from '../permissions/call-permits.ts';
import type { Misfit } from '../server/served-server.ts';
import type { Sending } from '../server/exchange.ts';
import type { Upstream } from '../server/upstream.ts';
import type { Coming } from './pending-requests.ts';

/** What one session has of the gateway around it. */
export interface SessionPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly upstream: Upstream;
  readonly catalogue: Catalogue;
  readonly calls: Pick<CallLog, 'begin'>;
  /** Before anything of the program goes to the server. Errors: PosternError. */
  readonly admit: () => void;
  readonly permits: CallPermits;
  /** Of its app, in all sessions. */
  readonly budget: AppBudget;
  readonly send: SendAbout;
  /** Left out at the socket. */
  readonly answers?: AnswersByHttp | undefined;
  /** Several processes of the app have it as one: what none of them has heard waits for the next. */
  readonly isShared: boolean;
  /** Gives a message back that has not left for the server. */
  readonly giveBack: Send;
  /** What is to be said of a failure, and whether the server may be there again later. */
  readonly judge: (error: unknown) => Judgement;
  /** The same for what is now said to the program, so that the person hears of it where only they can help. */
  readonly refuse: (error: unknown) => Refusal;
  /** The session is over. */
  readonly onClosed: () => void;
  /** Something came that does not fit where the session stands, and changes nothing. */
  readonly onMisfit: (type: Misfit) => void;
  /** A part of an answer that the program does not get as it came. */
  readonly onUnusable: (part: UnusablePart) => void;
  /** What the server's answers say of it. */
  readonly onEra: (era: WireEra) => void;
  /** `answer`: as it came. Never rejects. */
  readonly onTools: (answer: Buffer) => Promise<unknown>;
  /**
   * Header fields that repeat arguments of a tool's call (MCP 2026-07-28), or the app's own in the place of all of ours.
   * Errors: PosternError.
   */
  readonly headersOf: (
    request: RequestEnvelope,
    again: boolean,
    own: Coming['fields'],
  ) => Promise<Pick<Sending, 'headers' | 'fields'>>;
  /** Whether the server has a result for this request of the program, made once more. Errors: PosternError. */
  readonly answersAgain: (request: RequestEnvelope) => Promise<boolean>;
  /** That the server is known to speak the older wire alone. */
  readonly isOlder: () => boolean;
  /** It is a process of ours: whether it can be used is known as soon as it has been started. */
  readonly isLocal: boolean;
  /** That it is known to speak the newer one, and perhaps that alone. */
  readonly isNewer: () => boolean;
  /** Whether an older program's handshake is answered in another way than with the server's own. `isKnown`: it fails. */
  readonly bridges: (initialize: RequestEnvelope, isKnown: 'refused' | 'unknown') => boolean;
}

/** What a program was told without its server, or could not be told: it asks again once the server is there. */
export class Behind {
  /** Listings that this program has asked for. */
  readonly #listed = new Set<string>();
  /** Answered in the server's place, and not yet by the server; with what the program was given. */
  readonly #kept = new Map<RequestEnvelope, Buffer>();
  #isAway = false;

  get is(): boolean {
    return this.#isAway || this.#kept.size > 0;
  }

  /** The program was answered in the server's place; the server still is to answer, or to fail. */
  noteKept(request: RequestEnvelope, given: Buffer): void {
    this.noteListing(request);
    this.#kept.set(request, given);
  }

  /**
   * The server has answered. Answers the notifications that the program needs where it was given another answer: what
   * the catalogue has meanwhile may be of another session.
   */
  noteAnswer(request: RequestEnvelope, answer: AnswerEnvelope): Iterable<string> {
    this.noteListing(request);
    const given = this.#kept.get(request);
    this.#kept.delete(request);
    if (!given || !hasChanged(given, request, answer)) return [];
    return isHandshake(request.method) ? this.#changes() : changesOf([request.method]);
  }

  /** No answer of the server comes any more. `isAway`: it could not be asked. */
  noteFailure(request: RequestEnvelope, isAway: boolean): void {
    const wasKept = this.#kept.delete(request);
    if (isAway || wasKept) this.begin();
  }

  /** The server cannot be asked, so what the program knows of it may be out of date. */
  begin(): void {
    this.#isAway = true;
  }

  /** Nothing is behind any more once the program has got these notifications. */
  end(): Iterable<string> {
    const changes = this.is ? this.#changes() : [];
    this.#isAway = false;
    this.#kept.clear();
    return changes;
  }

  /** The program has been given this list. */
  noteListing({ method }: RequestEnvelope): void {
    if (changeOf(method) !== undefined) this.#listed.add(method);
  }

  /** What the program has to hear where its tools are other ones now: nothing where it has not asked for them. */
  toolsChanged(): Iterable<string> {
    return this.#listed.has('tools/list') ? changesOf(['tools/list']) : [];
  }

  #changes(): Iterable<string> {
    return changesOf(this.#listed.size > 0 ? this.#listed : ['tools/list']);
  }
}
