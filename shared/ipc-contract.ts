import * as z from 'zod/mini';
import { activityCalls } from './activity.ts';
import { desktopCalls, checkViewSchema, restoredSettingsSchema, settingsChangeSchema } from './desktop-view.ts';
import { approvalCalls, permissionCalls } from './approval-view.ts';
import { maxServersAtOnce } from './bounds.ts';
import { chosenOptionsSchema, connectionCalls, typedClient } from './connection-view.ts';
import { deletedViewSchema, deletionCalls, serviceOutcomeSchema } from './deletion-view.ts';
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
import { changeTokens, collectionCalls, appCalls } from './app-view.ts';
import { questionCalls } from './question-view.ts';
import { sidebarChangeSchema } from './sidebar.ts';
import { tracedSignInSchema, serverEventViewSchema } from './trace.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(80));
const address = z.string().check(z.maxLength(16_384));
const byId = z.strictObject({ id });
/** `quietly`: not requested by the user, so the window shows no progress. */
const reading = z.extend(byId, { quietly: z.optional(z.boolean()) });
const followedSchema = z.union([
  z.strictObject({ list: z.enum(['tools', 'resources', 'prompts']) }),
  z.strictObject({ resource: address }),
]);
const nothing = z.strictObject({});
const done = z.null();
const options = chosenOptionsSchema;
/** Servers to sign out or remove together. */
const ids = z.array(id).check(z.minLength(1), z.maxLength(maxServersAtOnce));
/** `null`: the user declined, or there was nothing to do. */
const removalOutcome = z.nullable(
  z.strictObject({
    /** The deletion that undoes it, in the slice `deletions`. */
    deletion: z.optional(id),
    /** If it was done right away: the outcome at each service. */
    services: z.optional(z.array(z.extend(serviceOutcomeSchema, { id }))),
  }),
);
/** Parts were left out: the server lists too much or nests it too deeply. */
const isPartial = z.optional(z.literal(true));
const unusable = z.optional(z.array(unusablePartSchema));
const promptArguments = z.record(z.string(), z.string().check(z.maxLength(65_536)));
const toolArguments = z.record(z.string(), z.json());

/**
 * Every call from the window to main: strict schemas of input and output, JSON values only. The channels, the preload's
 * API and the handler map are derived from it, so none of them can miss a call. Errors cross as data (`IpcResult`).
 * Calls that start a flow return immediately; its progress is in the slice `connections`.
 */
