import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { pipeProtocol } from '../gateway-ports.ts';
import type { Hello } from '../gateway-ports.ts';
import { gatewaySession } from '../limits.ts';
import type { LocalAsk } from '../local-ports.ts';

/**
 * What stands on a line of its own between a pipe and its gateway, to the byte. No message of a program or server is
 * like it: they have `jsonrpc` and a method, a result or an error.
 */
export const pipeWords = {
  /**
   * To the pipe, before all else and whenever it asks: its lines are read. A process that hangs takes connections and
   * reads none.
   */
  here: Buffer.from('{"postern":1,"control":"here"}'),
  /** Of the pipe, whose program waits for something while nothing comes. */
  ask: Buffer.from('{"postern":1,"control":"ask"}'),
  /** To the pipe: requests are not sent any more, until the next connection. */
  rest: Buffer.from('{"postern":1,"control":"rest"}'),
  /** Of the pipe: no request comes after this. */
  resting: Buffer.from('{"postern":1,"control":"resting"}'),
  /** To the pipe: the next line has not left for the server, and is for the next connection. */
  back: Buffer.from('{"postern":1,"control":"back"}'),
} as const;

const short = z.string().max(256);

/** The first line of a pipe. What it says of itself beside names is for showing alone. */
const helloSchema = z.object({
  postern: z.literal(pipeProtocol),
  open: z.object({
    server: short.min(1),
    program: short.optional(),
    pipe: short.optional(),
    pid: z.number().int().optional(),
    parent: short.optional(),
    cwd: z.string().max(4_096).optional(),
    /** It waits for `here`, and asks for it. */
    awaitsHere: z.boolean().optional(),
  }),
});

/** The same of a pipe of another version, which is told to be outdated once it speaks; what else it says is not known. */
const otherHelloSchema = z.object({
  postern: z.number().int(),
  open: z.looseObject({ server: short.min(1).catch('Postern'), awaitsHere: z.boolean().optional().catch(undefined) }),
});

/** Instead: another Postern of the same person asks this one to make room. */
const yieldSchema = z.object({ postern: z.literal(1), control: z.literal('yield'), secret: short });

export interface PipeHello extends Hello {
  /** The pipe waits for `here`, and asks for it. */
  readonly awaitsHere?: boolean | undefined;
}

/** `undefined`: the line is none. */
export function readHello(line: Buffer): PipeHello | undefined {
  if (line.byteLength > gatewaySession.helloSize) return undefined;
  const said = parse(line);
  const hello = helloSchema.safeParse(said).data;
  if (hello) return { ...hello.open, protocol: pipeProtocol };
  const other = otherHelloSchema.safeParse(said).data;
  if (!other || other.postern === pipeProtocol) return undefined;
  const { server, awaitsHere } = other.open;
  return { server, awaitsHere, protocol: other.postern };
}

/** Or a command of the same person asks about a server on this computer. */
const controlSchema = z.object({
  postern: z.literal(1),
  control: z.literal('local'),
  secret: short,
  id: short,
  act: z.enum(['status', 'start', 'stop']),
  /** Bytes of the output that are known already. */
  since: z.number().int().nonnegative().optional(),
});

/** What is asked by whoever shows the secret. */
export function readControl(line: Buffer, secret: string): LocalAsk | undefined {
  const asked = controlSchema.safeParse(parse(line)).data;
  return asked && isSame(asked.secret, secret) ? asked : undefined;
}

/** Whether the line shows the secret of this gateway. */
export function asksToYield(line: Buffer, secret: string): boolean {
  const shown = yieldSchema.safeParse(parse(line)).data?.secret;
  return shown !== undefined && isSame(shown, secret);
}

function isSame(shown: string, secret: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(shown), hash(secret));
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
