import type * as z from 'zod/mini';
import type { Integration } from '../../shared/integration.ts';
import type { IpcCall, IpcContract } from '../../shared/ipc-contract.ts';
import type { SnapshotSlice } from '../../shared/ipc-event.ts';
import type { RunFacts } from '../../shared/local-command.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import { usedServers } from '../apps/program-engine.ts';
import type { UsedServer } from '../apps/program-engine.ts';
import type { SignInInteraction } from '../engine/sign-in/sign-in-interaction.ts';
import type { ServerUser } from '../engine/use/use-server.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { AppUser, Collections } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';

/**
 * An operation is a thing that a user can do. It is one function, which the window calls through IPC and the command
 * line calls itself; its name and the schemas of its input and output are in `shared/ipc-contract.ts`. It throws typed
 * errors, and neither formats anything nor knows which of the two called it. `OperationInput`: what the schema made of
 * the input.
 */
export type OperationInput<Name extends IpcCall> = z.output<IpcContract[Name]['input']>;

/** What the schema of the output takes. */
export type OperationOutput<Name extends IpcCall> = z.input<IpcContract[Name]['output']>;

/** Where the user is: what an operation needs of the window or the terminal. */
export interface Surface {
  readonly user: User;
  /**
   * Reports that something stored has changed. Resolves once it holds for AI apps that this process serves; what is
   * shown follows by itself. Never rejects.
   */
  readonly changed: (...slices: readonly SnapshotSlice[]) => Promise<void>;
}

/** What a user is asked before an operation goes on. */
export type Question = RevokeQuestion | RunQuestion | LeaveQuestion | RemoveEverythingQuestion;

interface RevokeQuestion {
  readonly kind: 'revoke';
  /** Name of the app. */
  readonly app: string;
  /** What it may use until then. */
  readonly records: readonly ProgramRecord[];
}

type LeaveQuestion =
  | { readonly kind: 'sign-out'; readonly servers: readonly Integration[] }
  | {
      readonly kind: 'remove';
      readonly servers: readonly Integration[];
      /** Tokens of changes of apps that were shown and are made first. */
      readonly entries: readonly string[];
    };

interface RemoveEverythingQuestion {
  readonly kind: 'remove-everything';
  /** How many are in the list; `undefined`: it cannot be read. */
  readonly servers: number | undefined;
  /** Tokens of changes of apps that were shown and are made first. */
  readonly entries: readonly string[];
}

interface RunQuestion extends RunFacts {
  readonly kind: 'run-command';
}

/**
 * The user, for all that Postern asks them: consent to an operation, their side of a sign-in, what a server asks during
 * a call, and what AI apps may do. There are three: at a terminal, at the window, and nobody. Whoever cannot be asked for
 * something lacks it. Changes of app files are asked about elsewhere: what is made is compared with what was shown
 * (`makeWanted`), so whoever shows a plan asks about it too, and an operation gets what was agreed to (`AgreedChange`).
 */
export interface User extends ServerUser, AppUser {
  /** False: they said no. Errors: USER_CANCELLED, or USAGE where nobody can be asked. */
  confirm(question: Question): Promise<boolean>;
}

/** Their side of a connection by a key, in which nobody signs in. */
export const noSignIn: SignInInteraction = {
  onEvent() {},
  askCredentials: async () => undefined,
  open: async () => {},
};

/** Of a service, which runs where nobody looks. */
export const nobody: User = { confirm: async () => false };

/** The server that a window names. Errors: NOT_FOUND, CFG_*. */
export async function readServer(
  { store }: { readonly store: Pick<IntegrationStore, 'read'> },
  id: string,
): Promise<Integration> {
  return (await store.read(id)) ?? notFound();
}

/** Several, in the order in which they are named. Errors: as of one. */
export async function readServers(
  { store }: { readonly store: Pick<IntegrationStore, 'list'> },
  ids: readonly string[],
): Promise<readonly Integration[]> {
  const byId = new Map((await store.list()).map((integration) => [integration.id, integration]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

export interface UsedLists {
  readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
  readonly collections: Pick<Collections, 'list'>;
}

/** All that entries of programs may lead to. Errors: CFG_*. */
export async function allUsed({ ports, collections }: UsedLists): Promise<readonly UsedServer[]> {
  return usedServers(await ports.store.list(), await collections.list());
}

/** Servers and collections, in the order in which they are named. Errors: NOT_FOUND, CFG_*. */
export async function readUsed(lists: UsedLists, ids: readonly string[]): Promise<readonly UsedServer[]> {
  const byId = new Map((await allUsed(lists)).map((used) => [used.id, used]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

function notFound(): never {
  throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
