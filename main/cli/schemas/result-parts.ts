import * as z from 'zod/mini';
import { blames } from '../../../shared/error-traits.ts';

/** Milliseconds since 1970. */
export const moment = z.number();
export const list = z.array(z.looseObject({}));

/** A server, as in every command's result. */
export const integration = z.looseObject({
  id: z.string(),
  name: z.string(),
  alias: z.nullable(z.string()),
  url: z.string(),
  method: z.string(),
  issuer: z.nullable(z.string()),
  scope: z.nullable(z.string()),
  expiresAt: z.nullable(moment),
  state: z.string(),
  /** The status text of `postern list`. */
  status: z.string(),
  account: z.nullable(z.string()),
  retryAt: z.optional(moment),
  header: z.optional(z.string()),
});

/** An error. */
export const failure = z.looseObject({
  code: z.string(),
  stage: z.string(),
  /** Who caused it. */
  blame: z.enum(blames),
  message: z.string(),
  retryable: z.boolean(),
  nextStep: z.string(),
  cause: z.optional(z.string()),
  /** The server's JSON-RPC error, escaped and cut. */
  serverWords: z.optional(z.looseObject({ code: z.optional(z.number()), message: z.string() })),
  retryAt: z.optional(moment),
  fault: z.optional(z.string()),
  oauthError: z.optional(z.string()),
  missingScopes: z.optional(z.array(z.string())),
  scopeAnswer: z.optional(z.enum(['refused', 'granted'])),
  callbackUrl: z.optional(z.string()),
  /** The servers that an ambiguous reference matches. */
  candidates: z.optional(z.array(z.looseObject({ id: z.string(), name: z.string() }))),
  /** Lines for the user to paste into a file. */
  paste: z.optional(z.looseObject({ path: z.string(), lines: z.string() })),
});

export const file = z.looseObject({ path: z.string(), size: z.optional(z.number()), mimeType: z.optional(z.string()) });
export const content = z.array(z.looseObject({ type: z.string() }));
/** Parts of the response that violate MCP. `index` is zero-based. `isPartlyUsed`: the rest of the entry is used. */
export const unusable = z.optional(
  z.array(
    z.looseObject({
      list: z.string(),
      index: z.optional(z.number()),
      name: z.optional(z.string()),
      member: z.optional(z.string()),
      isPartlyUsed: z.optional(z.literal(true)),
    }),
  ),
);
export const tool = z.looseObject({ name: z.string(), inputSchema: z.looseObject({}) });

/** What `remove --all` deleted, with the number of services per outcome. */
export const deleted = z.looseObject({
  integrations: z.number(),
  signIns: z.number(),
  keychainEntries: z.number(),
  revocations: z.record(z.string(), z.number()),
  registrations: z.record(z.string(), z.number()),
});

const notice = z.enum(['at-once', 'button', 'new-session', 'restart']);
const secret = z.enum(['none', 'helper', 'header']);

/** A planned or made change of an app's configuration. `id` is present once something was written. */
export const change = z.looseObject({
  id: z.optional(z.string()),
  app: z.string(),
  /** Empty if Postern knows no file of the app. */
  path: z.string(),
  action: z.enum(['created', 'updated', 'deleted', 'command', 'paste']),
  /** Error code: why the user has to paste the lines. */
  because: z.optional(z.string()),
  backup: z.optional(z.string()),
  before: z.string(),
  after: z.string(),
  commands: z.optional(z.array(z.array(z.string()))),
  secret,
  /** Change of the app's permission to use the server. */
  right: z.optional(z.enum(['given', 'ended'])),
  /** Waits for the user to paste the lines. */
  waits: z.optional(z.literal(true)),
  restores: z.optional(z.literal(true)),
  /** Tool rules of an entry that is taken over, or those removed by an undo. */
  rules: z.optional(
    z.array(
      z.looseObject({
        integration: z.string(),
        entry: z.optional(z.string()),
        allowed: z.optional(z.array(z.string())),
        denied: z.optional(z.array(z.string())),
      }),
    ),
  ),
  /** App settings that make the app ignore entries. */
  excludedBy: z.optional(z.string()),
  removesBom: z.optional(z.literal(true)),
  readByOthers: z.optional(z.literal(true)),
  notice,
  note: z.optional(z.string()),
  replacesSecret: z.optional(z.literal(true)),
});

/** Result of `use`, `unuse` and `undo`, also after a partial failure. */
export const changes = z.looseObject({
  changes: z.array(change),
  failures: z.optional(z.array(z.looseObject({ app: z.string(), path: z.string(), error: failure }))),
});

/** An earlier change, as listed by `undo`. */
export const recordedChange = z.looseObject({
  id: z.string(),
  at: moment,
  app: z.string(),
  path: z.string(),
  action: z.enum(['created', 'updated', 'deleted', 'command']),
  names: z.array(z.string()),
  undoneAt: z.nullable(moment),
});

