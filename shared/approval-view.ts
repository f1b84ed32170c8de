import * as z from 'zod/mini';
import { toolNameSchema } from './integration.ts';
import { appIdSchema } from './app-record.ts';
import { changedToolRules, capabilities, toolPresets, toolRules } from './tool-permissions.ts';

/** An app's request that the user has not allowed yet. */
export const approvalViewSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** The app's name; empty if it gives none. */
  app: z.string().check(z.maxLength(80)),
  /** The app gives this name itself; Postern does not know it. */
  isSelfReported: z.boolean(),
  /** The program that started it, by its own account. */
  startedBy: z.optional(z.string().check(z.maxLength(80))),
  /** The server's name. */
  integration: z.string().check(z.maxLength(80)),
  integrationId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Whether it can be allowed beyond this session. */
  canLast: z.boolean(),
  /** When it is refused, in milliseconds since 1970. */
  expiresAt: z.number(),
  /** Nobody answered in time: it still waits, and an answer applies when the app asks again. */
  isMissed: z.boolean(),
});

const approvalAnswers = ['once', 'always', 'no'] as const;

/** The window's answers; part of `ipc-contract.ts`. */
export const approvalCalls = {
  'approval:answer': {
    input: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)), answer: z.enum(approvalAnswers) }),
    output: z.null(),
  },
} as const;

export type ApprovalView = z.infer<typeof approvalViewSchema>;
export type ApprovalAnswer = (typeof approvalAnswers)[number];

/** Limits of what is shown: changed tools per server, places per tool, characters per place, pieces per place. */
export const changeBounds = { tools: 200, places: 40, text: 4_000, pieces: 400 } as const;

/** A piece of text: unchanged, removed, or new. */
const pieceSchema = z.strictObject({ kind: z.enum(['same', 'gone', 'new']), text: z.string() });

/** A new tool, or how a tool differs from what the user reviewed. */
const toolChangeSchema = z.strictObject({
  tool: z.string(),
  /** Identifies the version that was seen. */
  form: z.string().check(z.maxLength(64)),
  kind: z.enum(['new', 'changed']),
  /** When it was seen, in milliseconds since 1970. */
  at: z.number(),
  /** Each differing place, by the path of member names. */
  places: z.array(z.strictObject({ where: z.array(z.string()), words: z.array(pieceSchema) })),
  /** More differs than is shown, or than Postern stores of a tool. */
  isCut: z.boolean(),
});

/** A tool that the user has reviewed and that no longer exists. */
const goneToolSchema = z.strictObject({
  name: z.string(),
  /** Its displayed name. */
  tool: z.string(),
});

export type ToolChange = z.infer<typeof toolChangeSchema>;
export type GoneTool = z.infer<typeof goneToolSchema>;
export type ChangedPiece = z.infer<typeof pieceSchema>;

/** Maximum characters of the arguments shown. */
export const shownInput = 32 * 1_024;

/** An app's tool call that waits for the user's decision. */
export const heldCallViewSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** The app's name; absent for an app that nobody added. */
  app: z.optional(z.string().check(z.maxLength(80))),
  integration: z.string().check(z.maxLength(80)),
  integrationId: z.string().check(z.minLength(1), z.maxLength(64)),
  tool: z.string().check(z.maxLength(160)),
  /** The server's read-only hint. */
  readOnly: z.boolean(),
  /** Its arguments as JSON, with invisible characters escaped; empty if there are none. */
  input: z.string(),
  /** The arguments are cut off. */
  isCut: z.boolean(),
  /** Whether it can be allowed beyond this session. */
  canLast: z.boolean(),
  /** When it is refused, in milliseconds since 1970. */
  expiresAt: z.number(),
});

const callAnswers = ['once', 'session', 'always', 'no'] as const;

const id = z.string().check(z.minLength(1), z.maxLength(64));
const target = { id, app: z.optional(appIdSchema) };

/** The window's calls about tool permissions; part of `ipc-contract.ts`. */
export const permissionCalls = {
  'permission:answer': { input: z.strictObject({ id, answer: z.enum(callAnswers) }), output: z.null() },
  /** Sets what apps, or one app, may call on a server; `null` removes a rule. */
  'permission:set': {
    input: z.union([
      z.strictObject({ ...target, preset: z.enum(toolPresets) }),
      z.strictObject({ ...target, tool: toolNameSchema, rule: z.nullable(z.enum(toolRules)) }),
      z.strictObject({ ...target, offer: z.enum(capabilities), allowed: z.boolean() }),
      z.strictObject({ id, changedTools: z.nullable(z.enum(changedToolRules)) }),
    ]),
    output: z.null(),
  },
  /** How a server's tools differ from the user's last review. */
  'permission:changes': {
    input: z.strictObject({
      id,
      /** Lists the server's tools first. Otherwise only known changes are returned. */
      live: z.optional(z.boolean()),
    }),
    output: z.strictObject({
      changed: z.array(toolChangeSchema),
      /** Number of further changed tools. */
      more: z.number(),
      gone: z.array(goneToolSchema),
    }),
  },
  /** The user has reviewed these and accepts them as shown. */
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
