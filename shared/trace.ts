import * as z from 'zod';
import { networkFaults } from './error-catalogue/network-errors.ts';
import { errorCodes } from './error-codes.ts';
import { remedySchema } from './remedy.ts';

/** What a request was for. `authorization` is the one that the browser makes. */
export const tracePurposes = [
  'probe',
  'protected-resource-metadata',
  'authorization-server-metadata',
  'registration',
  'pushed-request',
  'device-authorization',
  'authorization',
  'token',
  'refresh',
  'revocation',
  'registration-update',
  'registration-deletion',
  'registry',
  'icon',
  'mcp',
] as const;

/** `used`: its rule took the answer. `passed-over`: the next rule had its turn. `stopped`: the work ended here. */
export const traceVerdicts = ['used', 'passed-over', 'stopped'] as const;

export type TracePurpose = (typeof tracePurposes)[number];
export type TraceVerdict = (typeof traceVerdicts)[number];

const fields = z.array(z.strictObject({ name: z.string().max(200), value: z.string().max(400) })).max(100);
const message = z.strictObject({ headers: fields, body: fields });

/** One request of a discovery or sign-in as it may be shown to anybody: secrets and unknown values are taken out. */
export const traceEntrySchema = z.strictObject({
  /** From 1, in the order in which the requests left. */
  number: z.number().int().positive(),
  purpose: z.enum(tracePurposes),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  url: z.string(),
  /** Milliseconds after the start of the trace. */
  startedAt: z.number().nonnegative(),
  /** Until the answer, or until there was none. Absent while nothing has come. */
  milliseconds: z.number().nonnegative().optional(),
  request: message,
  status: z.number().int().optional(),
  response: message.optional(),
  /** The facts of the certificate that was refused. */
  certificate: fields.optional(),
  /** The rule that judged the answer, and where it is written. */
  rule: z.string(),
  clause: z.string(),
  verdict: z.enum(traceVerdicts),
  /** Members of the document, and entries of their lists, that could not be used. */
  passedOver: z.array(z.string().max(100)).max(100).optional(),
  /** Why it was passed over, or what stopped the work. */
  code: z.enum(errorCodes).optional(),
  /** Passed over since another answer made it needless. */
  isNeedless: z.literal(true).optional(),
  fault: z.enum(networkFaults).optional(),
  /** What a person can do, where the work stopped. */
  remedy: remedySchema.optional(),
});

export type TraceEntry = z.infer<typeof traceEntrySchema>;
export type TraceField = TraceEntry['request']['headers'][number];
