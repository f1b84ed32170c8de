import * as z from 'zod';
import type { CommandName } from '../../main/cli/options/command-specs.ts';

/**
 * What `--json` promises: each field that is named here stays, with its type, as long as `schemaVersion` does. More may
 * come beside them.
 */
export const schemaVersion = 1;

/** Milliseconds since 1970. */
const moment = z.number();
const list = z.array(z.looseObject({}));

/** A server of the list, as every command tells it. */
const integration = z.looseObject({
  id: z.string(),
  name: z.string(),
  alias: z.string().nullable(),
  url: z.string(),
  method: z.string(),
  issuer: z.string().nullable(),
  scope: z.string().nullable(),
  expiresAt: moment.nullable(),
  state: z.string(),
  /** The state in the words of `postern list`. */
  status: z.string(),
  account: z.string().nullable(),
  retryAt: moment.optional(),
  header: z.string().optional(),
});

/** What went wrong. */
const failure = z.looseObject({
  code: z.string(),
  stage: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  nextStep: z.string(),
  cause: z.string().optional(),
  retryAt: moment.optional(),
  fault: z.string().optional(),
  oauthError: z.string().optional(),
  missingScopes: z.array(z.string()).optional(),
  scopeAnswer: z.enum(['refused', 'granted']).optional(),
  callbackUrl: z.string().optional(),
});

const file = z.looseObject({ path: z.string(), size: z.number().optional(), mimeType: z.string().optional() });
const content = z.array(z.looseObject({ type: z.string() }));
const tool = z.looseObject({ name: z.string(), inputSchema: z.looseObject({}) });

/** The fields of the last line of a command that went well, beside `result`. */
const fields: Readonly<Record<CommandName, z.ZodObject>> = {
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
  connect: z.looseObject({
    integration,
    tools: z.array(z.string()),
    warnings: z.array(failure),
    replaced: z.looseObject({ integration }).optional(),
  }),
  list: z.looseObject({
    integrations: z.array(integration),
    vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
  }),
  show: z.looseObject({ integration }),
  tools: z.looseObject({ tools: z.array(tool) }),
  call: z.looseObject({
    content: content.optional(),
    isError: z.boolean().optional(),
    structuredContent: z.unknown().optional(),
    files: z.array(file).optional(),
    tool: tool.optional(),
  }),
  resources: z.looseObject({ resources: list, templates: list }),
  read: z.looseObject({ contents: z.array(z.looseObject({ uri: z.string() })), files: z.array(file).optional() }),
  prompts: z.looseObject({ prompts: z.array(z.looseObject({ name: z.string() })) }),
  prompt: z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })), files: z.array(file).optional() }),
  token: z.looseObject({
    accessToken: z.string(),
    tokenType: z.enum(['Bearer', 'DPoP']),
    expiresAt: moment.nullable(),
  }),
  exec: z.looseObject({}),
  with: z.looseObject({}),
  watch: z.looseObject({}),
  refresh: z.looseObject({ integration: integration.optional(), integrations: z.array(integration).optional() }),
  'sign-out': z.looseObject({ integration, revocation: z.string() }),
  remove: z.looseObject({ integration: integration.optional(), removed: z.looseObject({}).optional() }),
  rename: z.looseObject({ integration, earlierName: z.string() }),
  switch: z.looseObject({ integration }),
  export: z.looseObject({ list: z.looseObject({}) }),
  local: z.looseObject({}),
  start: z.looseObject({}),
  stop: z.looseObject({}),
  logs: z.looseObject({}),
  serve: z.looseObject({}),
  headers: z.looseObject({}),
  programs: z.looseObject({}),
  use: z.looseObject({}),
  unuse: z.looseObject({}),
  undo: z.looseObject({}),
  import: z.looseObject({
    imports: list.optional(),
    changes: list.optional(),
    added: z.array(z.string()).optional(),
    skipped: z.number().optional(),
    refused: z.number().optional(),
    leftOut: z.number().optional(),
  }),
  activity: z.looseObject({}),
  permit: z.looseObject({
    integration: z.looseObject({ id: z.string(), name: z.string() }),
    permissions: z.looseObject({
      preset: z.enum(['ask-changes', 'read-only']).optional(),
      rules: z.array(z.looseObject({ tool: z.string(), rule: z.enum(['allow', 'ask', 'deny']) })).optional(),
      programs: z.array(z.looseObject({ program: z.string() })).optional(),
    }),
  }),
  revoke: z.looseObject({}),
  settings: z.looseObject({}),
  proxy: z.looseObject({}),
  completion: z.looseObject({}),
  doctor: z.looseObject({
    callbackUrl: z.string().nullable(),
    healthy: z.boolean(),
    vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
    checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), message: z.string() })),
  }),
};

/** Lines that come before the last one, by their `event`; there may be others. */
export const eventSchemas: Readonly<Record<string, z.ZodObject>> = {
  authorization: z.looseObject({ url: z.string(), callbackUrl: z.string(), expiresAt: moment }),
  'device-code': z.looseObject({ page: z.string(), userCode: z.string(), expiresAt: moment }),
  hosts: z.looseObject({ server: z.string(), hosts: z.array(z.string()) }),
  log: z.looseObject({ level: z.string(), text: z.string() }),
  method: z.looseObject({ method: z.string(), issuer: z.string().optional() }),
  notice: z.looseObject({ code: z.string() }),
  progress: z.looseObject({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }),
  renewal: z.looseObject({
    id: z.string(),
    name: z.string(),
    nextRefreshAt: moment.optional(),
    error: failure.optional(),
  }),
  request: z.looseObject({ number: z.number(), purpose: z.string(), method: z.string(), url: z.string() }),
  serving: z.looseObject({ socket: z.string(), http: z.string().optional() }),
  session: z.looseObject({ state: z.string() }),
  state: z.looseObject({ state: z.string() }),
  step: z.looseObject({ step: z.string(), outcome: z.string() }),
  watching: z.looseObject({ servers: z.number() }),
};

/** Every line that a command writes with `--json`. */
export function answerSchema(command: CommandName): z.ZodType {
  const events = Object.entries(eventSchemas).map(([name, shape]) => shape.extend({ event: z.literal(name) }));
  return z.union([
    fields[command].extend({ result: z.literal('ok') }),
    z.looseObject({ result: z.literal('ok'), help: z.string() }),
    z.looseObject({ result: z.literal('ok'), version: z.string() }),
    z.looseObject({ result: z.literal('error'), error: failure }),
    ...events,
    z.looseObject({ event: z.string().refine((name) => !Object.hasOwn(eventSchemas, name)) }),
  ]);
}
