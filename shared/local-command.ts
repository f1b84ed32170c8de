import * as z from 'zod';
import { commandBounds, variableName } from './local-command-bounds.ts';
import { remoteOfSchema } from './list-calls.ts';

/** No program can be given a NUL. */
const word = z
  .string()
  .max(commandBounds.length)
  .refine((text) => !text.includes('\0'));

/** What a server on this computer is started with. Values of variables are in the vault, beside the consent. */
export const localCommandSchema = z.strictObject({
  /** As it was typed. */
  command: word.min(1),
  /** The file that runs, an absolute path: found once, shown, and consented to. */
  path: word.min(1),
  arguments: z.array(word).max(commandBounds.words),
  /** Indices of arguments that have a secret, which is left out here: the vault holds them whole. */
  sealed: z.array(z.int().min(0)).max(commandBounds.words).optional(),
  /** The folder that it runs in, an absolute path; the home folder without one. */
  folder: word.min(1).optional(),
  /** Names of the variables that it is given beside the usual ones. */
  variables: z.array(z.string().regex(variableName)).max(commandBounds.variables),
  /** Where it came from, where a person did not type it: the name of a program, or of a list. */
  from: z.string().max(200).optional(),
  /** One process for all sessions, with its tools alone; without it each has one of its own, as programs do it themselves. */
  lifetime: z.literal('shared').optional(),
});

export type LocalCommand = z.infer<typeof localCommandSchema>;

const id = z.string().min(1).max(64);
const done = z.null();
const commandWord = z.string().max(commandBounds.length);

/** What a window may ask of main about servers that run on this computer; a part of `ipc-contract.ts`. */
export const localCalls = {
  /** A command of a list, by the id of its entry, as the form is to have it. Values of its variables stay in main. */
  'local:draft': {
    input: z.strictObject({ entry: id }),
    output: z.strictObject({
      /** For `local:prepare`. */
      draft: id,
      /** One that no server has yet. */
      name: z.string(),
      words: z.array(z.string()),
      folder: z.string().optional(),
      /** `isKept`: with a value of the list. */
      variables: z.array(z.strictObject({ name: z.string(), isKept: z.boolean() })),
    }),
  },
  /** Finds out what would run, and starts nothing. Values stay in main from here on. */
  'local:prepare': {
    input: z.strictObject({
      name: z.string().trim().min(1).max(80),
      words: z.array(commandWord).min(1).max(commandBounds.words),
      folder: commandWord.min(1).optional(),
      /** One without a value has that of the draft. */
      variables: z
        .array(z.strictObject({ name: z.string().regex(variableName), value: z.string().max(32_768).optional() }))
        .max(commandBounds.variables),
      draft: id.optional(),
    }),
    output: z.strictObject({
      /** For `local:connect`. */
      token: id,
      command: localCommandSchema,
      /** Variables that the user has to see, without what looks like a secret. */
      shown: z.array(z.strictObject({ name: z.string(), value: z.string(), decides: z.boolean() })),
      /** To be offered first. */
      remote: remoteOfSchema.optional(),
    }),
  },
  /** Asks the person in a dialog of the system, and connects it then. `null`: they said no. */
  'local:connect': {
    input: z.strictObject({ token: id, call: id }),
    output: z.strictObject({ id, tools: z.number() }).nullable(),
  },
  'local:cancel': { input: z.strictObject({ call: id }), output: done },
  'local:status': {
    input: z.strictObject({ id, since: z.number().int().nonnegative() }),
    output: z.strictObject({
      state: z.enum(['off', 'starting', 'running', 'waiting', 'failed', 'stopped']),
      /** Milliseconds since 1970. */
      processes: z.array(z.strictObject({ pid: z.number(), startedAt: z.number() })),
      /** What it has written after the first `since` bytes, made fit to be shown. */
      output: z.string(),
      total: z.number(),
      /** False: nobody has allowed the command as it is now. */
      isAllowed: z.boolean(),
    }),
  },
  /** It may run again; what was not allowed yet is asked about in a dialog of the system. `null`: the person said no. */
  'local:start': { input: z.strictObject({ id }), output: z.strictObject({ id }).nullable() },
  /** Whether its sessions share one process, from the next one on that starts. */
  'local:share': { input: z.strictObject({ id, isShared: z.boolean() }), output: done },
  'local:stop': { input: z.strictObject({ id }), output: done },
} as const;
