import * as z from 'zod/mini';
import type { Advice } from './words/en/advice-words.ts';

/**
 * Steps that are said in the same words everywhere: a sentence of ours without a command, a flag or a button.
 */
export const adviceKinds = [
  // what was typed
  'correct-address',
  'check-address',
  'correct-key',
  'correct-client-key',
  'renew-assertion',
  // what is in between
  'check-connection',
  'check-proxy',
  'check-clock',
  'free-port',
  // patience, and other people
  'wait',
  'try-again',
  'go-on',
  'tell-owner',
  'report',
  // what is kept on this computer
  'unlock-keychain',
  'replace-sign-in',
  'mend-files',
] as const;

const text = z.string();
const callbackUrl = z.optional(text);

/** `advice`: the id of its sentence (`error-catalogue/advice-words.ts`); `values` fill the gaps of it. */
const advice = z.strictObject({
  kind: z.enum(adviceKinds),
  advice: text as z.ZodMiniType as z.ZodMiniType<Advice, Advice>,
  values: z.optional(z.readonly(z.record(text, z.union([text, z.number()])))),
});

/** What helps where no connection comes about. */
const networkRemedySchema = z.discriminatedUnion('kind', [
  advice,
  z.strictObject({ kind: z.literal('trust-certificate'), whose: z.enum(['company', 'own']) }),
  z.strictObject({ kind: z.literal('check-certificate'), problem: z.enum(['name', 'refused']) }),
]);

/** Lines that a person puts into a program's file, where Postern could not. */
const pasteLinesSchema = z.strictObject({
  kind: z.literal('paste-lines'),
  advice: text,
  /** What comes before it, which is another way out. */
  first: z.enum(['replace-file', 'try-again', 'fix-file']),
  /** They go between the braces that hold the servers. */
  isInline: z.boolean(),
  path: text,
  lines: text,
  /** A secret of the program stands in them. */
  secret: z.boolean(),
  /** For `program:copyLines`, in the window. */
  token: z.optional(text),
});

/** What helps first, before anything else is done. */
const first = z.optional(networkRemedySchema);
/** Milliseconds since 1970 before which it is of no use. */
const until = z.optional(z.number());

/**
 * What a person can do about an error, as a closed list. Where the command line has a flag for it and the window a
 * button, it holds only the facts. Three have the words: the command line (`main/cli/output/describe-error.ts`), the
 * window (`shared/words/en/error-words.ts`), and the gateway, for an AI program (`main/gateway/answers/answers.ts`).
 */
