import type { ActivityCall } from '../shared/activity.ts';
import type { Collection } from '../shared/collection.ts';
import type { ErrorCode } from '../shared/error-codes.ts';
import type { RemovedCollection } from '../shared/pending-deletion.ts';
import type { ProgramRecord } from '../shared/program-record.ts';

/** What the gateway and what stands around it know of one another. */

/** Of the lines that pipes and this program exchange beside messages. A pipe of another one is told so. */
export const pipeProtocol = 1;

/** What a pipe says first of the program that started it. */
export interface Hello {
  /** Of another version, all else may be missing. */
  readonly protocol: number;
  /** Id, name or alias of an integration. */
  readonly server: string;
  /** Id of a program record. */
  readonly program?: string | undefined;
  /** What started the pipe, by its own word: for showing alone. */
  readonly parent?: string | undefined;
}

/** Writes one message to a program, without a line end; resolves when there is room for another. Never rejects. */
export type Send = (message: Buffer | string) => Promise<void>;

/** The way to one program. */
export interface ProgramLine {
  readonly send: Send;
  /** Gives a message back that has not left for the server: whoever serves next gets it. */
  readonly giveBack: Send;
  /** Hangs up: the program may come again, and is then told the reason. */
  readonly hangUp: () => void;
}

/** One program at the other end: what it sends, and how it is answered. */
export interface ProgramSession {
  /** Counts what has come of a message that is not whole yet. */
  readonly reading: Holding;
  /** One message. Resolves when the next may come; never rejects. */
  receive(bytes: Buffer): Promise<void>;
  /** The beginning of one that is longer than a message may be. Never rejects. */
  refuseLong(beginning: Buffer): Promise<void>;
  /** Lets nothing more leave for the server: requests that have not left, and those that still come, are given back. */
  rest(): Promise<void>;
  /** Whether nothing is under way. */
  readonly isIdle: boolean;
  /** Ends all that is under way, and the session at the server. Never rejects. */
  close(): Promise<void>;
}

/** Begins a session. A reason against it is answered within it. Never rejects. */
export type OpenSession = (hello: Hello, line: ProgramLine) => Promise<ProgramSession>;

/** One request of a program by HTTP. */
export interface ProgramRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Aborts when the program no longer waits: with `wholeAnswer` where it has all of the answer. */
  readonly signal: AbortSignal;
}

/** Why a request is over whose answer has gone out to its end. */
export const wholeAnswer = Symbol('whole answer');

export interface ProgramAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** Why it is an answer of ours, in the server's place. A number: a code of JSON-RPC. */
  readonly code?: ErrorCode | `${number}`;
}

/** Whether a program that shows this secret may use that server, and how it is answered then. */
export type Admission =
  | { readonly kind: 'unknown' | 'not-allowed' }
  | {
      readonly kind: 'admitted';
      /** Id of its record. */
      readonly program: string;
      /** Counts what comes of one request; `hangUp` ends its connection. */
      readonly openReading: (hangUp: () => void) => Holding;
      readonly answer: (request: ProgramRequest) => Promise<ProgramAnswer>;
    };

/** `server`: an alias. Never rejects. */
export type AdmitBearer = (secret: string, server: string) => Promise<Admission>;

/** A way in for programs. */
export interface Endpoint {
  /** Errors: CFG_*. */
  listen(): Promise<void>;
  /** Whether no request is under way, once it has stopped. */
  readonly isIdle: boolean;
  /** New programs have to wait, and new requests where the way can tell that they have not been sent. */
  stopAccepting(): void;
  /** Ends every session. Never rejects. */
  close(): Promise<void>;
}

/** A program that a person has not allowed asks to use an integration. */
export interface UseQuestion {
  /** Its record, where there is one. */
  readonly record: ProgramRecord | undefined;
  /** The id that its entry shows, or that of its record. */
  readonly entry: string | undefined;
  /** What it says it is, and what started it: not to be believed, and not fit to be shown as it is. */
  readonly ownNames: readonly string[];
  readonly parent: string | undefined;
  readonly integration: { readonly id: string; readonly name: string };
}

