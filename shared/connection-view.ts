import * as z from 'zod/mini';
import { clientAuthenticationMethods } from './choices.ts';
import { compatibilityNotes } from './compatibility-notes.ts';
import { errorCodeSchema } from './error-code-schema.ts';
import { integrationOptionsSchema, maxAllowedHosts } from './integration.ts';
import { authenticationMethods } from './oauth.ts';
import { plainErrorSchema } from './plain-error.ts';

const error = plainErrorSchema;
const integrationId = z.string();

/**
 * The states of one sign-in attempt (spec 3, design "state machine") as shown in a window: none contains a token,
 * secret, verifier or callback.
 */
const flowStateSchema = z.readonly(
  z.discriminatedUnion('name', [
    /** `cancelled`: the user stopped it. */
    z.strictObject({ name: z.literal('urlEntered'), cancelled: z.optional(error) }),
    z.strictObject({ name: z.literal('discovering') }),
    z.strictObject({ name: z.literal('discovered'), method: z.enum(authenticationMethods) }),
    z.strictObject({ name: z.literal('registering') }),
    /** `error`: why the user is asked. */
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

/** Whose turn it is; `stopped`: it failed and needs the user's attention. */
const turns = ['postern', 'user', 'stopped', 'over'] as const;
export type Turn = (typeof turns)[number];

export type FlowStateView = z.infer<typeof flowStateSchema>;

/**
 * How a sign-in can continue without a typed client after Postern's own client failed. `passing`: a temporary fault;
 * retrying before `until` (milliseconds since 1970) is useless. `perhaps`: it may be temporary.
 */
const tryAgainSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('perhaps') }),
  z.strictObject({ kind: z.literal('passing'), until: z.optional(z.number()) }),
]);

export type TryAgain = z.infer<typeof tryAgainSchema>;

const names = z.array(z.string());

/** One step of discovery: the evidence of a verdict. */
const stepViewSchema = z.strictObject({
  step: z.enum(['probe', 'tools-probe', 'resource-metadata', 'authorization-server-metadata', 'method']),
  outcome: z.enum(['waiting', 'started', 'found', 'not-found', 'failed']),
  /** The requested URL, without its query. */
  url: z.optional(z.string()),
  host: z.optional(z.string()),
  status: z.optional(z.number()),
  code: z.optional(errorCodeSchema),
});

/** The verdict in the user's terms. `couldNotTell`: the server requires a sign-in but does not say how. */
const verdictKinds = [
  'noSignIn',
  'registersItself',
  'publishedClient',
  'needsOAuthApp',
  'couldNotTell',
  'usesKey',
] as const;

/** A sign-in whose hosts may have different owners. Host names are in punycode. */
const hostsViewSchema = z.strictObject({
  service: z.string(),
  page: z.string(),
  /** Receives the page's authorization response. */
  token: z.string(),
  /** Hosts that the user has to allow before it can start. */
  hosts: names,
});

/** The trust card. Hosts are in punycode, with their port where it is not the default. */
const verdictViewSchema = z.strictObject({
  kind: z.enum(verdictKinds),
  method: z.enum(authenticationMethods),
  /** `couldNotTell` only: the sign-in service that the server names. */
  namedService: z.optional(z.string()),
  /** That service is currently failing. */
  namedServiceDown: z.optional(z.literal(true)),
  serverHost: z.string(),
  authorizationServerHost: z.optional(z.string()),
  issuer: z.optional(z.string()),
  /** Under the subdomain exception: the host that the server named, and the one that the issuer claims. */
  exception: z.optional(z.strictObject({ named: z.string(), issuer: z.string() })),
  /** The authorization server belongs to another registrable domain than the server. */
  differentOwner: z.boolean(),
  /** What the user has to allow first, with `connection:start`. */
  hosts: z.optional(hostsViewSchema),
  /** Scopes that will be requested. */
  scopes: names,
  otherScopes: names,
  /** PKCE will be used. */
  pkce: z.boolean(),
  /** The service says that it supports PKCE. */
  pkceListed: z.boolean(),
  /** The service's sign-in page works only in a real browser. */
  browserOnly: z.boolean(),
  /** Server and sign-in service both use https. */
  encrypted: z.boolean(),
  notes: z.array(z.enum(compatibilityNotes)),
  /** Other authorization servers that the server names; select one with `options.authorizationServer`. */
  alternatives: names,
  /** `noSignIn` only: how many tools it listed. */
  toolCount: z.optional(z.number()),
});

