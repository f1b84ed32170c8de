import * as z from 'zod/mini';
import { clientAuthenticationMethods } from './choices.ts';
import { compatibilityNotes } from './compatibility-notes.ts';
import { errorCodes } from './error-codes.ts';
import { integrationOptionsSchema, mostAllowedHosts } from './integration.ts';
import { authenticationMethods } from './oauth.ts';
import { plainErrorSchema } from './plain-error.ts';

const error = plainErrorSchema;
const integrationId = z.string();

/**
 * The states of one connection (spec 3, design "state machine") as a window may see them: none holds a token, secret,
 * verifier or callback.
 */
const flowStateSchema = z.readonly(
  z.discriminatedUnion('name', [
    /** `cancelled`: the person has ended what went on. */
    z.strictObject({ name: z.literal('urlEntered'), cancelled: z.optional(error) }),
    z.strictObject({ name: z.literal('discovering') }),
    z.strictObject({ name: z.literal('discovered'), method: z.enum(authenticationMethods) }),
    z.strictObject({ name: z.literal('registering') }),
    /** `error`: why a person is asked. */
    z.strictObject({ name: z.literal('awaitingCredentials'), error: z.optional(error) }),
    /** `expiresAt` in milliseconds since 1970. */
    z.strictObject({ name: z.literal('authorizationPending'), expiresAt: z.number() }),
    z.strictObject({ name: z.literal('exchanging') }),
    z.strictObject({ name: z.literal('ticketIssued'), ticketId: z.string() }),
    z.strictObject({ name: z.literal('integrated'), integrationId }),
    z.strictObject({ name: z.literal('reauthenticationRequired'), integrationId }),
    z.strictObject({ name: z.literal('failed'), error }),
  ]),
);

/** Whose turn it is; `stopped`: it has failed, and somebody has to look at it. */
const turns = ['postern', 'person', 'stopped', 'over'] as const;
export type Turn = (typeof turns)[number];

export type FlowStateView = z.infer<typeof flowStateSchema>;

/**
 * How a sign-in may go on although nobody types a client, where one that Postern came by itself failed. `passing`: what
 * failed is a passing fault, and before `until` (milliseconds since 1970) trying again is of no use. `perhaps`: it may
 * be one.
 */
const tryAgainSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('perhaps') }),
  z.strictObject({ kind: z.literal('passing'), until: z.optional(z.number()) }),
]);

export type TryAgain = z.infer<typeof tryAgainSchema>;

const names = z.array(z.string());

/** One thing that discovery did; the evidence of a verdict. */
const stepViewSchema = z.strictObject({
  step: z.enum(['probe', 'tools-probe', 'resource-metadata', 'authorization-server-metadata', 'method']),
  outcome: z.enum(['waiting', 'started', 'found', 'not-found', 'failed']),
  /** Where it asked, without query. */
  url: z.optional(z.string()),
  host: z.optional(z.string()),
  status: z.optional(z.number()),
  code: z.optional(z.enum(errorCodes)),
});

/** What the verdict comes to for a person. `couldNotTell`: the server wants a sign-in and says nowhere how. */
const verdictKinds = ['noSignIn', 'registersItself', 'publishedClient', 'needsApp', 'couldNotTell', 'usesKey'] as const;

/** A sign-in whose hosts are not known to have one owner: host names in punycode. */
const hostsViewSchema = z.strictObject({
  service: z.string(),
  page: z.string(),
  /** What gets the answer of the page. */
  token: z.string(),
  /** Those that have to be agreed to before it can start. */
  hosts: names,
});

/** The trust card. Hosts are in punycode, with their port where it is not the default. */
const verdictViewSchema = z.strictObject({
  kind: z.enum(verdictKinds),
  method: z.enum(authenticationMethods),
  /** `couldNotTell` only: the sign-in service that the server names all the same. */
  namedService: z.optional(z.string()),
  /** It has a fault of its own just now. */
  namedServiceDown: z.optional(z.literal(true)),
  serverHost: z.string(),
  authorizationServerHost: z.optional(z.string()),
  issuer: z.optional(z.string()),
  /** Under the sub-domain exception: the host that the server named, and the one that it says it is. */
  exception: z.optional(z.strictObject({ named: z.string(), issuer: z.string() })),
  /** The authorization server belongs to another registrable domain than the server. */
  differentOwner: z.boolean(),
  /** What has to be agreed to first, with `connection:start`. */
  hosts: z.optional(hostsViewSchema),
  /** Scopes that will be asked for. */
  scopes: names,
  otherScopes: names,
  /** PKCE will be used. */
  pkce: z.boolean(),
  /** The service says that it checks it. */
  pkceListed: z.boolean(),
  /** The service shows its sign-in page in a real browser only. */
  browserOnly: z.boolean(),
  /** Server and sign-in both by https. */
  encrypted: z.boolean(),
  notes: z.array(z.enum(compatibilityNotes)),
  /** Other authorization servers that the server names; one can be chosen with `options.authorizationServer`. */
  alternatives: names,
  /** `noSignIn` only: how many tools it listed. */
  toolCount: z.optional(z.number()),
});

