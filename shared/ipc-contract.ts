import * as z from 'zod/mini';
import { activityCalls } from './activity.ts';
import { appCalls, checkViewSchema, restoredSettingsSchema, settingsChangeSchema } from './app-view.ts';
import { approvalCalls, permissionCalls } from './approval-view.ts';
import { mostAtOnce } from './bounds.ts';
import { chosenOptionsSchema, connectionCalls, typedClient } from './connection-view.ts';
import { deletedViewSchema, deletionCalls, toldServiceSchema } from './deletion-view.ts';
import type { PlainError } from './error-codes.ts';
import { snapshotsSchema } from './ipc-event.ts';
import type { IpcEvent } from './ipc-event.ts';
import { listCalls, localCalls, registryCalls } from './list-calls.ts';
import {
  callId as call,
  contentViewSchema,
  promptMessageViewSchema,
  promptViewSchema,
  resourceViewSchema,
  resultCalls,
  toolViewSchema,
  unusablePartSchema,
} from './mcp-view.ts';
import { changeTokens, collectionCalls, programCalls } from './program-view.ts';
import { questionCalls } from './question-view.ts';
import { sidebarChangeSchema } from './sidebar.ts';
import { keptSignInSchema, serverEventViewSchema } from './trace.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(80));
const address = z.string().check(z.maxLength(16_384));
const byId = z.strictObject({ id });
/** `quietly`: the person has asked for nothing, so that nothing is shown as under way. */
const reading = z.extend(byId, { quietly: z.optional(z.boolean()) });
const followedSchema = z.union([
  z.strictObject({ list: z.enum(['tools', 'resources', 'prompts']) }),
  z.strictObject({ resource: address }),
]);
const nothing = z.strictObject({});
const done = z.null();
const options = chosenOptionsSchema;
/** Servers that are signed out or removed together. */
const ids = z.array(id).check(z.minLength(1), z.maxLength(mostAtOnce));
/** `null`: the user said no, or there was nothing to do. */
const left = z.nullable(
  z.strictObject({
    /** What it is undone by, in the slice `deletions`. */
    deletion: z.optional(id),
    /** Where it was done at once: what came of telling each service. */
    services: z.optional(z.array(z.extend(toldServiceSchema, { id }))),
  }),
);
/** More was left out, since the server names too much or nests it too deeply. */
const isPartial = z.optional(z.literal(true));
const unusable = z.optional(z.array(unusablePartSchema));
const promptArguments = z.record(z.string(), z.string().check(z.maxLength(65_536)));
const toolArguments = z.record(z.string(), z.json());

/**
 * Everything that the window may ask of main: strict schemas of input and output, JSON values only. The channels, the API
 * of the preload and the map of handlers are derived from it, so that none can lack a call. Errors cross as data
 * (`IpcResult` of `postern-api.ts`). Calls that start a flow answer at once; what becomes of it stands in the slice `connections`.
 */