/** The credential form (spec 2.11). The callback URL is bound before this is shown. */
const credentialsViewSchema = z.strictObject({
  serverUrl: z.string(),
  callbackUrl: z.string(),
  /** In punycode, with its port where it is not the default. */
  issuerHost: z.string(),
  /** The current sign-in endpoints. */
  endpoints: z.optional(z.strictObject({ authorization: z.string(), token: z.string() })),
  scopes: names,
  otherScopes: names,
  /** The failed attempt; its secret stays in main and is used unless another one is typed. */
  earlier: z.optional(
    z.strictObject({
      clientId: z.string(),
      secretStored: z.boolean(),
      authentication: z.optional(z.enum(clientAuthenticationMethods)),
      /** When the secret expires according to the user, in milliseconds since 1970. */
      secretExpiresAt: z.optional(z.number()),
    }),
  ),
  /** *Try again* comes first. */
  tryAgain: z.optional(tryAgainSchema),
  /** The same button when it is not the next step: `connection:tryAgain` continues without an OAuth app. */
  canRegister: z.optional(z.literal(true)),
});

/** An open sign-in page. Main copies its link (`desktop:copy`). */
const pendingViewSchema = z.strictObject({
  callbackUrl: z.string(),
  surface: z.enum(['popup', 'browser']),
  /** Host of the sign-in page, in punycode, with its port where it is not the default. */
  host: z.string(),
  /** False: no browser could be opened, so the user has to copy the link. */
  opened: z.boolean(),
  /** When the link expires at the service, in milliseconds since 1970; absent: not before the sign-in ends. */
  openBefore: z.optional(z.number()),
  /** A blocked action of the page; the sign-in continues. */
  error: z.optional(plainErrorSchema),
  /** `connection:useDevice` starts over with a code for any device. */
  offersDevice: z.optional(z.literal(true)),
});

/** A sign-in with a code, on any device (RFC 8628). */
const deviceViewSchema = z.strictObject({
  /** Host of the page, in punycode, with its port if it is not the default. */
  host: z.string(),
  page: z.string(),
  userCode: z.string(),
  /** There is a link that contains the code (`desktop:copy`). */
  hasLink: z.boolean(),
});

/**
 * How far an attempt got. `server`: nothing responded at the address. `documents`: it did not learn how to sign in.
 * `install`: it had tokens but did not store them. `use`: the server was used, with or without a sign-in.
 */
const attemptStages = ['server', 'documents', 'signIn', 'install', 'use'] as const;

/** A discovery or sign-in in progress, or ended and not dismissed. */
export const connectionViewSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['connect', 'signInAgain', 'stepUp', 'switchAccount']),
  /** The integration that is signed in again, or was created. */
  integrationId: z.optional(z.string()),
  /** As typed until it is parsed, then in canonical form. */
  url: z.string(),
  host: z.optional(z.string()),
  /** Proposed, or as given with `connection:start`. */
  name: z.string(),
  options: z.omit(integrationOptionsSchema, { assertionFile: true }),
  /** The chosen assertion file, used instead of a sign-in. */
  assertionFile: z.optional(z.string()),
  /** `discovered` waits for `connection:start`, `ticketIssued` for `connection:install`. */
  state: flowStateSchema,
  lastStage: z.optional(z.enum(attemptStages)),
  turn: z.enum(turns),
  /** A sign-in has started: another address starts another attempt. */
  hasStarted: z.boolean(),
  /** The list entry that it came from (`import:read`, `app:readEntries`). */
  importEntry: z.optional(z.string()),
  steps: z.array(stepViewSchema),
  verdict: z.optional(verdictViewSchema),
  /** The header of a typed or imported key; its value stays in main. */
  keyName: z.optional(z.string()),
  credentialsRequest: z.optional(credentialsViewSchema),
  /** Asked during the sign-in, which waits for `connection:start` with `agreesTo`. */
  hostsRequest: z.optional(hostsViewSchema),
  pending: z.optional(pendingViewSchema),
  device: z.optional(deviceViewSchema),
  /** Its page opened in the user's browser; if nothing came back, it may still be open. */
  usedBrowser: z.optional(z.literal(true)),
  /** The callback URL to register for the typed OAuth app: a service reports a mismatch only on its own page. */
  callbackUrl: z.optional(z.string()),
});