export const remedySchema = z.discriminatedUnion('kind', [
  networkRemedySchema,
  // the address and its hosts
  z.strictObject({ kind: z.literal('allow-local'), because: z.enum(['blocked', 'not-encrypted', 'rebound']) }),
  z.strictObject({ kind: z.literal('allow-http') }),
  z.strictObject({ kind: z.literal('allow-host'), host: z.optional(text) }),
  z.strictObject({ kind: z.literal('agree-to-hosts'), hosts: z.readonly(z.array(text)) }),
  /** `starts`: what was typed starts a program here. `address`: the one that stands in it. */
  z.strictObject({
    kind: z.literal('give-address'),
    starts: z.boolean(),
    address: z.optional(text),
    local: z.boolean(),
  }),
  // how the server is signed in to
  z.strictObject({ kind: z.literal('connect-otherwise') }),
  z.strictObject({ kind: z.literal('type-endpoints') }),
  z.strictObject({ kind: z.literal('relax-pkce') }),
  z.strictObject({ kind: z.literal('ask-other-scopes') }),
  z.strictObject({ kind: z.literal('without-resource'), because: z.enum(['unknown', 'perhaps']) }),
  z.strictObject({ kind: z.literal('try-other-options') }),
  // the client
  z.strictObject({
    kind: z.literal('type-credentials'),
    callbackUrl,
    /** The service reads published client documents too. */
    documents: z.boolean(),
    /** The service registers programs of whoever shows it a token for that (RFC 7591 section 3). */
    registrationToken: z.optional(z.boolean()),
    /** A fault that passes comes first. */
    after: z.optional(z.strictObject({ first: networkRemedySchema, until })),
  }),
  /** One that does without what the service demands of the one that it registered. */
  z.strictObject({ kind: z.literal('type-undemanding-credentials'), callbackUrl }),
  z.strictObject({ kind: z.literal('correct-credentials'), callbackUrl }),
  z.strictObject({ kind: z.literal('replace-credentials') }),
  /**
   * Of `request`, `client` and `all` nobody says what of it is wrong: `request` is most likely about how it was asked.
   */
  z.strictObject({
    kind: z.literal('check-client'),
    what: z.enum(['secret', 'secret-and-grant', 'grant', 'client', 'request', 'all']),
  }),
  z.strictObject({ kind: z.literal('check-document') }),
  // the sign-in
  /** `tooShort`: the user had chosen how long it may take. `callbackUrl`: what a page may have refused in the meantime. */
  z.strictObject({ kind: z.literal('start-again'), tooShort: z.boolean(), callbackUrl }),
  z.strictObject({ kind: z.literal('open-link'), startAgain: z.boolean() }),
  z.strictObject({ kind: z.literal('compare-scopes') }),
  /** `access`: what there is lives on until it ends. */
  z.strictObject({ kind: z.literal('sign-in'), access: z.enum(['gone', 'lives']) }),
  z.strictObject({ kind: z.literal('sign-in-or-remove'), because: z.enum(['refused', 'address-changed']) }),
  /** `answered`: they were asked for already. */
  z.strictObject({ kind: z.literal('grant-scopes'), answered: z.boolean() }),
  z.strictObject({
    kind: z.literal('await-renewal'),
    first,
    until,
    /** The service that is busy or out of order. */
    resting: z.optional(text),
    /** It may never come right by itself. */
    mayLast: z.boolean(),
  }),
  // what is connected
  z.strictObject({ kind: z.literal('use-as-it-is'), with: z.enum(['nothing', 'key']) }),
  /** Only what a tool says that it takes goes to it, unless the user insists. */
  z.strictObject({ kind: z.literal('fit-arguments') }),
  z.strictObject({ kind: z.literal('list-tools') }),
  z.strictObject({ kind: z.literal('list-resources') }),
  z.strictObject({ kind: z.literal('list-prompts') }),
  z.strictObject({
    kind: z.literal('replace-key'),
    because: z.enum(['refused', 'no-key', 'missing', 'address-changed']),
  }),
  z.strictObject({ kind: z.literal('choose-name') }),
  z.strictObject({ kind: z.literal('find-name') }),
  // servers on this computer
  /** The person looks at what will run, and allows it. */
  z.strictObject({ kind: z.literal('allow-command') }),
  /** Its command is given again: what it was given before is gone. */
  z.strictObject({ kind: z.literal('connect-command') }),
  z.strictObject({ kind: z.literal('start-server') }),
  z.strictObject({ kind: z.literal('name-folder') }),
  z.strictObject({ kind: z.literal('see-output') }),
  // programs that use what is connected
  z.strictObject({ kind: z.literal('find-program') }),
  /** The person lets a program use a server. `program`: its id. */
  z.strictObject({ kind: z.literal('allow-program'), program: z.optional(text) }),
  /** What has changed of the tools of a server. */
  z.strictObject({ kind: z.literal('review-tools') }),
  z.strictObject({ kind: z.literal('resume-programs') }),
  /** `name` and id of the one that is paused. */
  z.strictObject({ kind: z.literal('resume-program'), name: z.optional(text), program: z.optional(text) }),
  /** `free`: a name that nobody has. */
  z.strictObject({ kind: z.literal('choose-entry-name'), free: z.optional(text) }),
  pasteLinesSchema,
  // this computer and this program
  /** `missing`: what would talk to a keychain is not there. */
  z.strictObject({ kind: z.literal('set-up-keychain'), missing: z.optional(z.enum(['module', 'build', 'libsecret'])) }),
  z.strictObject({ kind: z.literal('test-storage') }),
  /** `missing`: the file or its list is gone. `copy`: what Postern wrote last is there. */
  z.strictObject({ kind: z.literal('mend-settings'), missing: z.boolean(), copy: z.boolean() }),
  z.strictObject({ kind: z.literal('correct-input') }),
]);

export type Remedy = z.infer<typeof remedySchema>;
export type PasteLines = z.infer<typeof pasteLinesSchema>;
export type NetworkRemedy = z.infer<typeof networkRemedySchema>;
export type AdviceKind = (typeof adviceKinds)[number];
