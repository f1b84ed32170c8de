import type * as z from 'zod';
import type { IpcCall } from './ipc-channels.ts';
import type { IpcContract } from './ipc-contract.ts';

/** Which window asks. An auth ticket is redeemed by the one whose sign-in it is (spec 2.10). */
export interface IpcCaller {
  readonly surface: string;
}

/** Main's side of every call: takes what the schema made of the input, answers what the schema of the output takes. */
export type IpcHandlers = {
  readonly [Call in IpcCall]: (
    input: z.output<IpcContract[Call]['input']>,
    caller: IpcCaller,
  ) => Promise<z.input<IpcContract[Call]['output']>>;
};
