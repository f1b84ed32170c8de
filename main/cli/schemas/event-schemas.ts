import * as z from 'zod/mini';
import { allowedApp, call, change, deleted, failure, list, localCommand, moment } from './result-parts.ts';

/** Lines before the last one, by `event`. There may be others. */
export const eventSchemas = {
  authorization: z.looseObject({ url: z.string(), callbackUrl: z.string(), expiresAt: moment }),
  call,
  changed: change,
  contents: z.looseObject({ contents: z.array(z.looseObject({ uri: z.string() })) }),
  'device-code': z.looseObject({ page: z.string(), userCode: z.string(), expiresAt: moment }),
  'entry-stays': z.extend(change, { byHand: z.optional(z.array(z.string())) }),
  'entry-unreadable': z.looseObject({ app: z.string(), path: z.string(), code: z.string(), message: z.string() }),
  hosts: z.looseObject({ server: z.string(), hosts: z.array(z.string()) }),
  http: z.looseObject({ http: z.string() }),
  import: z.looseObject({ name: z.string(), outcome: z.string(), error: z.optional(failure) }),
  imported: z.looseObject({ imports: list, changes: z.array(change) }),
  log: z.looseObject({ level: z.string(), text: z.string() }),
  method: z.looseObject({ method: z.string(), issuer: z.optional(z.string()) }),
  note: z.looseObject({ note: z.string() }),
  notice: z.looseObject({ code: z.string() }),
  output: z.looseObject({ output: z.string() }),
  paste: z.looseObject({ verdict: z.string() }),
  /** What will be done; needs --yes to continue. */
  preview: z.looseObject({
    changes: z.optional(z.array(change)),
    command: z.optional(localCommand),
    revokes: z.optional(z.array(allowedApp)),
    imports: z.optional(list),
  }),
  progress: z.looseObject({ progress: z.number(), total: z.optional(z.number()), message: z.optional(z.string()) }),
  /** What was deleted before a failure; the error follows. */
  removed: deleted,
  renewal: z.looseObject({
    id: z.string(),
    name: z.string(),
    nextRefreshAt: z.optional(moment),
    error: z.optional(failure),
  }),
  request: z.looseObject({ number: z.number(), purpose: z.string(), method: z.string(), url: z.string() }),
  serving: z.looseObject({ socket: z.string(), http: z.optional(z.string()) }),
  session: z.looseObject({ state: z.string() }),
  state: z.looseObject({ state: z.string() }),
  step: z.looseObject({ step: z.string(), outcome: z.string() }),
  warning: failure,
  watching: z.looseObject({ servers: z.number() }),
} satisfies Readonly<Record<string, z.ZodMiniObject>>;

export type EventName = keyof typeof eventSchemas;

/** Events of opening a profile, or of a local server that did not start. */
const profileEvents = ['notice', 'output'] as const;
/** Events of using a server, which may need a sign-in. */
const signInEvents = [
  ...profileEvents,
  'authorization',
  'device-code',
  'hosts',
  'log',
  'method',
  'note',
  'paste',
  'progress',
  'renewal',
  'request',
  'state',
  'step',
  'warning',
  'watching',
] as const;
/** Events of removing entries from apps. */
const entryEvents = ['changed', 'entry-stays', 'entry-unreadable'] as const;
const changeEvents = [...profileEvents, 'preview', 'changed'] as const;

/** Event sets shared by several commands. */
export const eventSets = { profileEvents, signInEvents, entryEvents, changeEvents } satisfies Readonly<
  Record<string, readonly EventName[]>
>;
