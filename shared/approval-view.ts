import * as z from 'zod/mini';
import { ruledToolSchema } from './integration.ts';
import { programIdSchema } from './program-record.ts';
import { changedToolRules, offers, toolPresets, toolRules } from './tool-permissions.ts';

/** What a program wants and a person has not allowed yet. */
export const approvalViewSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** What the program is called; empty where it says nothing. */
  program: z.string().check(z.maxLength(80)),
  /** It says so itself, and Postern does not know it. */
  isOwnWord: z.boolean(),
  /** What it says that started it. */
  startedBy: z.optional(z.string().check(z.maxLength(80))),
  /** Its name. */
  integration: z.string().check(z.maxLength(80)),
  integrationId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Whether it can be allowed for longer than this session. */
  canLast: z.boolean(),
  /** Milliseconds since 1970 at which it is refused. */
  expiresAt: z.number(),
  /** Nobody answered until then: it waits, and an answer counts when the program asks again. */
  isMissed: z.boolean(),
});

const approvalAnswers = ['once', 'always', 'no'] as const;

/** What a window may answer; a part of `ipc-contract.ts`. */
export const approvalCalls = {
  'approval:answer': {
    input: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)), answer: z.enum(approvalAnswers) }),
    output: z.null(),
  },
} as const;

export type ApprovalView = z.infer<typeof approvalViewSchema>;
export type ApprovalAnswer = (typeof approvalAnswers)[number];

/** Tools of one server that are shown as changed, places of one of them, characters of one place, pieces of it. */
export const changeBounds = { tools: 200, places: 40, text: 4_000, pieces: 400 } as const;

/** A piece of text: as before, no longer there, or new. */
const pieceSchema = z.strictObject({ kind: z.enum(['same', 'gone', 'new']), text: z.string() });

/** What a tool says otherwise than a person has read it, or one that is new. */
const toolChangeSchema = z.strictObject({
  tool: z.string(),
  /** Tells what has been seen from what comes later. */
  form: z.string().check(z.maxLength(64)),
  kind: z.enum(['new', 'changed']),
  /** Milliseconds since 1970 at which it was seen. */
  at: z.number(),
  /** Each place that differs: names of members, from the outside in. */
  places: z.array(z.strictObject({ where: z.array(z.string()), words: z.array(pieceSchema) })),
  /** More differs than is shown, or than Postern keeps of a tool. */
  isCut: z.boolean(),
});

/** A tool that the user has reviewed and that no longer exists. */
const goneToolSchema = z.strictObject({
  name: z.string(),
  /** Its name as it is shown. */
  tool: z.string(),
});

export type ToolChange = z.infer<typeof toolChangeSchema>;
export type GoneTool = z.infer<typeof goneToolSchema>;
export type ChangedPiece = z.infer<typeof pieceSchema>;

/** Characters of the arguments that are shown. */
export const shownInput = 32 * 1_024;

/** A program's call of a tool that waits until a person has said whether it may be made. */
export const heldCallViewSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** What the program is called; left out where nobody has added it. */
  program: z.optional(z.string().check(z.maxLength(80))),
  integration: z.string().check(z.maxLength(80)),
  integrationId: z.string().check(z.minLength(1), z.maxLength(64)),
  tool: z.string().check(z.maxLength(160)),
  /** The server says that it changes nothing: a hint. */
  readOnly: z.boolean(),
  /** Its arguments as JSON, with whatever cannot be seen written out; empty where it has none. */
  input: z.string(),
  /** There is more of them. */
  isCut: z.boolean(),
  /** Whether it can be allowed for longer than this session. */
  canLast: z.boolean(),
  /** Milliseconds since 1970 at which it is refused. */
  expiresAt: z.number(),
});

const callAnswers = ['once', 'session', 'always', 'no'] as const;

const id = z.string().check(z.minLength(1), z.maxLength(64));
const whom = { id, program: z.optional(programIdSchema) };

/** What a window may say of calls of tools; a part of `ipc-contract.ts`. */
export const permissionCalls = {
  'permission:answer': { input: z.strictObject({ id, answer: z.enum(callAnswers) }), output: z.null() },
  /** Sets what programs may call of one server, or what one of them may; a rule of `null` is taken back. */
  'permission:set': {
    input: z.union([
      z.strictObject({ ...whom, preset: z.enum(toolPresets) }),
      z.strictObject({ ...whom, tool: ruledToolSchema, rule: z.nullable(z.enum(toolRules)) }),
      z.strictObject({ ...whom, offer: z.enum(offers), allowed: z.boolean() }),
      z.strictObject({ id, changedTools: z.nullable(z.enum(changedToolRules)) }),
    ]),
    output: z.null(),
  },
  /** What tools of a server say otherwise than when the person looked at them last. */
  'permission:changes': {
    input: z.strictObject({
      id,
      /** Asks the server for its tools first. Else only what was noticed before is answered. */
      live: z.optional(z.boolean()),
    }),
    output: z.strictObject({
      changed: z.array(toolChangeSchema),
      /** How many more have changed. */
      more: z.number(),
      gone: z.array(goneToolSchema),
    }),
  },
  /** The person has looked at these, and takes them as they were shown. */
  'permission:accept': {
    input: z.strictObject({
      id,
      forms: z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(changeBounds.tools)),
      /** Tools that no longer exist. */
      gone: z.optional(z.array(z.string())),
    }),
    output: z.null(),
  },
} as const;

export type HeldCallView = z.infer<typeof heldCallViewSchema>;
export type HeldCallAnswer = (typeof callAnswers)[number];
