import * as z from 'zod/mini';
import type { Advice } from './words/en/advice-words.ts';

/** Remedies with the same words on every surface: our own sentence without a command, a flag or a button. */
const adviceKinds = [
  // What was typed
  'correct-address',
  'check-address',
  'correct-key',
  'correct-client-key',
  'renew-assertion',
  // What is in between
  'check-connection',
  'check-proxy',
  'check-clock',
  'free-port',
  // Waiting, and asking others
  'wait',
  'try-again',
  'go-on',
  'contact-owner',
  'report',
  // What is stored on this computer
  'unlock-keychain',
  'replace-sign-in',
  'fix-files',
] as const;

const text = z.string();
const callbackUrl = z.optional(text);

/** `advice`: the id of its text (`words/en/advice-words.ts`); `values` fill its gaps. */
const advice = z.strictObject({
  kind: z.enum(adviceKinds),
  advice: text as z.ZodMiniType as z.ZodMiniType<Advice, Advice>,
  values: z.optional(z.readonly(z.record(text, z.union([text, z.number()])))),
});

/** Remedies for failed connections. */
const networkRemedySchema = z.discriminatedUnion('kind', [
  advice,
  z.strictObject({ kind: z.literal('trust-certificate'), whose: z.enum(['company', 'own']) }),
  z.strictObject({ kind: z.literal('check-certificate'), problem: z.enum(['name', 'refused']) }),
]);

/** Lines that the user adds to an app's file because Postern could not. */
const pasteLinesSchema = z.strictObject({
  kind: z.literal('paste-lines'),
  advice: text,
  /** The alternative to try first. */
  first: z.enum(['replace-file', 'try-again', 'fix-file']),
  /** They go between the braces that contain the servers. */
  isInline: z.boolean(),
  path: text,
  lines: text,
  /** They contain the app's secret. */
  secret: z.boolean(),
  /** For `app:copyLines` in the window. */
  token: z.optional(text),
});

/** The remedy to try first. */
const first = z.optional(networkRemedySchema);
/** Retrying before this is useless. Milliseconds since 1970. */
const until = z.optional(z.number());

/**
 * What the user can do about an error, as a closed list. It contains only facts where the command line has a flag and
 * the window a button. Three places word it: the command line (`main/cli/output/describe-error.ts`), the window
 * (`shared/words/en/error-words.ts`), and the gateway, for an AI app (`main/gateway/responses/responses.ts`).
 */