export const ipcContract = {
  'app:snapshots': { input: nothing, output: snapshotsSchema },
  /** The first screen can be used. */
  'app:interactive': { input: nothing, output: done },
  ...appCalls,
  'app:dismissNotice': { input: byId, output: done },

  ...connectionCalls,
  ...listCalls,
  ...registryCalls,
  ...localCalls,

  'integration:tools': {
    input: reading,
    output: z.strictObject({ tools: z.array(toolViewSchema), isPartial, unusable }),
  },
  'integration:resources': {
    input: reading,
    output: z.strictObject({ resources: z.array(resourceViewSchema), isPartial, unusable }),
  },
  'integration:prompts': {
    input: reading,
    output: z.strictObject({ prompts: z.array(promptViewSchema), isPartial, unusable }),
  },
  'integration:callTool': {
    /** `anyField`: the user insists on arguments that do not fit the schema of the tool. */
    input: z.strictObject({
      id,
      call,
      name: z.string().check(z.minLength(1), z.maxLength(256)),
      arguments: toolArguments,
      anyField: z.optional(z.boolean()),
    }),
    /** `meant`: the server has no such tool, and this one was probably meant. */
    output: z.strictObject({
      content: z.array(contentViewSchema),
      isError: z.boolean(),
      meant: z.optional(z.string().check(z.maxLength(128))),
      unusable,
    }),
  },
  'integration:readResource': {
    /** `values`: what fills the gaps of `uri`, a template. */
    input: z.extend(reading, { call, uri: address, values: z.optional(promptArguments) }),
    /** `uri`: what was read. */
    output: z.strictObject({ uri: address, content: z.array(contentViewSchema), unusable }),
  },
  'integration:getPrompt': {
    input: z.strictObject({
      id,
      call,
      name: z.string().check(z.minLength(1), z.maxLength(256)),
      arguments: promptArguments,
    }),
    output: z.strictObject({ messages: z.array(promptMessageViewSchema), unusable }),
  },
  /** What the server offers for an argument that is begun; the question before it is dropped. */
  'integration:complete': {
    input: z.strictObject({
      id,
      of: z.union([
        z.strictObject({ prompt: z.string().check(z.minLength(1), z.maxLength(256)) }),
        z.strictObject({ template: address }),
      ]),
      argument: z.strictObject({
        name: z.string().check(z.minLength(1), z.maxLength(256)),
        value: z.string().check(z.maxLength(1_024)),
      }),
      /** Those that are filled in already. */
      given: promptArguments,
    }),
    output: z.strictObject({ values: z.array(z.string()) }),
  },
  /** Until it is stopped, or the server says no such thing: `changed` events tell of it. One list and one resource. */
  'integration:follow': { input: z.strictObject({ id, call, of: followedSchema }), output: done },
  /** The server is told that nobody waits any more. */
  'integration:stopCall': { input: z.strictObject({ call }), output: done },
  'integration:signInAgain': { input: byId, output: z.strictObject({ connectionId: id }) },
  /** As `signInAgain`, but asks for a new login, so that another account can be chosen. */
  'integration:switchAccount': { input: byId, output: z.strictObject({ connectionId: id }) },
  'integration:refresh': { input: byId, output: done },
  /** Main asks the person first. */
  'integration:signOut': { input: z.strictObject({ ids }), output: left },
  /** The same. `entries`: tokens of what was shown of entries that would lead nowhere; they are taken out first. */
  'integration:remove': { input: z.strictObject({ ids, entries: z.optional(changeTokens) }), output: left },
  'integration:update': {
    input: z.strictObject({ id, name: z.optional(name), options: z.optional(options) }),
    output: done,
  },
  /** For the next sign-in. */
  'integration:setCredentials': { input: z.strictObject({ id, ...typedClient }), output: done },
  /** Another API key for the same header, kept once the server has taken it; until then the old one stays. */
  'integration:replaceKey': {
    input: z.strictObject({ id, value: z.string().check(z.minLength(1), z.maxLength(8_192)) }),
    output: done,
  },
  /** The last sign-ins of a connection or an integration, newest first, redacted. */
  'integration:signIns': { input: byId, output: z.strictObject({ signIns: z.array(keptSignInSchema) }) },
  /** What happened to an integration, newest first. */
  'integration:events': { input: byId, output: z.strictObject({ events: z.array(serverEventViewSchema) }) },

  /** The picture of a mark in `icons`, in base64; `null`: there is another one by now, or none. */
  'integration:icon': {
    input: z.strictObject({ id, mark: z.string().check(z.maxLength(16)) }),
    output: z.strictObject({ data: z.nullable(z.string()) }),
  },
  /** Calls the tool that says who is signed in, where the server has one; what it said stands in the list. */
  'integration:askWho': { input: byId, output: z.strictObject({ isKnown: z.boolean() }) },

  ...deletionCalls,
  ...resultCalls,

  /** Of the side bar. */
  'settings:arrange': { input: sidebarChangeSchema, output: done },
  'settings:update': {
    input: z.extend(settingsChangeSchema, { startAtLogin: z.optional(z.boolean()) }),
    output: done,
  },
  /**
   * The user picks the file of further certificate authorities in a dialog of the system. False: they picked none.
   * Errors: CERTIFICATE_FILE_INVALID.
   */
  'settings:chooseCertificateFile': { input: nothing, output: z.strictObject({ chosen: z.boolean() }) },
  /** In whatever the system opens such a file with; its folder where there is none to be opened. */
  'settings:openFile': { input: nothing, output: done },
  /** Puts what Postern wrote last in the place of a file that cannot be used, of which a copy stays. Null: it can be. */
  'settings:restore': { input: nothing, output: z.nullable(restoredSettingsSchema) },
  'storage:selfTest': {
    input: nothing,
    output: z.strictObject({ callbackUrl: z.optional(z.string()), checks: z.array(checkViewSchema) }),
  },
  /**
   * All that is kept on this computer. Main asks the person; `null`: they said no. `entries`: as of
   * `integration:remove`.
   */
  'storage:deleteEverything': {
    input: z.strictObject({ entries: z.optional(changeTokens) }),
    output: z.nullable(deletedViewSchema),
  },

  ...programCalls,
  ...collectionCalls,
  ...approvalCalls,
  ...permissionCalls,
  ...questionCalls,

  ...activityCalls,

  /** What becomes of these stands in the slice `app`. */
  'update:check': { input: nothing, output: done },
  'update:download': { input: nothing, output: done },
  /** Ends the program. */
  'update:install': { input: nothing, output: done },
} as const satisfies Readonly<
  Record<`${string}:${string}`, { readonly input: z.ZodMiniType; readonly output: z.ZodMiniType }>
>;

export type IpcContract = typeof ipcContract;
/** `group:verb`, which is also the name of its channel. */
export type IpcCall = keyof IpcContract;
export const ipcCalls = Object.keys(ipcContract) as readonly IpcCall[];
export type IpcInput<Call extends IpcCall> = z.input<IpcContract[Call]['input']>;
export type IpcOutput<Call extends IpcCall> = z.output<IpcContract[Call]['output']>;

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
