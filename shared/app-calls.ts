import * as z from 'zod';

const id = z.string().min(1).max(64);
const done = z.null();

/** What leads out of the window: to a folder, the clipboard, a browser. A part of `ipc-contract.ts`. */
export const appCalls = {
  'app:openLogs': { input: z.strictObject({}), output: done },
  /**
   * Main writes to the clipboard. `id`: of the connection, for `serverAddress` of the integration, for `report` of either.
   */
  'app:copy': {
    input: z.strictObject({
      kind: z.enum([
        'callbackUrl',
        'scopes',
        'authorizationLink',
        'deviceCode',
        'deviceLink',
        'serverAddress',
        'report',
      ]),
      id: id.optional(),
      /** Of a report: which of the sign-ins that are kept; left out: the last one. */
      signInAt: z.number().int().optional(),
    }),
    output: done,
  },
  /** A page of a service of the catalogue, in the person's browser: no other page can be named. */
  'app:openPage': {
    input: z.strictObject({ service: z.string().max(80), page: z.enum(['home', 'app', 'key']) }),
    output: done,
  },
} as const;
