import type * as Electron from 'electron';
import { fromChromiumUrl, toChromiumPolicy, wholeUrl } from './custom-scheme.ts';
import type { GateRequest } from './navigation-gate.ts';
import { notEmulated, strictObject } from './not-emulated.ts';

type Handler = (request: Request) => Response | Promise<Response>;

type BufferHandler = Parameters<Electron.Protocol['registerBufferProtocol']>[1];

export interface StandInProtocol extends Pick<
  Electron.Protocol,
  'handle' | 'registerBufferProtocol' | 'unhandle' | 'isProtocolHandled' | 'registerSchemesAsPrivileged'
> {}

export interface ProtocolServer {
  readonly protocol: StandInProtocol;
  /** The app's response; undefined for Chromium's schemes. Errors: their message is Chromium's error name. */
  readonly serve: (request: GateRequest) => Promise<Response | undefined>;
  /** The same for the app itself, with its own URLs. */
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
    registerBufferProtocol(scheme: string, handler: BufferHandler) {
      protocol.handle(scheme, async (request) => await answerFromBuffer(handler, request));
      return true;
    },
    unhandle(scheme: string) {
      if (!handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme} is not handled`);
    },
    isProtocolHandled: (scheme: string) => handlers.has(scheme) || ['http', 'https', 'file'].includes(scheme),
  }) satisfies StandInProtocol;

  async function serve({ url, method, headers, body }: GateRequest): Promise<Response | undefined> {
    const appUrl = fromChromiumUrl(url);
    if (appUrl === url) return undefined;
    const scheme = appUrl.slice(0, appUrl.indexOf(':'));
    const handler = handlers.get(scheme);
    // An unhandled scheme never reaches the network.
    if (!handler) throw new Error(failed);
    const response = await runHandler(
      handler,
      new Request(appUrl, { method, headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) }),
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
      return await runHandler(handler, new Request(wholeUrl(url)));
    },
  };
}

const failed = 'net::ERR_FAILED';

async function answerFromBuffer(handler: BufferHandler, { url, method, headers }: Request): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Buffer | Electron.ProtocolResponse>();
  handler({ url, method, headers: Object.fromEntries(headers), referrer: '' }, resolve);
  const response = await promise;
  if (Buffer.isBuffer(response) || !Buffer.isBuffer(response.data) || response.mimeType !== undefined)
    return notEmulated('an answer of a protocol that is no buffer with headers');
  const { data, statusCode = 200, headers: sent = {} } = response;
  return new Response(new Uint8Array(data), {
    status: statusCode,
    headers: new Headers(sent as Record<string, string>),
  });
}

/** The requester learns nothing about the app's errors. */
async function runHandler(handler: Handler, request: Request): Promise<Response> {
  const response = await (async () => handler(request))().catch(() => undefined);
  if (typeof response?.status !== 'number') throw new Error('net::ERR_UNEXPECTED');
  if (response.type === 'error') throw new Error(failed);
  return response;
}
