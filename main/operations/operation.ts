import type * as z from 'zod';
import type { IpcCall, IpcContract } from '../../shared/ipc-contract.ts';
import type { SnapshotSlice } from '../../shared/ipc-event.ts';
import type { User } from './user.ts';

/**
 * An operation is a thing that a user can do. It is one function, which the window calls through IPC and the command
 * line calls itself; its name and the schemas of its input and output are in `shared/ipc-contract.ts`. It throws typed
 * errors, and neither formats anything nor knows which of the two called it. `OperationInput`: what the schema made of
 * the input.
 */
export type OperationInput<Name extends IpcCall> = z.output<IpcContract[Name]['input']>;

/** What the schema of the output takes. */
export type OperationOutput<Name extends IpcCall> = z.input<IpcContract[Name]['output']>;

/** Where the user is: what an operation needs of the window or the terminal. */
export interface Surface {
  readonly user: User;
  /**
   * Reports that something stored has changed. Resolves once it holds for AI apps that this process serves; what is
   * shown follows by itself. Never rejects.
   */
  readonly changed: (...slices: readonly SnapshotSlice[]) => Promise<void>;
}
