import * as z from 'zod';
import { appViewSchema } from './app-view.ts';
import { approvalViewSchema } from './approval-view.ts';
import { collectionViewSchema } from './collection-view.ts';
import { connectionViewSchema } from './connection-view.ts';
import { deletionViewSchema } from './deletion-view.ts';
import { heldCallViewSchema } from './held-call-view.ts';
import { integrationViewSchema } from './integration-view.ts';
import { programViewSchema } from './program-view.ts';
import { questionViewSchema } from './question-view.ts';

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
