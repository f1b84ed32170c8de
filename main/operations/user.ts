import type { Integration } from '../../shared/integration.ts';
import type { RunFacts } from '../../shared/local-command.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { SignInInteraction } from '../engine/sign-in/sign-in-interaction.ts';
import type { ServerUser } from '../engine/use/use-server.ts';
import type { AppUser } from '../gateway-ports.ts';

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
