import type * as z from 'zod/mini';
import type { Integration } from '../../shared/integration.ts';
import type { IpcCall, IpcContract } from '../../shared/ipc-contract.ts';
import type { SnapshotSlice } from '../../shared/ipc-event.ts';
import type { RunFacts } from '../../shared/local-command.ts';
import type { AppRecord } from '../../shared/app-record.ts';
import { entryTargets } from '../apps/app-dependencies.ts';
import type { EntryTarget } from '../apps/app-dependencies.ts';
import type { SignInInteraction } from '../engine/sign-in/sign-in-interaction.ts';
import type { ServerUser } from '../engine/use/use-server.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { AppUser, Collections } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';

/**
 * An operation is something that a user can do: one function, called by the window through IPC and by the command line
 * directly. Its name and the schemas of its input and output are in `shared/ipc-contract.ts`. It throws typed errors,
 * formats nothing and does not know its caller. `OperationInput`: the parsed input.
 */
export type OperationInput<Name extends IpcCall> = z.output<IpcContract[Name]['input']>;

/** Output as its schema accepts it. */
export type OperationOutput<Name extends IpcCall> = z.input<IpcContract[Name]['output']>;

/** Where the user is: what an operation needs from the window or the terminal. */
export interface Surface {
  readonly user: User;
  /**
   * Reports that stored data has changed. Resolves once AI apps served by this process see it; the display updates
   * on its own. Never rejects.
   */
  readonly changed: (...slices: readonly SnapshotSlice[]) => Promise<void>;
}

/** Questions that the user confirms before an operation continues. */
export type Question = RevokeQuestion | RunQuestion | RemovalQuestion | RemoveEverythingQuestion;

interface RevokeQuestion {
  readonly kind: 'revoke';
  /** Display name of the app. */
  readonly app: string;
  /** What it may use now. */
  readonly records: readonly AppRecord[];
}

type RemovalQuestion =
  | { readonly kind: 'sign-out'; readonly servers: readonly Integration[] }
  | {
      readonly kind: 'remove';
      readonly servers: readonly Integration[];
      /** Tokens of changes of apps that were shown and are made first. */
      readonly entries: readonly string[];
    };

interface RemoveEverythingQuestion {
  readonly kind: 'remove-everything';
  /** Number of listed servers; `undefined`: the list cannot be read. */
  readonly servers: number | undefined;
  /** Tokens of changes of apps that were shown and are made first. */
  readonly entries: readonly string[];
}

interface RunQuestion extends RunFacts {
  readonly kind: 'run-command';
}

/**
 * The user, for everything Postern asks: confirming an operation, signing in, answering a server's questions during a
 * call, and deciding what AI apps may do. There are three: at a terminal, at the window, and nobody. A member is
 * missing if nobody can be asked for it. Changes of app files are confirmed elsewhere: each change is compared with
 * what was shown (`applyProposed`), so the surface that shows a plan also confirms it, and an operation gets a
 * `ConfirmedChange`.
 */
export interface User extends ServerUser, AppUser {
  /** False: the user declined. Errors: USER_CANCELLED, or USAGE if nobody can be asked. */
  confirm(question: Question): Promise<boolean>;
}

/** Interaction for connecting with a key, where nobody signs in. */
export const noSignIn: SignInInteraction = {
  onEvent() {},
  askCredentials: async () => undefined,
  open: async () => {},
};

/** For a background service, which has no user. */
export const noUser: User = { confirm: async () => false };

/** A server by its ID. Errors: NOT_FOUND, CFG_*. */
export async function readServer(
  { store }: { readonly store: Pick<IntegrationStore, 'read'> },
  id: string,
): Promise<Integration> {
  return (await store.read(id)) ?? notFound();
}

/** Several servers in the given order. Errors: as `readServer`. */
export async function readServers(
  { store }: { readonly store: Pick<IntegrationStore, 'list'> },
  ids: readonly string[],
): Promise<readonly Integration[]> {
  const byId = new Map((await store.list()).map((integration) => [integration.id, integration]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

export interface EntryTargetLists {
  readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
  readonly collections: Pick<Collections, 'list'>;
}

/** All servers and collections that app entries can point to. Errors: CFG_*. */
export async function listEntryTargets({ ports, collections }: EntryTargetLists): Promise<readonly EntryTarget[]> {
  return entryTargets(await ports.store.list(), await collections.list());
}

/** Servers and collections in the given order. Errors: NOT_FOUND, CFG_*. */
export async function readEntryTargets(
  lists: EntryTargetLists,
  ids: readonly string[],
): Promise<readonly EntryTarget[]> {
  const byId = new Map((await listEntryTargets(lists)).map((used) => [used.id, used]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

function notFound(): never {
  throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
}
