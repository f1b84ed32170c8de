import * as z from 'zod';
import type { CommandName } from '../../main/cli/table/command-table.ts';
import {
  content,
  deleted,
  failure,
  file,
  integration,
  list,
  moment,
  tool,
  unusable,
} from '../../main/cli/answers/answer-parts.ts';
import { eventSchemas, eventsOf } from '../../main/cli/answers/event-schemas.ts';
import {
  allowedProgram,
  call,
  change,
  changes,
  collection,
  localState,
  notedChange,
  permissions,
  program,
  setting,
  toolChange,
} from '../../main/cli/answers/program-parts.ts';

/**
 * What `--json` promises: each field that is named here stays, with its type, as long as `schemaVersion` does. More may
 * come beside them.
 */
export const schemaVersion = 1;

/** The fields of the last line of a command that went well, beside `result`; of a list, one of these. */
const fields: Readonly<Record<CommandName, z.ZodObject | readonly z.ZodObject[]>> = {
  discover: z.looseObject({
    verdict: z.string(),
    status: z.number().optional(),
    url: z.string(),
    method: z.string().optional(),
    issuer: z.string().nullable().optional(),
    resource: z.string().nullable().optional(),
    callbackUrl: z.string().optional(),
    nextStep: z.string().optional(),
  }),
  connect: [
    z.looseObject({
      integration,
      tools: z.array(z.string()),
      warnings: z.array(failure),
      replaced: z.looseObject({ integration }).optional(),
    }),
    /** Of a command that was pasted, and of entries. */
    z.looseObject({ integration, tools: z.number() }),
    z.looseObject({ imports: list, changes: list }),
  ],
  list: z.looseObject({
    integrations: z.array(integration),
    vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
  }),
  show: z.looseObject({ integration }),
  tools: z.looseObject({ tools: z.array(tool), unusable }),
  call: z.looseObject({
    content: content.optional(),
    isError: z.boolean().optional(),
    structuredContent: z.unknown().optional(),
    files: z.array(file).optional(),
    tool: tool.optional(),
    unusable,
  }),
  resources: z.looseObject({ resources: list, templates: list, unusable }),
  read: z.looseObject({
    contents: z.array(z.looseObject({ uri: z.string() })),
    files: z.array(file).optional(),
    unusable,
  }),
  prompts: z.looseObject({ prompts: z.array(z.looseObject({ name: z.string() })), unusable }),
  prompt: z.looseObject({
    messages: z.array(z.looseObject({ role: z.string() })),
    files: z.array(file).optional(),
    unusable,
  }),
  token: z.looseObject({
    accessToken: z.string(),
    tokenType: z.enum(['Bearer', 'DPoP']),
    expiresAt: moment.nullable(),
  }),
  /** Behind what the command itself has printed. */
  exec: z.looseObject({ exitCode: z.number() }),
  with: z.looseObject({}),
  watch: z.looseObject({}),
  refresh: z.looseObject({ integration: integration.optional(), integrations: z.array(integration).optional() }),
  'sign-out': z.looseObject({ integration, revocation: z.string() }),
  remove: z.looseObject({ integration: integration.optional(), removed: deleted.optional() }),
  rename: [
    z.looseObject({ integration, earlierName: z.string() }),
    z.looseObject({ collection: z.looseObject({ name: z.string(), title: z.string() }), earlierName: z.string() }),
  ],
  switch: z.looseObject({ integration }),
  export: z.looseObject({ list: z.looseObject({}) }),
  'local add': z.looseObject({ integration, tools: z.number() }),
  'local start': z.looseObject({ state: localState }),
  'local stop': z.looseObject({ state: localState }),
  /** Both are left out with --follow, which tells the event `output` instead. */
  'local logs': z.looseObject({ state: localState.optional(), output: z.string().optional() }),
  serve: z.looseObject({}),
  headers: z.looseObject({ Authorization: z.string() }),
  collection: [
    z.looseObject({ collections: z.array(collection) }),
    z.looseObject({
      collection,
      added: z.array(z.string()).optional(),
      gone: z.array(z.string()).optional(),
    }),
    z.looseObject({ removed: z.looseObject({ name: z.string(), title: z.string() }) }),
  ],
  programs: [
    z.looseObject({ programs: z.array(program) }),
    z.looseObject({ programsPaused: z.boolean(), pausedPrograms: z.array(z.string()) }),
  ],
  use: changes,
  unuse: [changes, z.looseObject({ revoked: z.array(allowedProgram) })],
  undo: [z.looseObject({ changes: z.array(notedChange) }), changes],
  import: z.looseObject({
    imports: list.optional(),
    changes: list.optional(),
    added: z.array(z.string()).optional(),
    /** Names of those that came with the list. */
    collections: z.array(z.string()).optional(),
    skipped: z.number().optional(),
    refused: z.number().optional(),
    /** Of `refused`; `index` counts from 0. */
    unread: z
      .array(
        z.looseObject({
          list: z.string(),
          index: z.number(),
          name: z.string().optional(),
          member: z.string().optional(),
        }),
      )
      .optional(),
    leftOut: z.number().optional(),
  }),
  /** Left out with --follow, which tells the event `call` instead. */
  activity: z.looseObject({ calls: z.array(call).optional() }),
  permit: [
    z.looseObject({
      integration: z.looseObject({ id: z.string(), name: z.string() }),
      permissions,
    }),
    z.looseObject({
      integration: z.looseObject({ id: z.string(), name: z.string() }),
      changed: z.array(toolChange),
      gone: z.array(z.string()),
      more: z.number(),
      accepted: z.boolean(),
    }),
  ],
  settings: [
    z.looseObject({ settings: z.array(setting), file: z.string() }),
    z.looseObject({ setting, changes: z.array(change).optional() }),
    z.looseObject({
      restored: z.looseObject({ servers: z.number(), writtenAt: z.string(), keptAs: z.string().nullable() }).nullable(),
    }),
  ],
  proxy: z.looseObject({}),
  completion: [z.looseObject({ script: z.string() }), z.looseObject({ words: z.array(z.string()) })],
  doctor: z.looseObject({
    callbackUrl: z.string().nullable(),
    healthy: z.boolean(),
    vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
    checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), message: z.string() })),
  }),
};

/** Every line that a command writes with `--json`. */
export function answerSchema(command: CommandName): z.ZodType {
  const events = eventsOf(command).map(([name, shape]) => shape.extend({ event: z.literal(name) }));
  return z.union([
    ...[fields[command]].flat().map((shape) => shape.extend({ result: z.literal('ok') })),
    z.looseObject({ result: z.literal('ok'), help: z.string() }),
    z.looseObject({ result: z.literal('ok'), version: z.string() }),
    z.looseObject({ result: z.literal('error'), error: failure }),
    ...events,
    z.looseObject({ event: z.string().refine((name) => !Object.hasOwn(eventSchemas, name)) }),
  ]);
}
