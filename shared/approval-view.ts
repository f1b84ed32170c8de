import * as z from 'zod';

/** What a program wants and a person has not allowed yet. */
export const approvalViewSchema = z.strictObject({
  id: z.string().min(1).max(64),
  /** What the program is called; empty where it says nothing. */
  program: z.string().max(80),
  /** It says so itself, and Postern does not know it. */
  isOwnWord: z.boolean(),
  /** What it says that started it. */
  startedBy: z.string().max(80).optional(),
  /** Its name. */
  integration: z.string().max(80),
  integrationId: z.string().min(1).max(64),
  /** Whether it can be allowed for longer than this session. */
  canLast: z.boolean(),
  /** Milliseconds since 1970 at which it is refused. */
  expiresAt: z.number(),
  /** Nobody answered until then: it waits, and an answer counts when the program asks again. */
  isMissed: z.boolean(),
});

export const approvalAnswers = ['once', 'always', 'no'] as const;

/** What a window may answer; a part of `ipc-contract.ts`. */
export const approvalCalls = {
  'approval:answer': {
    input: z.strictObject({ id: z.string().min(1).max(64), answer: z.enum(approvalAnswers) }),
    output: z.null(),
  },
} as const;

export type ApprovalView = z.infer<typeof approvalViewSchema>;
export type ApprovalAnswer = (typeof approvalAnswers)[number];
