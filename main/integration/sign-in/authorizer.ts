import { browserAddress } from '../../address/browser-address.ts';
import type { CallbackAnswers, CallbackListener, CallbackVerdict } from '../../callback-ports.ts';
import { urlLength } from '../../limits.ts';
import type { AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import { createAuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import { pushAuthorizationRequest, pushEndpoint } from '../../oauth/token/pushed-request.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { AuthorizationSession } from './authorization-session.ts';
import { listenForCallback } from './callback-address.ts';
import type { LeasedSignIn } from './lease-sign-in.ts';
import type { Flow } from './flow.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { makeBinding } from './make-binding.ts';
import { requestedScope } from './requested-scope.ts';
import type { PendingAuthorization, SignInInteraction } from './sign-in-interaction.ts';
import type { SignInRequest } from './sign-in-request.ts';

/** `credentials`: with what was learned of them on the way. */
export interface Authorized {
  readonly request: AuthorizationRequest;
  readonly response: AuthorizationResponse;
  readonly credentials: ClientCredentials;
}

/** The way through the person's browser and back: one request at a time, on one listener. */
export interface Authorizer {
  readonly redirectUri: string;
  /**
   * Shows a sign-in page and waits for its callback. Errors: those of `createAuthorizationRequest`, STATE_EXPIRED,
   * USER_CANCELLED, FLOW_SUPERSEDED.
   */
  authorize(
    request: SignInRequest,
    discovery: Discovery,
    credentials: ClientCredentials,
    reused: boolean,
  ): Promise<Authorized>;
  /** Throws LINK_REUSED when the link of the last page was opened twice. */
  assertOpenedOnce(): void;
  /** Ends what still waits, and gives the port up. */
  close(): Promise<void>;
}

/** Binds the callback listener, so that it is there before any URL names it. Errors: PORT_UNAVAILABLE. */
export async function openAuthorizer(
  ports: EnginePorts,
  { typed, discovery: found, options, timeout }: SignInRequest,
  flow: Flow,
  interaction: SignInInteraction,
  { signal, supersedes, assertNewest }: LeasedSignIn,
): Promise<Authorizer> {
  let session: AuthorizationSession | undefined;
  // A client that somebody typed is known with one redirect URI; any other is registered with this one.
  const mayMove = typed === undefined && found.method !== 'OAuth';
  const answers: CallbackAnswers = {
    callback(query) {
      const verdict = session?.receive(query) ?? 'not-valid';
      if (verdict === 'used') ports.log.write('callback-ignored', { code: 'STATE_REUSED' });
      return verdict;
    },
    link: (word) => session?.follow(word) ?? 'not-valid',
  };
  const listener = await listenForCallback(ports, { host: options.callbackHost, mayMove, supersedes, signal }, answers);
  const cancel = (): void => session?.cancel(signal.reason);
  signal.addEventListener('abort', cancel);
  return {
    redirectUri: listener.url,
    async authorize(request, discovery, given, reused) {
      const binding = makeBinding(discovery, given);
      const asked = createAuthorizationRequest(ports.random, ports.clock, {
        discovery,
        credentials: given,
        binding: binding && { ...binding, thumbprint: await binding.key.thumbprint() },
        redirectUri: given.redirectUri,
        scope: requestedScope(request, discovery),
        pkce: request.options.pkce,
        sendResource: request.options.sendResource,
        otherAccount: request.otherAccount,
        loginHint: discovery.issuerKey === request.earlierIssuerKey ? request.loginHint : undefined,
      });
      const { metadata } = discovery;
      const endpoint = metadata && pushEndpoint(metadata, given, request.options.pushRequests === true);
      const policy = integrationPolicy(discovery.url, request.options);
      const push = (credentials: ClientCredentials) =>
        metadata && endpoint !== undefined
          ? pushAuthorizationRequest(ports, { request: asked, credentials, metadata, endpoint, reused, policy, signal })
          : undefined;
      const pushed = await push(given);
      if (pushed?.kind === 'authorization-refused') return { request: asked, credentials: given, response: pushed };
      const credentials = pushed?.credentials ?? given;
      const onAnswer = (): void => interaction.onEvent({ event: 'callback' });
      const waiting = new AuthorizationSession(ports.clock, pushed?.request ?? asked, timeout, assertNewest, onAnswer);
      session = waiting;
      signal.throwIfAborted();
      const renew = async (): Promise<void> => {
        const again = await push(credentials);
        if (again?.kind === 'authorization-refused') throw again.error;
        if (!again || !shown) return;
        waiting.request = again.request;
        shown.openBefore = again.openBefore;
      };
      const shown = pushed && { openBefore: pushed.openBefore, renew };
      presentAuthorization(waiting, listener, flow, interaction, signal, ports, shown);
      return { request: waiting.request, credentials, response: await waiting.response };
    },
    assertOpenedOnce: () => session?.assertOpenedOnce(),
    async close() {
      signal.removeEventListener('abort', cancel);
      cancel();
      await listener.close();
    },
  };
}

/** Shows the sign-in page without waiting for it: the callback may come before a browser has answered. */
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
    expiresAt,
    browserUrl() {
      // What the link leads to, too.
      browserAddress(session.request.url);
      const word = Buffer.from(ports.random.bytes(32)).toString('base64url');
      session.addLink(word);
      return browserAddress(listener.linkTo(word));
    },
    submit: (address) => submitAddress(session, listener.url, address),
  };
  interaction.open(pending, signal).catch((error: unknown) => {
    // By its code: three hosts of the port throw it, and a class of its own would do no more than this.
    const stillUsable = error instanceof PosternError && error.code === 'BROWSER_OPEN_FAILED';
    if (stillUsable) interaction.onEvent({ event: 'note', note: 'browser-open-failed' });
    else session.end(error);
    ports.log.write('browser-open-failed');
  });
}

/**
 * Takes the address that a browser landed on, pasted by a person whose browser cannot reach this machine. It must be
 * our callback address and carry the right state; anything else changes nothing.
 */
export function submitAddress(session: AuthorizationSession, callbackUrl: string, address: string): CallbackVerdict {
  const text = address.trim();
  if (text.length > urlLength.authorizationRequest || !URL.canParse(text)) return 'not-valid';
  const landed = new URL(text);
  if (`${landed.origin}${landed.pathname}` !== callbackUrl) return 'not-valid';
  return session.receive(landed.search.slice(1));
}
