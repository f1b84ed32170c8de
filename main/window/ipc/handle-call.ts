import type { WebContents } from 'electron';
import type * as z from 'zod/mini';
import type { PlainError } from '../../../shared/error-codes.ts';
import { ipcEventChannel } from '../../../shared/ipc-channels.ts';
import { ipcContract } from '../../../shared/ipc-contract.ts';
import type { IpcCall, IpcCaller, IpcHandlers, IpcResult } from '../../../shared/ipc-contract.ts';
import type { IpcEvent } from '../../../shared/ipc-event.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { ipcInputLength } from '../../limits.ts';

export interface CallFailure {
  readonly call: IpcCall;
  readonly error: PlainError;
  /** The thrown value, for its stack. Its message must not be logged. */
  readonly thrown: unknown;
}

interface IncomingCall {
  readonly call: IpcCall;
  readonly input: unknown;
  /** The calling window; `undefined` if it is not trusted. */
  readonly surface: string | undefined;
  readonly handlers: Promise<IpcHandlers>;
  readonly onFailure: (report: CallFailure) => void;
}

/** Handles one call from a window. Never rejects: errors are returned as results. */
export async function handleCall({
  call,
  input,
  surface,
  handlers,
  onFailure,
}: IncomingCall): Promise<IpcResult<unknown>> {
  try {
    if (surface === undefined) throw new PosternError('IPC_SENDER', { stage: 'postern' });
    const { input: inputSchema, output } = ipcContract[call];
    const checked = parseInput(inputSchema, input);
    // The cast is needed because TypeScript cannot relate the handler to its schema through a union.
    const handle = (await handlers)[call] as (input: unknown, caller: IpcCaller) => Promise<unknown>;
    const value = await handle(checked, { surface });
    // Strict: a field that is not in the contract, such as one with a secret, never leaves main.
    return { ok: true, value: output.parse(value) };
  } catch (thrown) {
    const error = toPlainError(thrown);
    onFailure({ call, error, thrown });
    return { ok: false, error };
  }
}

function parseInput(schema: z.ZodMiniType, input: unknown): unknown {
  try {
    // Uses only its JSON: no getters, prototypes or classes from the window.
    const text = JSON.stringify(input === undefined ? {} : input);
    if (text.length <= ipcInputLength) return schema.parse(JSON.parse(text));
  } catch (cause) {
    // Cyclic, too deep or of another type.
    throw new PosternError('IPC_SCHEMA', { stage: 'postern', cause });
  }
  throw new PosternError('IPC_SCHEMA', { stage: 'postern' });
}

/** The part of an `ipcMain` event that identifies the sender. */
interface SenderEvent {
  readonly sender: { readonly id: number; readonly mainFrame: unknown };
  readonly senderFrame: { readonly url: string } | null;
}

/**
 * Trusted IPC senders (Electron security checklist, 17): registered windows, from their main frame, while it shows one
 * of our own pages. A sign-in popup is never trusted.
 */
export class TrustedSenders {
  readonly #ids = new Set<number>();
  readonly #origin: string;

  /** `origin` of our own pages, such as `app://postern`. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  add(id: number): void {
    this.#ids.add(id);
  }

  remove(id: number): void {
    this.#ids.delete(id);
  }

  /** The id under which tickets are issued to this window; `undefined` if not trusted. */
  surfaceOf({ sender, senderFrame }: SenderEvent): string | undefined {
    if (!this.#ids.has(sender.id) || senderFrame === null || senderFrame !== sender.mainFrame) return undefined;
    // Not `origin`, which is "null" for a custom scheme.
    if (senderFrame.url !== this.#origin && !senderFrame.url.startsWith(`${this.#origin}/`)) return undefined;
    return `window-${sender.id}`;
  }
}

/** The only place that sends to a window. */
export function sendEvent(webContents: WebContents, event: IpcEvent): void {
  if (!webContents.isDestroyed()) webContents.send(ipcEventChannel, event);
}