export const ipcContract = {
  'desktop:snapshots': { input: nothing, output: snapshotsSchema },
  /** The first screen is interactive. */
  'desktop:interactive': { input: nothing, output: done },
  ...desktopCalls,
  'desktop:dismissNotice': { input: byId, output: done },

  ...connectionCalls,
  ...listCalls,
  ...registryCalls,
  ...localCalls,

  'integration:tools': {
    input: reading,
    output: z.strictObject({ tools: z.array(toolViewSchema), isPartial, unusable }),
  },
  /** The tools as last listed, for a server that cannot be used. `listedAt`: milliseconds since 1970. */
  'integration:knownTools': {
    input: byId,
    output: z.strictObject({ tools: z.array(toolViewSchema), listedAt: z.optional(z.number()) }),
  },
  /**
   * Copies the sentence that tries a read-only tool in an AI app. Main makes it from the tools as last listed. Errors:
   * NOT_FOUND; TOOL_NOT_FOUND if the tool or the server has no plain name (`exampleFor`).
   */
  'integration:copyExample': {
    input: z.strictObject({ id, tool: z.string().check(z.minLength(1), z.maxLength(256)) }),
    output: done,
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
    /** `anyField`: the user sends arguments that do not match the tool's schema. */
    input: z.strictObject({
      id,
      call,
      name: z.string().check(z.minLength(1), z.maxLength(256)),
      arguments: toolArguments,
      anyField: z.optional(z.boolean()),
    }),
    /** `meant`: the server has no such tool; the user probably meant this one. */
    output: z.strictObject({
      content: z.array(contentViewSchema),
      isError: z.boolean(),
      meant: z.optional(z.string().check(z.maxLength(128))),
      unusable,
    }),
  },
  'integration:readResource': {
    /** `values`: the variables of `uri`, if it is a template. */
    input: z.extend(reading, { call, uri: address, values: z.optional(promptArguments) }),
    /** `uri`: the URI that was read. */
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
  /** The server's completions for a partly typed argument. A new call cancels the previous one. */
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
      /** The arguments that are already filled in. */
      given: promptArguments,
    }),
    output: z.strictObject({ values: z.array(z.string()) }),
  },
  /**
   * Until it is stopped, or the server turns out not to support it; `changed` events report changes. One list and one
   * resource at a time.
   */
  'integration:follow': { input: z.strictObject({ id, call, of: followedSchema }), output: done },
  /** Cancels the call at the server. */
  'integration:stopCall': { input: z.strictObject({ call }), output: done },
  'integration:signInAgain': { input: byId, output: z.strictObject({ connectionId: id }) },
  /** Like `signInAgain`, but requests a new login, so that the user can choose another account. */
  'integration:switchAccount': { input: byId, output: z.strictObject({ connectionId: id }) },
  'integration:refresh': { input: byId, output: done },
  /** Can be undone, so main does not ask. */
  'integration:signOut': { input: z.strictObject({ ids }), output: removalOutcome },
  /** The same. `entries`: preview tokens of app entries that would stop working; they are removed first. */
  'integration:remove': { input: z.strictObject({ ids, entries: z.optional(changeTokens) }), output: removalOutcome },
  'integration:update': {
    input: z.strictObject({ id, name: z.optional(name), options: z.optional(options) }),
    output: done,
  },
  /** Applies from the next sign-in. */
  'integration:setCredentials': { input: z.strictObject({ id, ...typedClient }), output: done },
  /** Another API key for the same header. It replaces the old one only after the server has accepted it. */
  'integration:replaceKey': {
    input: z.strictObject({ id, value: z.string().check(z.minLength(1), z.maxLength(8_192)) }),
    output: done,
  },
  /** The last sign-ins of a connection or an integration, newest first, redacted. */
  'integration:signIns': { input: byId, output: z.strictObject({ signIns: z.array(tracedSignInSchema) }) },
  /** The events of an integration, newest first. */
  'integration:events': { input: byId, output: z.strictObject({ events: z.array(serverEventViewSchema) }) },

  /** The icon of a mark in `icons`, as base64; `null`: it has changed since, or there is none. */
  'integration:icon': {
    input: z.strictObject({ id, mark: z.string().check(z.maxLength(16)) }),
    output: z.strictObject({ data: z.nullable(z.string()) }),
  },
  /** Calls the server's tool for the current account, if it has one; the result appears in the list. */
  'integration:identifyAccount': { input: byId, output: z.strictObject({ isKnown: z.boolean() }) },

  ...deletionCalls,
  ...resultCalls,

  /** Arranges the sidebar. */
  'settings:arrange': { input: sidebarChangeSchema, output: done },
  'settings:update': {
    input: z.extend(settingsChangeSchema, { startAtLogin: z.optional(z.boolean()) }),
    output: done,
  },
  /**
   * The user picks a file of additional certificate authorities in a system dialog. False: they cancelled. Errors:
   * CERTIFICATE_FILE_INVALID.
   */
  'settings:chooseCertificateFile': { input: nothing, output: z.strictObject({ chosen: z.boolean() }) },
  /** Opens the settings file in its default app, or its folder if there is no file. */
  'settings:openFile': { input: nothing, output: done },
  /**
   * Replaces an unusable settings file with what Postern last wrote, and saves a copy of it. `null`: the file is
   * usable.
   */
  'settings:restore': { input: nothing, output: z.nullable(restoredSettingsSchema) },
  'storage:selfTest': {
    input: nothing,
    output: z.strictObject({ callbackUrl: z.optional(z.string()), checks: z.array(checkViewSchema) }),
  },
  /**
   * Deletes all data on this computer. Main asks the user; `null`: they declined. `entries`: as in
   * `integration:remove`.
   */
  'storage:deleteEverything': {
    input: z.strictObject({ entries: z.optional(changeTokens) }),
    output: z.nullable(deletedViewSchema),
  },

  ...appCalls,
  ...collectionCalls,
  ...approvalCalls,
  ...permissionCalls,
  ...questionCalls,

  ...activityCalls,

  /** Their progress is in the slice `desktop`. */
  'update:check': { input: nothing, output: done },
  'update:download': { input: nothing, output: done },
  /** Quits Postern. */
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

/** The calling window. Only the window whose sign-in it is may redeem an auth ticket (spec 2.10). */
export interface IpcCaller {
  readonly surface: string;
}

/** Main's side of every call: gets the parsed input and returns what the output schema accepts. */
export type IpcHandlers = {
  readonly [Call in IpcCall]: (
    input: z.output<IpcContract[Call]['input']>,
    caller: IpcCaller,
  ) => Promise<z.input<IpcContract[Call]['output']>>;
};

/** Results cross as data: an error thrown over `invoke` loses everything but its text. */
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

/** The preload's API, `window.postern`: `postern.connection.discover({ url, options })`, and the events. */
export type PosternApi = {
  readonly [Name in Group]: {
    readonly [Rest in Verb<Name>]: (
      ...input: InputOf<CallOf<Name, Rest>>
    ) => Promise<IpcResult<IpcOutput<CallOf<Name, Rest>>>>;
  };
} & {
  /** Returns a function that stops listening. */
  readonly onEvent: (listener: (event: IpcEvent) => void) => () => void;
};