/** The credential dialog (spec 2.11). The callback URL is bound before this is shown. */
const credentialsViewSchema = z.strictObject({
  serverUrl: z.string(),
  callbackUrl: z.string(),
  /** In punycode, with its port where it is not the default. */
  issuerHost: z.string(),
  /** Where the sign-in goes as things are. */
  endpoints: z.optional(z.strictObject({ authorization: z.string(), token: z.string() })),
  scopes: names,
  otherScopes: names,
  /** The failed attempt; its secret stays in main and holds unless another one is typed. */
  earlier: z.optional(
    z.strictObject({
      clientId: z.string(),
      secretKept: z.boolean(),
      authentication: z.optional(z.enum(clientAuthenticationMethods)),
      /** Milliseconds since 1970: when the person said that the secret ends. */
      secretExpiresAt: z.optional(z.number()),
    }),
  ),
  /** *Try again* comes first. */
  tryAgain: z.optional(tryAgainSchema),
  /** The same button, where it is not the next step: `connection:tryAgain` goes on without an app. */
  canRegister: z.optional(z.literal(true)),
});

/** A sign-in page that is open somewhere. Its link is copied by main (`app:copy`). */
const pendingViewSchema = z.strictObject({
  callbackUrl: z.string(),
  surface: z.enum(['popup', 'browser']),
  /** Host of the sign-in page, in punycode, with its port where it is not the default. */
  host: z.string(),
  /** False: no browser could be opened; the link has to be copied. */
  opened: z.boolean(),
  /** Milliseconds since 1970 at which the service forgets what its link refers to; absent: not before the sign-in ends. */
  openBefore: z.optional(z.number()),
  /** What the page tried that it may not; the sign-in goes on. */
  error: z.optional(plainErrorSchema),
  /** `connection:useDevice` starts over with a code for any device. */
  offersDevice: z.optional(z.literal(true)),
});

/** A sign-in with a code, on any device (RFC 8628). */
const deviceViewSchema = z.strictObject({
  /** Of the page, in punycode, with its port where it is not the default. */
  host: z.string(),
  page: z.string(),
  userCode: z.string(),
  /** There is a link that has the code already (`app:copy`). */
  hasLink: z.boolean(),
});

/**
 * How far an attempt had come when it ended. `server`: nobody at the address answered. `documents`: it was not learnt how
 * to sign in. `install`: tokens were there, and not kept yet. `use`: the server was used, with a sign-in or without.
 */
export const attemptEnds = ['server', 'documents', 'signIn', 'install', 'use'] as const;

/** One discovery or sign-in in progress, or ended and not dismissed yet. */
export const connectionViewSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['connect', 'signInAgain', 'stepUp', 'switchAccount']),
  /** The integration that is signed in again, or that came of it. */
  integrationId: z.optional(z.string()),
  /** As typed until it has been understood, then in canonical form. */
  url: z.string(),
  host: z.optional(z.string()),
  /** Proposed, or as given with `connection:start`. */
  name: z.string(),
  options: z.omit(integrationOptionsSchema, { assertionFile: true }),
  /** The file that was chosen, whose assertion stands in for a sign-in. */
  assertionFile: z.optional(z.string()),
  /** `discovered` rests until `connection:start`; `ticketIssued` until `connection:install`. */
  state: flowStateSchema,
  endedAt: z.optional(z.enum(attemptEnds)),
  turn: z.enum(turns),
  /** It is being signed in to, or was: another address begins another connection. */
  isUnderWay: z.boolean(),
  /** From `import:read` or `program:look`: the entry of a list that it came from. */
  importEntry: z.optional(z.string()),
  steps: z.array(stepViewSchema),
  verdict: z.optional(verdictViewSchema),
  /** The header of a key that was typed or imported; its value stays in main. */
  keyName: z.optional(z.string()),
  credentialsRequest: z.optional(credentialsViewSchema),
  /** Asked on the way: the sign-in waits for `connection:start` with `agreesTo`. */
  hostsRequest: z.optional(hostsViewSchema),
  pending: z.optional(pendingViewSchema),
  device: z.optional(deviceViewSchema),
  /** Its page went to the person's browser; where nothing came back from there, it may still be open. */
  usedBrowser: z.optional(z.literal(true)),
  /** What has to be registered for the app that was typed: a service tells a mismatch only on its own page. */
  callbackUrl: z.optional(z.string()),
});

