import * as z from 'zod/mini';
import { blames } from '../../../shared/error-facts.ts';

/** Milliseconds since 1970. */
export const moment = z.number();
export const list = z.array(z.looseObject({}));

/** A server of the list, as every command tells it. */
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
  /** The state in the words of `postern list`. */
  status: z.string(),
  account: z.nullable(z.string()),
  retryAt: z.optional(moment),
  header: z.optional(z.string()),
});

/** What went wrong. */
export const failure = z.looseObject({
  code: z.string(),
  stage: z.string(),
  /** Whose mistake it is. */
  blame: z.enum(blames),
  message: z.string(),
  retryable: z.boolean(),
  nextStep: z.string(),
  cause: z.optional(z.string()),
  /** What the server said in a JSON-RPC error: its words, cleaned and cut. */
  serverWords: z.optional(z.looseObject({ code: z.optional(z.number()), message: z.string() })),
  retryAt: z.optional(moment),
  fault: z.optional(z.string()),
  oauthError: z.optional(z.string()),
  missingScopes: z.optional(z.array(z.string())),
  scopeAnswer: z.optional(z.enum(['refused', 'granted'])),
  callbackUrl: z.optional(z.string()),
  /** The servers that one reference means. */
  candidates: z.optional(z.array(z.looseObject({ id: z.string(), name: z.string() }))),
  /** Lines to put into a file by hand. */
  paste: z.optional(z.looseObject({ path: z.string(), lines: z.string() })),
});

export const file = z.looseObject({ path: z.string(), size: z.optional(z.number()), mimeType: z.optional(z.string()) });
export const content = z.array(z.looseObject({ type: z.string() }));
/** What of the answer is not as MCP wants it: `index` from 0; `isKept` where the rest of the entry is there. */
export const unusable = z.optional(
  z.array(
    z.looseObject({
      list: z.string(),
      index: z.optional(z.number()),
      name: z.optional(z.string()),
      member: z.optional(z.string()),
      isKept: z.optional(z.literal(true)),
    }),
  ),
);
export const tool = z.looseObject({ name: z.string(), inputSchema: z.looseObject({}) });

/** What `remove --all` has deleted; of the services, how often each answer came. */
export const deleted = z.looseObject({
  integrations: z.number(),
  signIns: z.number(),
  keychainEntries: z.number(),
  revocations: z.record(z.string(), z.number()),
  registrations: z.record(z.string(), z.number()),
});

const notice = z.enum(['at-once', 'button', 'new-session', 'restart']);
const secret = z.enum(['none', 'helper', 'header']);

/** A change of a program's configuration: planned, or made, which gives it an id where something was written. */
export const change = z.looseObject({
  id: z.optional(z.string()),
  program: z.string(),
  /** Empty where Postern knows no file of the program. */
  path: z.string(),
  action: z.enum(['created', 'updated', 'deleted', 'command', 'paste']),
  /** The code of why the lines have to be put there by hand. */
  because: z.optional(z.string()),
  backup: z.optional(z.string()),
  before: z.string(),
  after: z.string(),
  commands: z.optional(z.array(z.array(z.string()))),
  secret,
  /** What becomes of the right to use the server. */
  right: z.optional(z.enum(['given', 'ended'])),
  /** It uses the server once the user has pasted the lines. */
  waits: z.optional(z.literal(true)),
  restores: z.optional(z.literal(true)),
  /** Rules for tools of a server: those of an entry that is taken over, else those that go with an undo. */
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
  /** The settings by which the program leaves entries out. */
  keptOut: z.optional(z.string()),
  takesMark: z.optional(z.literal(true)),
  readByOthers: z.optional(z.literal(true)),
  notice,
  note: z.optional(z.string()),
  endsSecret: z.optional(z.literal(true)),
});

/** What `use`, `unuse` and `undo` end with, also where some of it failed. */
export const changes = z.looseObject({
  changes: z.array(change),
  failures: z.optional(z.array(z.looseObject({ program: z.string(), path: z.string(), error: failure }))),
});

