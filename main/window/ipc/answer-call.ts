import type { WebContents } from 'electron';
import type * as z from 'zod/mini';
import type { PlainError } from '../../../shared/error-codes.ts';
import { ipcEventChannel } from '../../../shared/ipc-channels.ts';
import { ipcContract } from '../../../shared/ipc-contract.ts';
import type { IpcCall, IpcCaller, IpcHandlers, IpcResult } from '../../../shared/ipc-contract.ts';
import type { IpcEvent } from '../../../shared/ipc-event.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { ipcInputLength } from '../../limits.ts';

export interface CallReport {
  readonly call: IpcCall;
  readonly error: PlainError;
  /** What was thrown, for where it came from; its text is not for the log. */
  readonly thrown: unknown;
}

export interface IncomingCall {
  readonly call: IpcCall;
  readonly input: unknown;
  /** The window that asks; `undefined` for one that may not. */
  readonly surface: string | undefined;
  readonly handlers: Promise<IpcHandlers>;
  readonly onFailure: (report: CallReport) => void;
}

/** One call from a window, from its sender to its result. Never rejects: an error is a result. */
export async function answerCall({
  call,
  input,
  surface,
  handlers,
  onFailure,
}: IncomingCall): Promise<IpcResult<unknown>> {
  try {
    if (surface === undefined) throw new PosternError('IPC_SENDER', { stage: 'app' });
    const { input: inputSchema, output } = ipcContract[call];
    const checked = parseInput(inputSchema, input);
    // Each handler belongs to its schema by type; a union of them all cannot say so.
    const handle = (await handlers)[call] as (input: unknown, caller: IpcCaller) => Promise<unknown>;
    const value = await handle(checked, { surface });
    // Strict: a field that the contract does not name, such as one with a secret, never leaves.
    return { ok: true, value: output.parse(value) };
  } catch (thrown) {
    const error = toPlainError(thrown);
    onFailure({ call, error, thrown });
    return { ok: false, error };
  }
}

function parseInput(schema: z.ZodMiniType, input: unknown): unknown {
  try {
    // Only its JSON counts: no getter, prototype or class of the window comes in.
    const text = JSON.stringify(input === undefined ? {} : input);
    if (text.length <= ipcInputLength) return schema.parse(JSON.parse(text));
  } catch (cause) {
    // Cyclic, too deep, of another type: all the same.
    throw new PosternError('IPC_SCHEMA', { stage: 'app', cause });
  }
  throw new PosternError('IPC_SCHEMA', { stage: 'app' });
}

/** The part of an `ipcMain` event that says who speaks. */
interface SenderEvent {
  readonly sender: { readonly id: number; readonly mainFrame: unknown };
  readonly senderFrame: { readonly url: string } | null;
}

/**
 * The windows that may ask anything (Electron's security list, 17): those that were put on this list, from their main
 * frame, showing our own pages. A sign-in popup never is.
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

  /** The name under which tickets are issued to this window; `undefined`: not trusted. */
  surfaceOf({ sender, senderFrame }: SenderEvent): string | undefined {
    if (!this.#ids.has(sender.id) || senderFrame === null || senderFrame !== sender.mainFrame) return undefined;
    // Not `origin`: that of a custom scheme is "null".
    if (senderFrame.url !== this.#origin && !senderFrame.url.startsWith(`${this.#origin}/`)) return undefined;
    return `window-${sender.id}`;
  }
}

/** The one place that speaks to a window. */
export function sendEvent(webContents: WebContents, event: IpcEvent): void {
  if (!webContents.isDestroyed()) webContents.send(ipcEventChannel, event);
}
