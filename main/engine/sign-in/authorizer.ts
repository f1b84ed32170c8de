import { hasTrait } from '../../../shared/error-traits.ts';
import { browserAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { stateLifetime, urlLength } from '../../limits.ts';
import { createAuthorizationRequest, isSameText } from '../../oauth/authorization/authorization-request.ts';
import type { RequestedBinding, AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import { stateOf, validateAuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { tokenBindingNeed } from '../../oauth/discovery/unmet-demand.ts';
import { pushAuthorizationRequest, pushEndpoint } from '../../oauth/token/pushed-request.ts';
import { ProofKey } from '../../oauth/http/proof-key.ts';
import { SignInEnd } from '../../ports.ts';
import type { CallbackHandlers, CallbackListener, CallbackVerdict, Clock, LinkTarget } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import type { LeasedSignIn } from './auth-tickets.ts';
import { listenForCallback } from './callback-address.ts';
import type { Flow } from './flow.ts';
import { requestedScope } from './sign-in-interaction.ts';
import type { PendingAuthorization, SignInInteraction, SignInRequest } from './sign-in-interaction.ts';

/** `credentials` include what was learned during the request, such as the authentication method. */
interface AuthorizationResult {
  readonly request: AuthorizationRequest;
  readonly response: AuthorizationResponse;
  readonly credentials: ClientCredentials;
}

/** Runs authorization requests in the browser: one at a time, on one callback listener. */
export interface Authorizer {
  readonly redirectUri: string;
  /**
   * Opens a sign-in page and waits for its callback. Errors: those of `createAuthorizationRequest`, STATE_EXPIRED,
   * USER_CANCELLED, FLOW_SUPERSEDED.
   */
  authorize(
    request: SignInRequest,
    discovery: Discovery,
    credentials: ClientCredentials,
    reused: boolean,
  ): Promise<AuthorizationResult>;
  /** Errors: LINK_REUSED if the last page's link was opened twice. */
  assertOpenedOnce(): void;
  /** Ends any pending request and frees the port. */
  close(): Promise<void>;
}

/** Binds the callback listener before any URL names it. Errors: PORT_UNAVAILABLE. */
export async function openAuthorizer(
  ports: EnginePorts,
  { typed, discovery: found, options, timeout }: SignInRequest,
  flow: Flow,
  interaction: SignInInteraction,
  { signal, supersedes, assertNewest }: LeasedSignIn,
): Promise<Authorizer> {
  let session: AuthorizationSession | undefined;
  // A typed client is registered with one redirect URI; any other gets registered with the one bound here.
  const canMove = typed === undefined && found.method !== 'OAuth';
  const handlers: CallbackHandlers = {
    callback(query) {
      const verdict = session?.receive(query) ?? 'not-valid';
      if (verdict === 'used') ports.log.write('callback-ignored', { code: 'STATE_REUSED' });
      return verdict;
    },
    link: (linkToken) => session?.openLink(linkToken) ?? 'not-valid',
  };
  const listener = await listenForCallback(
    ports,
    { host: options.callbackHost, canMove, supersedes, signal },
    handlers,
  );
  const cancel = (): void => session?.cancel(signal.reason);
  signal.addEventListener('abort', cancel);
  return {
    redirectUri: listener.url,
    async authorize(request, discovery, client, reused) {
      const binding = makeBinding(discovery, client);
      const created = createAuthorizationRequest(ports.random, ports.clock, {
        discovery,
        credentials: client,
        binding: binding && { ...binding, thumbprint: await binding.key.thumbprint() },
        redirectUri: client.redirectUri,
        scope: requestedScope(request, discovery),
        pkce: request.options.pkce,
        sendResource: request.options.sendResource,
        otherAccount: request.otherAccount,
        loginHint: discovery.issuerKey === request.earlierIssuerKey ? request.loginHint : undefined,
      });
      const { metadata } = discovery;
      const endpoint = metadata && pushEndpoint(metadata, client, request.options.pushRequests === true);
      const policy = integrationPolicy(discovery.url, request.options);
      const push = (credentials: ClientCredentials) =>
        metadata && endpoint !== undefined
          ? pushAuthorizationRequest(ports, {
              request: created,
              credentials,
              metadata,
              endpoint,
              reused,
              policy,
              signal,
            })
          : undefined;
      const pushed = await push(client);
      if (pushed?.kind === 'authorization-refused') return { request: created, credentials: client, response: pushed };
      const credentials = pushed?.credentials ?? client;
      const onCallback = (): void => interaction.onEvent({ event: 'callback' });
      const newSession = new AuthorizationSession(
        ports.clock,
        pushed?.request ?? created,
        timeout,
        assertNewest,
        onCallback,
      );
      session = newSession;
      signal.throwIfAborted();
      const renew = async (): Promise<void> => {
        const pushedAgain = await push(credentials);
        if (pushedAgain?.kind === 'authorization-refused') throw pushedAgain.error;
        if (!pushedAgain || !pushState) return;
        newSession.request = pushedAgain.request;
        pushState.openBefore = pushedAgain.openBefore;
      };
      const pushState = pushed && { openBefore: pushed.openBefore, renew };
      presentAuthorization(newSession, listener, flow, interaction, signal, ports, pushState);
      return { request: newSession.request, credentials, response: await newSession.response };
    },
    assertOpenedOnce: () => session?.assertOpenedOnce(),
    async close() {
      signal.removeEventListener('abort', cancel);
      cancel();
      await listener.close();
    },
  };
}

/** Opens the sign-in page without waiting for it: the callback may arrive before the browser launcher returns. */
export function presentAuthorization(
  session: AuthorizationSession,
  listener: Pick<CallbackListener, 'url' | 'linkTo'>,
  flow: Flow,
  interaction: SignInInteraction,
  signal: AbortSignal,
  ports: EnginePorts,
  pushed?: Partial<Pick<PendingAuthorization, 'openBefore' | 'renew'>>,
): void {
  const expiresAt = session.expiresAt;
  flow.advance({ type: 'authorizationRequested', expiresAt });
  const pending: PendingAuthorization = {
    ...(pushed?.renew && { renew: pushed.renew }),
    get url() {
      return session.request.url;
    },
    get openBefore() {
      return pushed?.openBefore;
    },
    callbackUrl: listener.url,
    isOwnOAuthApp: session.request.isOwnOAuthApp,
    expiresAt,
    browserUrl() {
      // Check the final address as well as the link.
      browserAddress(session.request.url);
      const linkToken = Buffer.from(ports.random.bytes(32)).toString('base64url');
      session.addLink(linkToken);
      return browserAddress(listener.linkTo(linkToken));
    },
    submit: (address) => submitAddress(session, listener.url, address),
  };
  interaction.open(pending, signal).catch((error: unknown) => {
    const stillUsable = error instanceof PosternError && hasTrait(error, 'browser-unopened');
    if (stillUsable) interaction.onEvent({ event: 'note', note: 'browser-open-failed' });
    else session.end(error);
    ports.log.write('browser-open-failed');
  });
}

/**
 * Accepts a callback address pasted by a user whose browser cannot reach this machine. It must be our callback address
 * with the right state; anything else is ignored.
 */
export function submitAddress(session: AuthorizationSession, callbackUrl: string, address: string): CallbackVerdict {
  const text = address.trim();
  if (text.length > urlLength.authorizationRequest || !URL.canParse(text)) return 'not-valid';
  const pasted = new URL(text);
  if (`${pasted.origin}${pasted.pathname}` !== callbackUrl) return 'not-valid';
  return session.receive(pasted.search.slice(1));
}

/**
 * One authorization request awaiting its response: the session keyed by its state (spec 2.7). Only the right state can
 * end it, so neither a web page nor a stale tab can cancel a sign-in (RFC 9700 4.7).
 */
export class AuthorizationSession {
  /** Settles once, with the authorization response or why none counts. */
  readonly response: Promise<AuthorizationResponse>;
  request: AuthorizationRequest;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly #clock: Clock;
  readonly #assertNewest: () => void;
  readonly #onCallback: () => void;
  readonly #settle: PromiseWithResolvers<AuthorizationResponse>;
  #cancelTimer: () => void = () => {};
  /** Set once the state is used up: the verdict for any further callback. */
  #end: Exclude<CallbackVerdict, 'done'> | undefined;
  /** Tokens of one-time links, and whether each was used. */
  readonly #links = new Map<string, 'new' | 'used'>();

  /**
   * `timeout` in milliseconds, capped at the state's ten minutes. `assertNewest` throws FLOW_SUPERSEDED. `onCallback`
   * runs for the one callback that counts.
   */
  constructor(
    clock: Clock,
    request: AuthorizationRequest,
    timeout: number | undefined,
    assertNewest: () => void = () => {},
    onCallback: () => void = () => {},
  ) {
    this.request = request;
    this.#clock = clock;
    this.#assertNewest = assertNewest;
    this.#onCallback = onCallback;
    this.#settle = Promise.withResolvers<AuthorizationResponse>();
    this.response = this.#settle.promise;
    // Avoids an unhandled rejection before anyone awaits the response.
    this.response.catch(() => {});
    const wait = Math.min(timeout ?? stateLifetime, stateLifetime);
    this.expiresAt = clock.now() + wait;
    this.#cancelTimer = clock.after(wait, () => {
      const callbackUrl = request.isOwnOAuthApp ? request.redirectUri : undefined;
      const remedy = { kind: 'start-again', tooShort: wait < stateLifetime, callbackUrl } as const;
      this.end(new SignInEnd('expired', { stage: 'authorization', detail: { seconds: wait / 1_000 }, remedy }));
    });
  }

  /**
   * Judges a callback's raw query. The right state is consumed here, whatever else the query contains (spec 2.7). No
   * code is accepted once another process has started a newer sign-in.
   */
  receive(query: string): CallbackVerdict {
    if (!isSameText(stateOf(query) ?? '', this.request.state)) return 'not-valid';
    if (this.#end) return this.#end;
    this.#end = 'used';
    this.#cancelTimer();
    this.#onCallback();
    try {
      this.#assertNewest();
      const response = validateAuthorizationResponse(this.request, query, this.#clock);
      this.#settle.resolve(response);
      return response.kind === 'code' ? 'done' : 'refused';
    } catch (error) {
      this.end(error);
      return verdictOf(error);
    }
  }

  /** Registers a one-time link to the sign-in page. */
  addLink(linkToken: string): void {
    this.#links.set(linkToken, 'new');
  }

  /**
   * Resolves a one-time link. A second use ends the sign-in, even for the first user: one of the two is not our user
   * and could have signed in there as someone else.
   */
  openLink(linkToken: string): LinkTarget {
    const link = [...this.#links].find(([known]) => isSameText(linkToken, known));
    if (!link) return 'not-valid';
    const [known, use] = link;
    this.#links.set(known, 'used');
    if (use === 'new') return this.#end ?? { url: this.request.url };
    this.end(linkReused());
    return 'opened-twice';
  }

  /** Checked after the response too: a link may be reused after the callback. Errors: LINK_REUSED. */
  assertOpenedOnce(): void {
    if (this.#end === 'opened-twice') throw linkReused();
  }

  /** Abort reasons vary; only a `PosternError` says more than "cancelled". */
  cancel(reason: unknown): void {
    const isOurs = reason instanceof PosternError;
    this.end(isOurs ? reason : new PosternError('USER_CANCELLED', { stage: 'authorization' }));
  }

  /** Ends the wait (cancelled, expired, superseded, or link reused) and invalidates the state. */
  end(reason: unknown): void {
    const verdict = verdictOf(reason);
    if (verdict === 'superseded' || verdict === 'opened-twice') this.#end = verdict;
    this.#end ??= 'expired';
    this.#cancelTimer();
    this.#settle.reject(reason);
  }
}

const linkReused = () => new SignInEnd('opened-twice', { stage: 'authorization' });

function verdictOf(error: unknown): Exclude<CallbackVerdict, 'done'> {
  return error instanceof SignInEnd ? error.verdict : 'failed';
}

/**
 * A DPoP key for one token request, if tokens are to be bound. It is stored with the resulting tokens or dropped.
 * Starts with the nonce that the server sent before the user signed in.
 */
export function makeBinding(discovery: Discovery, credentials: ClientCredentials): RequestedBinding | undefined {
  const need = tokenBindingNeed(discovery, credentials);
  if (need === undefined) return undefined;
  const key = ProofKey.create();
  const nonce = discovery.challenge?.dpop?.nonce ?? '';
  key.saveNonce('mcp-server', new URL(discovery.url), new Headers({ 'dpop-nonce': nonce }));
  return { key, isDemanded: need === 'demanded' };
}