export const remedySchema = z.discriminatedUnion('kind', [
  networkRemedySchema,
  // The address and its hosts
  z.strictObject({ kind: z.literal('allow-local'), because: z.enum(['blocked', 'not-encrypted', 'rebound']) }),
  z.strictObject({ kind: z.literal('allow-http') }),
  z.strictObject({ kind: z.literal('allow-host'), host: z.optional(text) }),
  z.strictObject({ kind: z.literal('agree-to-hosts'), hosts: z.readonly(z.array(text)) }),
  /** `starts`: the input would start a program here. `address`: the one it contains. */
  z.strictObject({
    kind: z.literal('give-address'),
    starts: z.boolean(),
    address: z.optional(text),
    local: z.boolean(),
  }),
  // The server's sign-in
  z.strictObject({ kind: z.literal('connect-otherwise') }),
  z.strictObject({ kind: z.literal('type-endpoints') }),
  z.strictObject({ kind: z.literal('relax-pkce') }),
  z.strictObject({ kind: z.literal('ask-other-scopes') }),
  z.strictObject({ kind: z.literal('without-resource'), because: z.enum(['unknown', 'perhaps']) }),
  z.strictObject({ kind: z.literal('try-other-options') }),
  // The client
  z.strictObject({
    kind: z.literal('type-credentials'),
    callbackUrl,
    /** The service supports client ID metadata documents too. */
    documents: z.boolean(),
    /** The service registers clients that present a registration token (RFC 7591 section 3). */
    registrationToken: z.optional(z.boolean()),
    /** A temporary fault to wait for first. */
    after: z.optional(z.strictObject({ first: networkRemedySchema, until })),
  }),
  /** A client without the requirement that the service has of the one it registered. */
  z.strictObject({ kind: z.literal('type-undemanding-credentials'), callbackUrl }),
  z.strictObject({ kind: z.literal('correct-credentials'), callbackUrl }),
  z.strictObject({ kind: z.literal('replace-credentials') }),
  /**
   * For `request`, `client` and `all` it is unknown what is wrong: `request` is probably about the request's
   * parameters.
   */
  z.strictObject({
    kind: z.literal('check-client'),
    what: z.enum(['secret', 'secret-and-grant', 'grant', 'client', 'request', 'all']),
  }),
  z.strictObject({ kind: z.literal('check-document') }),
  // The sign-in
  /** `tooShort`: the user chose the time limit. `callbackUrl`: a page may have rejected it. */
  z.strictObject({ kind: z.literal('start-again'), tooShort: z.boolean(), callbackUrl }),
  z.strictObject({ kind: z.literal('open-link'), startAgain: z.boolean() }),
  z.strictObject({ kind: z.literal('compare-scopes') }),
  /** `access`: `lives` if the current token works until it expires. */
  z.strictObject({ kind: z.literal('sign-in'), access: z.enum(['gone', 'lives']) }),
  z.strictObject({ kind: z.literal('sign-in-or-remove'), because: z.enum(['refused', 'address-changed']) }),
  /** `answered`: they were already requested. */
  z.strictObject({ kind: z.literal('grant-scopes'), answered: z.boolean() }),
  z.strictObject({
    kind: z.literal('await-renewal'),
    first,
    until,
    /** The service that is busy or failing. */
    resting: z.optional(text),
    /** It may not resolve itself. */
    mayLast: z.boolean(),
  }),
  // What is connected
  z.strictObject({ kind: z.literal('use-as-it-is'), with: z.enum(['nothing', 'key']) }),
  /** Postern sends only arguments that match the tool's schema, unless the user insists. */
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
  // Local servers
  /** The user reviews and allows the command. */
  z.strictObject({ kind: z.literal('allow-command') }),
  /** The user enters its command again, because its values are gone. */
  z.strictObject({ kind: z.literal('connect-command') }),
  z.strictObject({ kind: z.literal('start-server') }),
  z.strictObject({ kind: z.literal('name-folder') }),
  z.strictObject({ kind: z.literal('see-output') }),
  // AI apps
  z.strictObject({ kind: z.literal('find-app') }),
  /** The user lets an app use a server. `app`: its id. `http`: the app connects over HTTP. */
  z.strictObject({ kind: z.literal('allow-app'), app: z.optional(text), http: z.optional(z.literal(true)) }),
  /** The user reviews a server's changed tools. */
  z.strictObject({ kind: z.literal('review-tools') }),
  z.strictObject({ kind: z.literal('resume-apps') }),
  /** Name and id of the paused app. */
  z.strictObject({ kind: z.literal('resume-app'), name: z.optional(text), app: z.optional(text) }),
  /** `free`: a name that is not taken. */
  z.strictObject({ kind: z.literal('choose-entry-name'), free: z.optional(text) }),
  pasteLinesSchema,
  // This computer and Postern
  /** `missing`: the missing keychain component. */
  z.strictObject({ kind: z.literal('set-up-keychain'), missing: z.optional(z.enum(['module', 'build', 'libsecret'])) }),
  z.strictObject({ kind: z.literal('test-storage') }),
  /** `missing`: the file or its list is gone. `copy`: there is a copy of what Postern last wrote. */
  z.strictObject({ kind: z.literal('fix-settings'), missing: z.boolean(), copy: z.boolean() }),
  z.strictObject({ kind: z.literal('correct-input') }),
]);

export type Remedy = z.infer<typeof remedySchema>;
export type PasteLines = z.infer<typeof pasteLinesSchema>;
export type NetworkRemedy = z.infer<typeof networkRemedySchema>;
export type AdviceKind = (typeof adviceKinds)[number];
