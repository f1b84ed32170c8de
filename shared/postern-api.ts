import type { PlainError } from './error-codes.ts';
import type { IpcCall } from './ipc-channels.ts';
import type { IpcInput, IpcOutput } from './ipc-contract.ts';
import type { IpcEvent } from './ipc-event.ts';

/** Results cross as data: an error that is thrown over `invoke` loses all but its text. */
export type IpcResult<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: PlainError };

type Group = IpcCall extends `${infer Name}:${string}` ? Name : never;
type Verb<Name extends string> = IpcCall extends infer Call
  ? Call extends `${Name}:${infer Rest}`
    ? Rest
    : never
  : never;
type CallOf<Name extends string, Rest extends string> = Extract<IpcCall, `${Name}:${Rest}`>;

/** A call without input may be made without an argument. */
type InputOf<Call extends IpcCall> =
  Record<string, never> extends IpcInput<Call> ? [input?: IpcInput<Call>] : [input: IpcInput<Call>];

/** What the preload puts on `window.postern`: `postern.connection.discover({ url, options })`, and the events. */
export type PosternApi = {
  readonly [Name in Group]: {
    readonly [Rest in Verb<Name>]: (
      ...input: InputOf<CallOf<Name, Rest>>
    ) => Promise<IpcResult<IpcOutput<CallOf<Name, Rest>>>>;
  };
} & {
  /** Answers how to stop listening. */
  readonly onEvent: (listener: (event: IpcEvent) => void) => () => void;
};
