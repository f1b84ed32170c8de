import * as z from 'zod';

/** The server with an address that does what a command would, with no program on this computer. */
export const remoteOfSchema = z.strictObject({
  /** Of the service, or its host. */
  name: z.string(),
  address: z.string(),
  /** The command does nothing but lead there. */
  isBridged: z.boolean(),
});

export type RemoteOf = z.infer<typeof remoteOfSchema>;
