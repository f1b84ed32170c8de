import * as z from 'zod/mini';
import { commandBounds, variableName } from './shown-command.ts';
import type { ShownVariable } from './shown-command.ts';

/** No program can be given a NUL. */
const word = z.string().check(
  z.maxLength(commandBounds.length),
  z.refine((text) => !text.includes('\0')),
);

/** What a server on this computer is started with. Values of variables are in the vault, beside the consent. */
export const localCommandSchema = z.strictObject({
  /** As it was typed. */
  command: word.check(z.minLength(1)),
  /** The file that runs, an absolute path: found once, shown, and consented to. */
  path: word.check(z.minLength(1)),
  arguments: z.array(word).check(z.maxLength(commandBounds.words)),
  /** Indices of arguments that have a secret, which is left out here: the vault holds them whole. */
  sealed: z.optional(z.array(z.int().check(z.minimum(0))).check(z.maxLength(commandBounds.words))),
  /** The folder that it runs in, an absolute path; the home folder without one. */
  folder: z.optional(word.check(z.minLength(1))),
  /** Names of the variables that it is given beside the usual ones. */
  variables: z.array(z.string().check(z.regex(variableName))).check(z.maxLength(commandBounds.variables)),
  /** Where it came from, where a person did not type it: the name of a program, or of a list. */
  from: z.optional(z.string().check(z.maxLength(200))),
  /** One process for all sessions, with its tools alone; without it each has one of its own, as programs do it themselves. */
  lifetime: z.optional(z.literal('shared')),
});

export type LocalCommand = z.infer<typeof localCommandSchema>;

/** The server with an address that does what a command would, with no program on this computer. */
export const remoteOfSchema = z.strictObject({
  /** Of the service, or its host. */
  name: z.string(),
  address: z.string(),
  /** The command does nothing but lead there. */
  isBridged: z.boolean(),
});

export type RemoteOf = z.infer<typeof remoteOfSchema>;

/** What a user has to know of a command before it runs. */
export interface RunFacts {
  /** Of the server. */
  readonly name: string;
  /** Without its secrets. */
  readonly command: LocalCommand;
  /** Variables whose values the user has to see. */
  readonly shown: readonly ShownVariable[];
  /** The server with an address that makes the command unnecessary. */
  readonly remote?: RemoteOf;
  /** The command that the server has until then; its values are deleted. */
  readonly replaced?: LocalCommand;
}
