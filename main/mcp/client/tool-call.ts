import type { LogLevel } from '../../log-level.ts';
import type { CallPatience } from './call-patience.ts';
import type { ServerQuestions } from './server-questions.ts';

export interface NamedCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** What a server says of a call that takes its time (MCP 2025-11-25, progress). */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The task that one call has begun: where the call is made once more, after a sign-in, it is waited for and not begun anew. */
export interface BegunTask {
  readonly host: string;
  id?: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly patience: CallPatience;
  readonly questions: ServerQuestions;
  /** Somebody reads what the server writes down meanwhile. */
  readonly wantsLog?: boolean;
  readonly logLevel?: LogLevel | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Of this call, however often it is made. */
  readonly begun: BegunTask;
}
