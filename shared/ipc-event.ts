import * as z from 'zod/mini';
import { desktopViewSchema } from './desktop-view.ts';
import { approvalViewSchema, heldCallViewSchema } from './approval-view.ts';
import { connectionViewSchema } from './connection-view.ts';
import { deletionViewSchema } from './deletion-view.ts';
import { integrationViewSchema } from './integration-view.ts';
import { collectionViewSchema, appViewSchema } from './app-view.ts';
import { questionViewSchema, questionRefusals } from './question-view.ts';

/** Where a `postern:` link leads in the window, as if the user had gone there. */
const posternLinkSchema = z.discriminatedUnion('kind', [
  /** An address to check. */
  z.strictObject({ kind: z.literal('connect'), url: z.string().check(z.maxLength(16_384)) }),
  /** A server, which may not be in the list. */
  z.strictObject({ kind: z.literal('open'), id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  /** A link that Postern does not follow. */
  z.strictObject({ kind: z.literal('unusable') }),
]);

export type PosternLink = z.infer<typeof posternLinkSchema>;

/** What main publishes, one whole slice at a time. Strict, and without any field that could hold a secret. */
export const snapshotsSchema = z.strictObject({
  desktop: desktopViewSchema,
  integrations: z.array(integrationViewSchema),
  connections: z.array(connectionViewSchema),
  collections: z.array(collectionViewSchema),
  /** Recent sign-outs and removals. */
  deletions: z.array(deletionViewSchema),
  /** The apps on this computer. */
  apps: z.array(appViewSchema),
  /** Apps that wait for the user's approval, oldest first. */
  approvals: z.array(approvalViewSchema),
  /** Tool calls that wait for the user, oldest first. */
  heldCalls: z.array(heldCallViewSchema),
  /** Questions of servers, oldest first. */
  questions: z.array(questionViewSchema),
});

export type Snapshots = z.infer<typeof snapshotsSchema>;
export type SnapshotSlice = keyof Snapshots;

/** What a menu, a system shortcut or a notification can open in the window. */
const windowCommands = ['connect', 'search', 'settings', 'updates', 'about', 'integration'] as const;

/** Why the window should read a followed list or resource. */
const occasions = ['first', 'changed', 'again'] as const;

/** Events from main to the window, on one channel. */
const ipcEventSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('snapshot'),
    slices: z.partial(snapshotsSchema),
  }),
  /** Progress of a pending call, as reported by its server. */
  z.strictObject({
    event: z.literal('progress'),
    call: z.string(),
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
  /** A log line of the server during that call. */
  z.strictObject({ event: z.literal('log'), call: z.string(), level: z.string(), text: z.string() }),
  /**
   * About the list or resource that the window follows with that call: following has started, the server reported a
   * change, or a change may have been missed.
   */
  z.strictObject({ event: z.literal('changed'), call: z.string(), occasion: z.enum(occasions) }),
  /** Postern declined a question of the server in that call without asking the user. */
  z.strictObject({ event: z.literal('refused-question'), call: z.string(), why: z.enum(questionRefusals) }),
  /** The user has allowed the command of that call (`local:connect`), which starts now. */
  z.strictObject({ event: z.literal('allowed'), call: z.string() }),
  z.strictObject({
    event: z.literal('command'),
    command: z.enum(windowCommands),
    /** Only with `integration`. */
    integrationId: z.optional(z.string()),
  }),
  /** Nothing was removed, but the entries of these apps could not be restored. */
  z.strictObject({
    event: z.literal('entries-not-restored'),
    apps: z.array(z.string().check(z.maxLength(80))).check(z.minLength(1)),
  }),
  /** A link was opened, perhaps by a web page. */
  z.strictObject({ event: z.literal('link'), link: posternLinkSchema }),
]);

export type IpcEvent = z.infer<typeof ipcEventSchema>;
export type Occasion = (typeof occasions)[number];
export type WindowCommand = (typeof windowCommands)[number];
