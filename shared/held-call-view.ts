import * as z from 'zod';
import { ruledToolSchema } from './permission-schemas.ts';
import { changeBounds, toolChangeSchema } from './tool-change.ts';
import { changedToolRules, offers, toolPresets, toolRules } from './tool-permissions.ts';
import { programIdSchema } from './program-record.ts';

/** Characters of the arguments that are shown. */
export const shownInput = 32 * 1_024;

/** A program's call of a tool that waits until a person has said whether it may be made. */
export const heldCallViewSchema = z.strictObject({
  id: z.string().min(1).max(64),
  /** What the program is called; left out where nobody has added it. */
  program: z.string().max(80).optional(),
  integration: z.string().max(80),
  integrationId: z.string().min(1).max(64),
  tool: z.string().max(160),
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

export const callAnswers = ['once', 'session', 'always', 'no'] as const;

const id = z.string().min(1).max(64);
const whom = { id, program: programIdSchema.optional() };

/** What a window may say of calls of tools; a part of `ipc-contract.ts`. */
export const permissionCalls = {
  'permission:answer': { input: z.strictObject({ id, answer: z.enum(callAnswers) }), output: z.null() },
  /** Sets what programs may call of one server, or what one of them may; a rule of `null` is taken back. */
  'permission:set': {
    input: z.union([
      z.strictObject({ ...whom, preset: z.enum(toolPresets) }),
      z.strictObject({ ...whom, tool: ruledToolSchema, rule: z.enum(toolRules).nullable() }),
      z.strictObject({ ...whom, offer: z.enum(offers), allowed: z.boolean() }),
      z.strictObject({ id, changedTools: z.enum(changedToolRules).nullable() }),
    ]),
    output: z.null(),
  },
  /** What tools of a server say otherwise than when the person looked at them last. */
  'permission:changes': {
    input: z.strictObject({ id }),
    output: z.strictObject({ changed: z.array(toolChangeSchema), more: z.number() }),
  },
  /** The person has looked at these, and takes them as they were shown. */
  'permission:accept': {
    input: z.strictObject({ id, forms: z.array(z.string().min(1).max(64)).max(changeBounds.tools) }),
    output: z.null(),
  },
} as const;

export type HeldCallView = z.infer<typeof heldCallViewSchema>;
export type HeldCallAnswer = (typeof callAnswers)[number];