export type StepView = z.infer<typeof stepViewSchema>;
export type VerdictView = z.infer<typeof verdictViewSchema>;
export type HostsView = z.infer<typeof hostsViewSchema>;
export type CredentialsView = z.infer<typeof credentialsViewSchema>;
export type DeviceView = z.infer<typeof deviceViewSchema>;
export type PendingView = z.infer<typeof pendingViewSchema>;
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** Options that a user changes: what is left out stays as it is, `null` means none. No window names a file. */
export const chosenOptionsSchema = z.extend(z.partial(z.omit(integrationOptionsSchema, { assertionFile: true })), {
  endpoints: z.nullable(integrationOptionsSchema.shape.endpoints),
  signInSurface: z.nullable(integrationOptionsSchema.shape.signInSurface),
  callbackHost: z.nullable(integrationOptionsSchema.shape.callbackHost),
});

export type ChosenOptions = z.infer<typeof chosenOptionsSchema>;

const id = z.string().check(z.minLength(1), z.maxLength(64));
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(80));
const address = z.string().check(z.maxLength(16_384));
const byId = z.strictObject({ id });
const done = z.null();
const options = chosenOptionsSchema;

/** An app of the person's own. */
export const typedClient = {
  clientId: z.string().check(z.trim(), z.minLength(1), z.maxLength(4_096)),
  /** Left out: the one that is kept, if the id is the same; else a public client. */
  clientSecret: z.optional(z.string().check(z.minLength(1), z.maxLength(8_192))),
  clientAuthentication: z.optional(z.enum(clientAuthenticationMethods)),
  /** When the service ends the secret, milliseconds since 1970, where the person knows it. */
  secretExpiresAt: z.optional(z.int().check(z.minimum(0))),
};

/** What a window may ask of main about a connection; a part of `ipc-contract.ts`. */
export const connectionCalls = {
  /** With `id`, asks again for that connection (another address, other options). Opens nothing. */
  'connection:discover': {
    input: z.strictObject({
      id: z.optional(id),
      url: address,
      options,
      importEntry: z.optional(id),
      /** Typed for the same address before, or what the service is called. */
      name: z.optional(name),
      /** The user gave this address themselves: with the setting `connectAtOnce` a plain verdict goes on by itself. */
      atOnce: z.optional(z.literal(true)),
    }),
    output: byId,
  },
  /** The button of the verdict. With `header` an API key goes with every request instead of a sign-in. */
  'connection:start': {
    input: z.strictObject({
      id,
      name: z.optional(name),
      options: z.optional(options),
      header: z.optional(
        z.strictObject({
          name: z.string().check(z.minLength(1), z.maxLength(128)),
          value: z.string().check(z.minLength(1), z.maxLength(8_192)),
        }),
      ),
      /** Asks for an app of the person's own, whatever Postern may come by itself. Also for a sign-in again. */
      ownApp: z.optional(z.literal(true)),
      /** The hosts that the person was shown and said yes to. */
      agreesTo: z.optional(z.array(z.string().check(z.maxLength(253))).check(z.maxLength(mostAllowedHosts))),
    }),
    output: done,
  },
  /**
   * Main asks the person which file, in a dialog of the system; from then on the connection has it (`assertionFile`).
   * False: they chose none. Errors: ASSERTION_INVALID for a file that cannot be read.
   */
  'connection:chooseAssertionFile': { input: byId, output: z.strictObject({ chosen: z.boolean() }) },
  'connection:submitCredentials': {
    input: z.strictObject({ id, ...typedClient, options: z.optional(options) }),
    output: done,
  },
  /** From the credential dialog: as before, without typing. From `failed`: from the start. */
  'connection:tryAgain': { input: byId, output: done },
  /** The address that a browser landed on, pasted. */
  'connection:submitCallback': {
    input: z.strictObject({ id, address }),
    output: z.strictObject({
      verdict: z.enum(['done', 'refused', 'expired', 'not-valid', 'failed', 'used', 'superseded', 'opened-twice']),
    }),
  },
  'connection:openAgain': { input: byId, output: done },
  /** Starts it over in a browser, where it waits for another device. */
  'connection:useBrowser': { input: byId, output: done },
  /** Starts it over with a code for any device (RFC 8628), where `pending.offersDevice`. */
  'connection:useDevice': { input: byId, output: done },
  /** Ends what goes on; all that was typed stays. */
  'connection:stop': { input: byId, output: done },
  /** Ends it if it runs, and takes it off the list. */
  'connection:cancel': { input: byId, output: done },
  /** Spends the auth ticket (spec 2.10): only then are tokens stored. */
  'connection:install': {
    input: z.strictObject({ ticketId: z.string().check(z.minLength(1), z.maxLength(128)), name: z.optional(name) }),
    output: z.strictObject({ integrationId: id }),
  },
} as const;
