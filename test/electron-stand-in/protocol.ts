import type * as Electron from 'electron';
import { fromChromiumUrl, toChromiumPolicy, wholeUrl } from './custom-scheme.ts';
import type { GateRequest } from './navigation-gate.ts';
import { notEmulated, strictObject } from './not-emulated.ts';

type Handler = (request: Request) => Response | Promise<Response>;

export interface StandInProtocol extends Pick<
  Electron.Protocol,
  'handle' | 'unhandle' | 'isProtocolHandled' | 'registerSchemesAsPrivileged'
> {}

export interface ProtocolServer {
  readonly protocol: StandInProtocol;
  /** The program's answer; undefined for a scheme of Chromium. Errors: their message is Chromium's name for them. */
  readonly serve: (request: GateRequest) => Promise<Response | undefined>;
  /** The same for the program itself, by its own addresses. */
  readonly fetch: (url: string) => Promise<Response>;
}

const privileged = new Set<string>();
let isReady = false;

export function closeSchemeRegistration(): void {
  isReady = true;
}

/** `protocol` of one session. */
export function createProtocol(): ProtocolServer {
  const handlers = new Map<string, Handler>();
  const protocol = strictObject('protocol', {
    registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]) {
      if (isReady) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
      for (const { scheme } of schemes) privileged.add(scheme);
    },
    handle(scheme: string, handler: Handler) {
      if (handlers.has(scheme)) throw new Error('Failed to register protocol: already handled');
      if (!privileged.has(scheme)) throw new Error(`not emulated: the scheme ${scheme} without privileges`);
      handlers.set(scheme, handler);
    },
    unhandle(scheme: string) {
      if (!handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme} is not handled`);
    },
    isProtocolHandled: (scheme: string) => handlers.has(scheme) || ['http', 'https', 'file'].includes(scheme),
  }) satisfies StandInProtocol;

  async function serve({ url, method, headers, body }: GateRequest): Promise<Response | undefined> {
    const asked = fromChromiumUrl(url);
    if (asked === url) return undefined;
    const scheme = asked.slice(0, asked.indexOf(':'));
    const handler = handlers.get(scheme);
    // Nobody's, and no network is asked for it.
    if (!handler) throw new Error(failed);
    const response = await answerBy(
      handler,
      new Request(asked, { method, headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) }),
    );
    const policy = response.headers.get('content-security-policy');
    if (policy === null) return response;
    const mapped = new Headers(response.headers);
    mapped.set('content-security-policy', toChromiumPolicy(policy, scheme));
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers: mapped });
  }
  return {
    protocol,
    serve,
    async fetch(url) {
      const handler = handlers.get(url.slice(0, url.indexOf(':')));
      if (!handler) return notEmulated(`fetch of ${url}`);
      return await answerBy(handler, new Request(wholeUrl(url)));
    },
  };
}

const failed = 'net::ERR_FAILED';

/** Whoever asks learns nothing of the program's errors. */
async function answerBy(handler: Handler, request: Request): Promise<Response> {
  const response = await (async () => handler(request))().catch(() => undefined);
  if (typeof response?.status !== 'number') throw new Error('net::ERR_UNEXPECTED');
  if (response.type === 'error') throw new Error(failed);
  return response;
}
