import * as z from 'zod';
import { authenticationMethods } from './authentication-method.ts';
import { plainErrorSchema } from './plain-error.ts';

const error = plainErrorSchema;
const integrationId = z.string();

/**
 * The states of one connection (spec 3, design "state machine") as a window may see them: none holds a token, secret,
 * verifier or callback.
 */
export const flowStateSchema = z
  .discriminatedUnion('name', [
    /** `cancelled`: the person has ended what went on. */
    z.strictObject({ name: z.literal('urlEntered'), cancelled: error.optional() }),
    z.strictObject({ name: z.literal('discovering') }),
    z.strictObject({ name: z.literal('discovered'), method: z.enum(authenticationMethods) }),
    z.strictObject({ name: z.literal('registering') }),
    /** `error`: why a person is asked. */
    z.strictObject({ name: z.literal('awaitingCredentials'), error: error.optional() }),
    /** `expiresAt` in milliseconds since 1970. */
    z.strictObject({ name: z.literal('authorizationPending'), expiresAt: z.number() }),
    z.strictObject({ name: z.literal('exchanging') }),
    z.strictObject({ name: z.literal('ticketIssued'), ticketId: z.string() }),
    z.strictObject({ name: z.literal('integrated'), integrationId }),
    z.strictObject({ name: z.literal('reauthenticationRequired'), integrationId }),
    z.strictObject({ name: z.literal('failed'), error }),
  ])
  .readonly();

/** Whose turn it is; `stopped`: it has failed, and somebody has to look at it. */
export const turns = ['postern', 'person', 'stopped', 'over'] as const;
export type Turn = (typeof turns)[number];

export type FlowStateView = z.infer<typeof flowStateSchema>;