/** A change that was made before, as `undo` lists it. */
export const notedChange = z.looseObject({
  id: z.string(),
  at: moment,
  program: z.string(),
  path: z.string(),
  action: z.enum(['created', 'updated', 'deleted', 'command']),
  names: z.array(z.string()),
  undoneAt: z.nullable(moment),
});

/** A deletion that can still be taken back. */
export const undoable = z.looseObject({
  id: z.string(),
  kind: z.enum(['sign-out', 'remove', 'remove-collection']),
  at: moment,
  /** `null`: only entries of programs are still to come back. */
  until: z.nullable(moment),
  /** Servers by their ids, a collection by `+` and its name. */
  removed: z.array(z.looseObject({ id: z.string(), name: z.string() })),
});

const fileState = z.enum(['absent', 'unread', 'readable', 'denied', 'damaged']);

/** An entry of a program's list, without any value of a header or variable. */
const entry = z.looseObject({
  name: z.string(),
  kind: z.enum(['remote', 'local', 'postern']),
  url: z.optional(z.string()),
  command: z.optional(z.string()),
  headers: z.array(z.string()),
  env: z.array(z.string()),
  /** Id of what an entry of Postern leads to, or `+` with the name of a collection. */
  integration: z.optional(z.string()),
  hasOldPort: z.optional(z.literal(true)),
  switchedOff: z.optional(z.literal(true)),
  /** The setting by which the program leaves it out. */
  keptOut: z.optional(z.string()),
  otherProfile: z.optional(z.string()),
});

export const program = z.looseObject({
  id: z.string(),
  name: z.string(),
  found: z.boolean(),
  files: z.array(z.looseObject({ path: z.string(), scope: z.string(), state: fileState })),
  /** Empty where nobody asked for this one program. */
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
  /** Ids of the servers that it may use, and `+` with the names of collections. */
  uses: z.array(z.string()),
  /** Ids of what it may use once the user has pasted the lines. */
  waiting: z.optional(z.array(z.string())),
  lastUsedAt: z.nullable(moment),
  /** By the person: whatever it asks is refused. */
  paused: z.boolean(),
});

/** Servers that programs use by one entry. */
export const collection = z.looseObject({
  name: z.string(),
  title: z.string(),
  members: z.array(z.looseObject({ id: z.string(), name: z.string(), alias: z.nullable(z.string()) })),
  /** Ids of the programs that may use it. */
  programs: z.array(z.string()),
});

/** A program as its right to use Postern names it. */
export const allowedProgram = z.looseObject({ id: z.string(), program: z.string(), name: z.string() });

/** Rules for tools, of one level. */
const permissionLevel = {
  without: z.optional(z.array(z.enum(['resources', 'prompts']))),
  preset: z.optional(z.enum(['everything', 'ask-changes', 'read-only', 'only-allowed'])),
  rules: z.optional(z.array(z.looseObject({ tool: z.string(), rule: z.enum(['allow', 'ask', 'deny']) }))),
};

export const permissions = z.looseObject({
  ...permissionLevel,
  programs: z.optional(z.array(z.looseObject({ program: z.string(), ...permissionLevel }))),
  changedTools: z.optional(z.enum(['show', 'hold'])),
});

/** What one tool says otherwise than before. */
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

/** A call of a program: never an argument or a result. */
export const call = z.looseObject({
  at: moment,
  /** `null` where nobody has added it. */
  program: z.nullable(z.string()),
  /** `null` where the program asked for what is not there. */
  integration: z.nullable(z.string()),
  server: z.string(),
  method: z.string(),
  tool: z.optional(z.string()),
  outcome: z.string(),
  /** Milliseconds until the answer had come. */
  ms: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  era: z.string(),
});

/** What a server on this computer is started with; never a value of a variable. */
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
  /** `null`: nothing is set, and the default holds. */
  value: z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())])),
  default: z.string(),
  values: z.string(),
  meaning: z.string(),
});
