import type { WireEra } from '../../../shared/integration.ts';
import type { Send } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { Refusal } from '../answers/answers.ts';
import type { CallLog } from '../log/call-log.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import type { CallPermits } from '../permissions/call-permits.ts';
import type { Judgement } from '../answers/judge-failure.ts';
import type { Misfit } from '../server/served-server.ts';
import type { Upstream } from '../server/upstream.ts';

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
  readonly send: Send;
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
  /** What the server's answers say of it. */
  readonly onEra: (era: WireEra) => void;
  /** `answer`: as it came. Never rejects. */
  readonly onTools: (answer: Buffer) => Promise<unknown>;
  /** Header fields that repeat arguments of a tool's call (MCP 2026-07-28). Errors: PosternError. */
  readonly parameterHeaders: (request: RequestEnvelope, again: boolean) => Promise<Readonly<Record<string, string>>>;
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
