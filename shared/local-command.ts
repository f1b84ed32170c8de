import * as z from 'zod/mini';
import { commandBounds, variableName } from './command-display.ts';
import type { ShownVariable } from './command-display.ts';

/** No argument can contain a NUL. */
const word = z.string().check(
  z.maxLength(commandBounds.length),
  z.refine((text) => !text.includes('\0')),
);

/** The command of a local server. Variable values are in the vault, next to the consent. */
export const localCommandSchema = z.strictObject({
  /** As typed. */
  command: word.check(z.minLength(1)),
  /** The absolute path of the executable: resolved once, shown, and allowed by the user. */
  path: word.check(z.minLength(1)),
  arguments: z.array(word).check(z.maxLength(commandBounds.words)),
  /** Indices of arguments with a secret, which is left out here: the vault has them whole. */
  sealed: z.optional(z.array(z.int().check(z.minimum(0))).check(z.maxLength(commandBounds.words))),
  /** The working directory, an absolute path; absent: the home folder. */
  folder: z.optional(word.check(z.minLength(1))),
  /** Names of its variables besides the usual ones. */
  variables: z.array(z.string().check(z.regex(variableName))).check(z.maxLength(commandBounds.variables)),
  /** Where it came from, if not typed: the name of an app or a list. */
  from: z.optional(z.string().check(z.maxLength(200))),
  /** One process for all sessions, with its tools only; absent: one per session, as AI apps do it. */
  lifetime: z.optional(z.literal('shared')),
});

export type LocalCommand = z.infer<typeof localCommandSchema>;

/** The remote server that replaces a command. */
export const remoteAlternativeSchema = z.strictObject({
  /** The service's name, or its host. */
  name: z.string(),
  address: z.string(),
  /** The command is only a bridge to it. */
  isBridged: z.boolean(),
});

export type RemoteAlternative = z.infer<typeof remoteAlternativeSchema>;

/** What the user has to know about a command before it runs. */
export interface RunFacts {
  /** The server's name. */
  readonly name: string;
  /** Without its secrets. */
  readonly command: LocalCommand;
  /** Variables whose values the user has to see. */
  readonly shown: readonly ShownVariable[];
  /** The remote server that makes the command unnecessary. */
  readonly remote?: RemoteAlternative;
  /** The current command, whose values will be deleted. */
  readonly replaced?: LocalCommand;
}