/** A deletion that can still be undone. */
export const undoable = z.looseObject({
  id: z.string(),
  kind: z.enum(['sign-out', 'remove', 'remove-collection']),
  at: moment,
  /** `null`: only app entries still need to be restored. */
  until: z.nullable(moment),
  /** Servers by ID, collections by `+` and name. */
  removed: z.array(z.looseObject({ id: z.string(), name: z.string() })),
});

const fileState = z.enum(['absent', 'present', 'readable', 'denied', 'damaged']);

/** An entry in an app's configuration, without header and variable values. */
const entry = z.looseObject({
  name: z.string(),
  kind: z.enum(['remote', 'local', 'postern']),
  url: z.optional(z.string()),
  command: z.optional(z.string()),
  headers: z.array(z.string()),
  env: z.array(z.string()),
  /** For Postern entries: ID of the server, or `+` and the name of a collection. */
  integration: z.optional(z.string()),
  hasOldPort: z.optional(z.literal(true)),
  switchedOff: z.optional(z.literal(true)),
  /** App setting that makes the app ignore it. */
  excludedBy: z.optional(z.string()),
  otherProfile: z.optional(z.string()),
});

export const app = z.looseObject({
  id: z.string(),
  name: z.string(),
  found: z.boolean(),
  files: z.array(z.looseObject({ path: z.string(), scope: z.string(), state: fileState })),
  /** Empty unless this app was requested by name. */
  entries: z.array(entry),
  profiles: z.optional(
    z.array(
      z.looseObject({
        name: z.string(),
        id: z.string(),
        path: z.string(),
        state: fileState,
        entries: z.array(entry),
      }),
    ),
  ),
  way: z.enum(['file', 'command', 'paste']),
  secret,
  notice,
  /** IDs of the servers it uses, and `+` with names of collections: its file has their entry, or calls have come. */
  uses: z.array(z.string()),
  /** IDs of servers that it may use, but whose entry is not in its file. */
  waiting: z.optional(z.array(z.string())),
  lastUsedAt: z.nullable(moment),
  /** Paused by the user: its requests are refused. */
  paused: z.boolean(),
});

/** Servers that apps use through one entry. */
export const collection = z.looseObject({
  name: z.string(),
  title: z.string(),
  members: z.array(z.looseObject({ id: z.string(), name: z.string(), alias: z.nullable(z.string()) })),
  /** IDs of the apps that may use it. */
  apps: z.array(z.string()),
});

/** An app's permission record. */
export const allowedApp = z.looseObject({ id: z.string(), app: z.string(), name: z.string() });

/** Tool rules of one level: all apps, or one app. */
const permissionLevel = {
  without: z.optional(z.array(z.enum(['resources', 'prompts']))),
  preset: z.optional(z.enum(['everything', 'ask-changes', 'read-only', 'only-allowed'])),
  rules: z.optional(z.array(z.looseObject({ tool: z.string(), rule: z.enum(['allow', 'ask', 'deny']) }))),
};

export const permissions = z.looseObject({
  ...permissionLevel,
  apps: z.optional(z.array(z.looseObject({ app: z.string(), ...permissionLevel }))),
  changedTools: z.optional(z.enum(['show', 'hold'])),
});

/** Changes in one tool's description. */
export const toolChange = z.looseObject({
  tool: z.string(),
  form: z.string(),
  kind: z.enum(['new', 'changed']),
  /** Milliseconds since 1970. */
  at: z.number(),
  places: z.array(
    z.looseObject({
      where: z.array(z.string()),
      words: z.array(z.looseObject({ kind: z.enum(['same', 'gone', 'new']), text: z.string() })),
    }),
  ),
  isCut: z.boolean(),
});

/** A recorded call, without arguments and result. */
export const call = z.looseObject({
  at: moment,
  /** `null` if the user has not added the app. */
  app: z.nullable(z.string()),
  /** `null` if the server does not exist. */
  integration: z.nullable(z.string()),
  server: z.string(),
  method: z.string(),
  tool: z.optional(z.string()),
  outcome: z.string(),
  /** Milliseconds until the response was complete. */
  ms: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  protocol: z.string(),
});

/** How a local server is started, without variable values. */
export const localCommand = z.looseObject({
  command: z.string(),
  path: z.string(),
  arguments: z.array(z.string()),
  folder: z.optional(z.string()),
  variables: z.array(z.string()),
  from: z.optional(z.string()),
});

export const localState = z.enum(['off', 'starting', 'running', 'waiting', 'failed', 'stopped']);

export const setting = z.looseObject({
  name: z.string(),
  /** `null`: not set, the default applies. */
  value: z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())])),
  default: z.string(),
  values: z.string(),
  meaning: z.string(),
});