/** `program`: which one of the table of programs it is. */
export type UseAnswer =
  | { readonly kind: 'once' | 'no' }
  | { readonly kind: 'always'; readonly program: { readonly id: string; readonly name: string } };

/** Asks the person; no where nobody answers in time. Never rejects. */
export type AskForUse = (question: UseQuestion) => Promise<UseAnswer>;

/** A program calls a tool that a person wants to be asked about. */
export interface CallQuestion {
  /** Left out where nobody has added it. */
  readonly program: ProgramRecord | undefined;
  readonly integration: { readonly id: string; readonly name: string };
  /** As the program names it: not fit to be shown as it is, and neither is the input. */
  readonly tool: string;
  /** The server says that it changes nothing. */
  readonly readOnly: boolean;
  readonly input: unknown;
  /** Whether it can be allowed for longer than this session. */
  readonly canLast: boolean;
  /** Aborts when the answer is of no use any more. */
  readonly signal: AbortSignal;
}

/** `missed`: nobody answered in time. */
export type CallAnswer = 'once' | 'session' | 'always' | 'no' | 'missed';

/** Asks the person. Never rejects. */
export type AskForCall = (question: CallQuestion) => Promise<CallAnswer>;

/** The user, whose consent AI apps need. What is absent nobody answers, and it is refused. */
export interface AppUser {
  /** Whether an app that they have not allowed may use a server. */
  readonly allowUse?: AskForUse;
  /** Whether a call of a tool may be made that they want to be asked about. */
  readonly allowCall?: AskForCall;
}

/** What a server said to programs last. */
export interface KeptCatalogue {
  /** Of the sign-in that it was said to, which it ends with. */
  readonly owner: string;
  /** Question and answer, as text. */
  readonly entries: readonly (readonly [question: string, answer: string])[];
}

/** Keeps it on disk, by integration. Errors: CFG_* (stage `storage`). */
export interface CatalogueStore {
  /** `undefined`: nothing is kept, or what is there cannot be read. Never rejects. */
  read(id: string): Promise<KeptCatalogue | undefined>;
  write(id: string, catalogue: KeptCatalogue): Promise<void>;
  /** Never rejects. */
  forget(id: string): Promise<void>;
  /** Forgets what is kept of integrations that are not among `ids`. Never rejects. */
  retain(ids: ReadonlySet<string>): Promise<void>;
}

/** Keeps which program called what. */
export interface ActivityStore {
  /** Never throws, and nobody waits for it: at worst a call is not noted. */
  add(call: ActivityCall): void;
}

/** Which programs may use what, beside the list on disk. Errors: CFG_* with stage `settings`. */
export interface ProgramRecords {
  list(): Promise<readonly ProgramRecord[]>;
  /** Re-reads, changes and writes in one step under the profile lock; answers what is then there. */
  change(work: (records: readonly ProgramRecord[]) => readonly ProgramRecord[]): Promise<readonly ProgramRecord[]>;
}

/**
 * Servers behind one entry, beside the list on disk. A change is heard as one of the list is (`watchProfile`). Errors:
 * CFG_* with stage `settings`.
 */
export interface Collections {
  list(): Promise<readonly Collection[]>;
  /** The same; the right of programs to use one goes with it. */
  change(work: (collections: readonly Collection[]) => readonly Collection[]): Promise<readonly Collection[]>;
  /** Those that can still be taken back; one whose name another one takes is none of them any more. */
  removed(): Promise<readonly RemovedCollection[]>;
  /** Both in one step; rights stay as they are. */
  changeBoth(work: (both: CollectionLists) => CollectionLists): Promise<void>;
}

export interface CollectionLists {
  readonly collections: readonly Collection[];
  readonly removed: readonly RemovedCollection[];
}

/** Counts what a reader holds of a message that is on its way. */
export interface Holding {
  /** It holds so many bytes now; resolves when it may. Fewer than before it may at once. Never rejects. */
  hold(bytes: number): Promise<void>;
}

/** Of whom nobody counts it: what is read is bounded by itself. */
export const uncounted: Holding = { hold: async () => {} };
