import * as z from 'zod';

/** Tools of one server that are shown as changed, places of one of them, characters of one place, pieces of it. */
export const changeBounds = { tools: 200, places: 40, text: 4_000, pieces: 400 } as const;

/** A piece of text: as before, no longer there, or new. */
const pieceSchema = z.strictObject({ kind: z.enum(['same', 'gone', 'new']), text: z.string() });

/** What a tool says otherwise than a person has read it, or one that is new. */
export const toolChangeSchema = z.strictObject({
  tool: z.string(),
  /** Tells what has been seen from what comes later. */
  form: z.string().max(64),
  kind: z.enum(['new', 'changed']),
  /** Milliseconds since 1970 at which it was seen. */
  at: z.number(),
  /** Each place that differs: names of members, from the outside in. */
  places: z.array(z.strictObject({ where: z.array(z.string()), words: z.array(pieceSchema) })),
  /** More differs than is shown, or than Postern keeps of a tool. */
  isCut: z.boolean(),
});

export type ToolChange = z.infer<typeof toolChangeSchema>;
export type ChangedPiece = z.infer<typeof pieceSchema>;
