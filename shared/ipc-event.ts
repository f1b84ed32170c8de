import * as z from 'zod/mini';
import { appViewSchema } from './app-view.ts';
import { approvalViewSchema, heldCallViewSchema } from './approval-view.ts';
import { connectionViewSchema } from './connection-view.ts';
import { deletionViewSchema } from './deletion-view.ts';
import { integrationViewSchema } from './integration-view.ts';
import { collectionViewSchema, programViewSchema } from './program-view.ts';
import { questionViewSchema, refusedQuestions } from './question-view.ts';

/** What a `postern:` link leads to in the window, where it is shown as if the person had gone there. */
const posternLinkSchema = z.discriminatedUnion('kind', [
  /** An address to check. */
  z.strictObject({ kind: z.literal('connect'), url: z.string().check(z.maxLength(16_384)) }),
  /** A server of the list, which may not hold it. */
  z.strictObject({ kind: z.literal('open'), id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  /** None that Postern follows. */
  z.strictObject({ kind: z.literal('unusable') }),
]);

export type PosternLink = z.infer<typeof posternLinkSchema>;

/** What main publishes, each slice whole. Strict, and without any field that could hold a secret. */
export const snapshotsSchema = z.strictObject({
  app: appViewSchema,
  integrations: z.array(integrationViewSchema),
  connections: z.array(connectionViewSchema),
  collections: z.array(collectionViewSchema),
  /** What was signed out or removed just now. */
  deletions: z.array(deletionViewSchema),
  /** Those that are on this computer. */
  programs: z.array(programViewSchema),
  /** What programs want to be allowed, oldest first. */
  approvals: z.array(approvalViewSchema),
  /** Calls of tools that wait for the person, oldest first. */
  heldCalls: z.array(heldCallViewSchema),
  /** What servers ask, oldest first. */
  questions: z.array(questionViewSchema),
});

export type Snapshots = z.infer<typeof snapshotsSchema>;
export type SnapshotSlice = keyof Snapshots;

/** What a menu, a shortcut of the system or a notification asks the window to show. */
const windowCommands = ['connect', 'search', 'settings', 'updates', 'about', 'integration'] as const;

/** Why something that is followed is to be read. */
const occasions = ['first', 'said', 'again'] as const;

/** What main tells the window, on one channel. */
const ipcEventSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('snapshot'),
    slices: z.partial(snapshotsSchema),
  }),
  /** How far a call is that the window waits for, as its server says. */
  z.strictObject({
    event: z.literal('progress'),
    call: z.string(),
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
  /** A line that the server writes into its log in that call. */
  z.strictObject({ event: z.literal('log'), call: z.string(), level: z.string(), text: z.string() }),
  /** What the window follows by that call: it is followed now, the server says that it changed, or it may have. */
  z.strictObject({ event: z.literal('changed'), call: z.string(), occasion: z.enum(occasions) }),
  /** A question of the server in that call was answered without the person. */
  z.strictObject({ event: z.literal('refused-question'), call: z.string(), why: z.enum(refusedQuestions) }),
  z.strictObject({
    event: z.literal('command'),
    command: z.enum(windowCommands),
    /** With `integration`: which one. */
    integrationId: z.optional(z.string()),
  }),
  /** Nothing was removed, and these apps did not get their entries back. */
  z.strictObject({
    event: z.literal('entries-left'),
    programs: z.array(z.string().check(z.maxLength(80))).check(z.minLength(1)),
  }),
  /** Somebody opened a link, perhaps on a page of the web. */
  z.strictObject({ event: z.literal('link'), link: posternLinkSchema }),
]);

export type IpcEvent = z.infer<typeof ipcEventSchema>;
export type Occasion = (typeof occasions)[number];
export type WindowCommand = (typeof windowCommands)[number];
