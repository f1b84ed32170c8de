import * as z from 'zod';

/** What the window names a call by that it waits for. */
export const callId = z.string().min(1).max(64);
const done = z.null();

/** What a window may ask of main about a result; a part of `ipc-contract.ts`. Main keeps the last ones by their calls. */
export const resultCalls = {
  /** Text goes to the clipboard. */
  'result:copy': { input: z.strictObject({ call: callId }), output: done },
  /** To a file that the person chooses. Without `piece`, all that is text in it. */
  'result:save': {
    input: z.strictObject({ call: callId, piece: z.number().int().min(0).max(100_000).optional() }),
    output: z.strictObject({ saved: z.boolean() }),
  },
  /** In the person's browser: a link that stands in the result. */
  'result:open': { input: z.strictObject({ call: callId, url: z.string().max(16_384) }), output: done },
} as const;