export type StepView = z.infer<typeof stepViewSchema>;
export type VerdictView = z.infer<typeof verdictViewSchema>;
export type HostsView = z.infer<typeof hostsViewSchema>;
export type CredentialsView = z.infer<typeof credentialsViewSchema>;
export type DeviceView = z.infer<typeof deviceViewSchema>;
export type PendingView = z.infer<typeof pendingViewSchema>;
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** Options that the user changes: absent ones stay, `null` removes. No window can name a file. */
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

/** The user's own OAuth app. */
export const typedClient = {
  clientId: z.string().check(z.trim(), z.minLength(1), z.maxLength(4_096)),
  /** Absent: the stored one if the id is the same, otherwise a public client. */
  clientSecret: z.optional(z.string().check(z.minLength(1), z.maxLength(8_192))),
  clientAuthentication: z.optional(z.enum(clientAuthenticationMethods)),
  /** When the secret expires, in milliseconds since 1970, if the user knows. */
  secretExpiresAt: z.optional(z.int().check(z.minimum(0))),
};

/** The window's calls about a sign-in attempt; part of `ipc-contract.ts`. */
export const connectionCalls = {
  /** With `id`, repeats discovery for that attempt, with another address or other options. Opens nothing. */
  'connection:discover': {
    input: z.strictObject({
      id: z.optional(id),
      url: address,
      options,
      importEntry: z.optional(id),
      /** Typed for the same address before, or the service's name. */
      name: z.optional(name),
      /** The user entered this address: with the setting `connectAtOnce`, a plain verdict continues automatically. */
      atOnce: z.optional(z.literal(true)),
    }),
    output: byId,
  },
  /** The verdict's button. With `header`, an API key is sent with every request instead of a sign-in. */
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
      /** Asks for the user's own OAuth app, even if Postern could register itself. Also for a repeated sign-in. */
      ownOAuthApp: z.optional(z.literal(true)),
      /** The hosts that the user was shown and allowed. */
      agreesTo: z.optional(z.array(z.string().check(z.maxLength(253))).check(z.maxLength(maxAllowedHosts))),
    }),
    output: done,
  },
  /**
   * Main asks the user for a file in a system dialog; the attempt then has it (`assertionFile`). False: they cancelled.
   * Errors: ASSERTION_INVALID for an unreadable file.
   */
  'connection:chooseAssertionFile': { input: byId, output: z.strictObject({ chosen: z.boolean() }) },
  'connection:submitCredentials': {
    input: z.strictObject({ id, ...typedClient, options: z.optional(options) }),
    output: done,
  },
  /** From the credential form: retries without typed credentials. From `failed`: starts over. */
  'connection:tryAgain': { input: byId, output: done },
  /** The pasted address of the page where the browser stopped. */
  'connection:submitCallback': {
    input: z.strictObject({ id, address }),
    output: z.strictObject({
      verdict: z.enum(['done', 'refused', 'expired', 'not-valid', 'failed', 'used', 'superseded', 'opened-twice']),
    }),
  },
  'connection:openAgain': { input: byId, output: done },
  /** Starts over in a browser, if it waits for another device. */
  'connection:useBrowser': { input: byId, output: done },
  /** Starts over with a code for any device (RFC 8628), if `pending.offersDevice`. */
  'connection:useDevice': { input: byId, output: done },
  /** Stops it; everything that was typed stays. */
  'connection:stop': { input: byId, output: done },
  /** Stops it and removes it from the list. */
  'connection:cancel': { input: byId, output: done },
  /** Redeems the auth ticket (spec 2.10): only then are tokens stored. */
  'connection:install': {
    input: z.strictObject({ ticketId: z.string().check(z.minLength(1), z.maxLength(128)), name: z.optional(name) }),
    output: z.strictObject({ integrationId: id }),
  },
} as const;
