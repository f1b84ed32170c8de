import { Buffer } from 'node:buffer';
import type { CdpConnection, CdpParams, CdpSession } from './cdp-connection.ts';
import { isOwnScheme } from './custom-scheme.ts';

export interface GateRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export interface GateHooks {
  /** Whether the page may load a requested document. */
  readonly mayNavigate: (url: string, frameId: string) => boolean;
  readonly mayRedirect: (url: string, frameId: string) => boolean;
  /** A redirect to something other than a web page. */
  readonly onOtherProgram: (url: string) => void;
  readonly onDocument: (frameId: string, status: number) => void;
  /** The app's own response; undefined for the network's. */
  readonly serve: (request: GateRequest) => Promise<Response | undefined>;
  /** Why a document has no response, as Chromium's error name. */
  readonly onNotServed: (frameId: string, error: string) => void;
  readonly logIn: (challenge: CdpParams) => Promise<{ username: string; password: string } | undefined>;
}

const patterns = [
  { resourceType: 'Document', requestStage: 'Request' },
  // Redirects to other schemes are only visible here.
  { resourceType: 'Document', requestStage: 'Response' },
  { urlPattern: 'https://*.localhost/*', requestStage: 'Request' },
];

/** Intercepts every document and every request for the app's scheme, and asks how to handle it. */
export async function openGate(connection: CdpConnection, session: CdpSession, hooks: GateHooks): Promise<void> {
  session.on('Fetch.requestPaused', (paused: CdpParams) => {
    judge(session, hooks, paused).catch(() => {
      session.post('Fetch.failRequest', { requestId: paused['requestId'], errorReason: 'Failed' });
    });
  });
  session.on('Fetch.authRequired', ({ requestId, authChallenge }: CdpParams) => {
    void hooks.logIn(authChallenge).then((login) =>
      session.post('Fetch.continueWithAuth', {
        requestId,
        authChallengeResponse: login ? { response: 'ProvideCredentials', ...login } : { response: 'CancelAuth' },
      }),
    );
  });
  // A cross-site frame has its own process and session.
  session.on('Target.attachedToTarget', ({ sessionId }: CdpParams) => {
    const frame = connection.session(String(sessionId));
    void openGate(connection, frame, hooks).then(
      () => frame.post('Runtime.runIfWaitingForDebugger'),
      () => {},
    );
  });
  await Promise.all([
    session.send('Fetch.enable', { patterns, handleAuthRequests: true }),
    session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'iframe' }, { exclude: true }],
    }),
  ]);
}

async function judge(session: CdpSession, hooks: GateHooks, paused: CdpParams): Promise<void> {
  const { requestId, request, resourceType, frameId, responseStatusCode, responseErrorReason } = paused;
  const goOn = (): void => session.post('Fetch.continueRequest', { requestId });
  const stop = (): void => session.post('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  const isDocument = resourceType === 'Document';

  if (responseErrorReason !== undefined) return goOn();
  if (responseStatusCode !== undefined) {
    const location = redirectTarget(paused);
    if (location === undefined) {
      hooks.onDocument(String(frameId), Number(responseStatusCode));
      return goOn();
    }
    if (!hooks.mayRedirect(location, String(frameId))) return stop();
    if (isOwnScheme(location)) return goOn();
    hooks.onOtherProgram(location);
    return stop();
  }
  const isHop = paused['redirectedRequestId'] !== undefined;
  if (isDocument && !isHop && !hooks.mayNavigate(String(request.url), String(frameId))) return stop();
  // Chromium requests a favicon; Electron does not.
  if (resourceType === 'Other' && URL.parse(String(request.url))?.pathname === '/favicon.ico') return stop();
  const serving = hooks.serve({
    url: String(request.url),
    method: String(request.method),
    headers: request.headers as Record<string, string>,
    body: request.postData === undefined ? undefined : Buffer.from(String(request.postData)),
  });
  serving.catch(({ message }: Error) => isDocument && hooks.onNotServed(String(frameId), message));
  const response = await serving;
  if (!response) return goOn();
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  });
}

function redirectTarget({ responseStatusCode, responseHeaders, request }: CdpParams): string | undefined {
  if (![301, 302, 303, 307, 308].includes(Number(responseStatusCode))) return undefined;
  const header = (responseHeaders as { name: string; value: string }[] | undefined)?.find(
    ({ name }) => name.toLowerCase() === 'location',
  );
  return header && URL.canParse(header.value, String(request.url))
    ? new URL(header.value, String(request.url)).href
    : undefined;
}
