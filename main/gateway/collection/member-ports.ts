import type { Integration } from '../../../shared/integration.ts';
import type { ProgramSession, Send } from '../../gateway-ports.ts';
import type { Refusal } from '../answers/answers.ts';
import type { Envelope, JsonObject } from '../messages/envelope.ts';
import type { OlderProgram } from '../bridge/both-eras.ts';

/** What a session has of the member that it is for. */
export interface MemberLine {
  /** To the AI app. `about`: the id of its request that this belongs to, where that is known. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly giveBack: Send;
  /** Told of what is said to the program in the server's place. */
  readonly onRefusal: (refusal: Refusal) => void;
  /** The server may be there again. Never rejects. */
  readonly catchUp: (reason: 'signed-in' | 'perhaps') => Promise<void>;
  readonly isBehind: () => boolean;
}

/** A session with one server, as a program of an older revision has it that uses this server alone. */
export interface MemberSession extends ProgramSession {
  /** What the server last said to programs, as this one may see it. Never rejects. */
  kept(method: string, program: OlderProgram, cursor?: string): Promise<JsonObject | undefined>;
  /** An id that no request of this session has, as JSON text. */
  newId(): string;
  catchUp(reason: 'signed-in' | 'perhaps'): Promise<void>;
}

export interface MemberPorts {
  readonly integration: Pick<Integration, 'id' | 'name' | 'alias'>;
  /** Errors: PosternError. */
  readonly open: (line: MemberLine) => MemberSession;
  readonly refuse: (error: unknown) => Refusal;
  /** A message for the program; `about`: of which request, where that is known. Never rejects. */
  readonly take: (message: Exclude<Envelope, { kind: 'unusable' }>, about?: string) => Promise<void>;
  /** What the program has asked has not left for the server. Never rejects. */
  readonly giveBack: (id: string) => Promise<void>;
  /** It was missing, and can be used now. */
  readonly onThere: () => void;
}
