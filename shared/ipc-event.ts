import * as z from 'zod';
import { posternLinkSchema } from './postern-link.ts';
import { refusedQuestions } from './question-view.ts';
import { snapshotsSchema } from './snapshots.ts';

/** What a menu, a shortcut of the system or a notification asks the window to show. */
export const windowCommands = ['connect', 'search', 'settings', 'updates', 'about', 'integration'] as const;

/** Why something that is followed is to be read. */
export const occasions = ['first', 'said', 'again'] as const;

/** What main tells the window, on one channel. */
export const ipcEventSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('snapshot'),
    slices: snapshotsSchema.partial(),
  }),
  /** How far a call is that the window waits for, as its server says. */
  z.strictObject({
    event: z.literal('progress'),
    call: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
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
    integrationId: z.string().optional(),
  }),
  /** Somebody opened a link, perhaps on a page of the web. */
  z.strictObject({ event: z.literal('link'), link: posternLinkSchema }),
]);

export type IpcEvent = z.infer<typeof ipcEventSchema>;
export type Occasion = (typeof occasions)[number];
export type WindowCommand = (typeof windowCommands)[number];
