import * as z from 'zod';
import { mostProgramIntegrations, programIdSchema } from './program-record.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const path = z.string().min(1).max(4_096);

/** One change of a program's configuration, as it is noted beside the copy of what stood there before. */
export const programChangeSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  /** Milliseconds since 1970. */
  at: z.number().int(),
  program: programIdSchema,
  path,
  /** The folder that a person named, where the file is a project's. */
  project: path.optional(),
  /** Id of the profile of an editor that the file belongs to. */
  editorProfile: z.string().max(64).optional(),
  action: z.enum(['created', 'updated', 'deleted', 'command']),
  /** Names of the entries that came, changed or went. */
  names: z.array(z.string().max(200)).max(mostProgramIntegrations),
  /** Of the addresses of Postern in them. */
  port: z.number().int().min(1).max(65_535).optional(),
  /** What had to be made besides an entry. */
  made: z.enum(['entry', 'list', 'all']),
  /** SHA-256 in hexadecimal of the file before and after; absent where there was, or is, none. */
  before: hash.optional(),
  after: hash.optional(),
  /** The topmost folder that was made for the file. */
  folder: path.optional(),
  undoneAt: z.number().int().optional(),
});

export type ProgramChange = z.infer<typeof programChangeSchema>;
