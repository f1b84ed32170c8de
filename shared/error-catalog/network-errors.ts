import type { NetworkRemedy, Remedy } from '../remedy.ts';
import { advise, dayOf, errorEntry, fixDocument, hostOr } from './catalog-entry.ts';
import type { Causes, CatalogEntry, Detail } from './catalog-entry.ts';

/**
 * Why a connection failed, as a closed list; `faultWords` has a message for each. With DNS_FAIL, CONNECT_FAIL, TLS_FAIL
 * and DEADLINE it is about the host, with PROXY_FAIL about the proxy.
 */
// prettier-ignore
export const networkFaults = [
  // Before there is a connection
  'offline', 'name-not-found', 'name-server-silent', 'refused', 'unreachable', 'connect-timeout',
  // The connection itself
  'closed', 'cut-off', 'not-http', 'broken-http', 'tls-spoken',
  // TLS and certificates
  'tls-not-spoken', 'tls-handshake', 'tls-client-certificate', 'certificate-unknown-authority',
  'certificate-self-signed', 'certificate-expired', 'certificate-not-yet-valid', 'certificate-wrong-name',
  'certificate-refused',
  // Proxy responses
  'proxy-password', 'proxy-refused', 'proxy-no-way',
] as const;

export type NetworkFault = (typeof networkFaults)[number];

/** Facts of a network fault; `reason` is the Node or OpenSSL code. */
export type FaultFact = 'fault' | 'place' | 'proxy' | 'host' | 'endpoint' | 'validUntil' | 'validFrom' | 'reason';
export type Fault = { readonly fault: NetworkFault };
type FaultDetail = Detail<FaultFact, Fault>;

/** `who` starts the sentence: a proxy, or a host with its port if the address has one. */
interface FaultWords {
  readonly message: (who: string, detail: FaultDetail) => string;
  /** The remedy when the user typed the address and it may be wrong. */
  readonly ifTyped?: NetworkRemedy;
  readonly remedy: NetworkRemedy;
}

const offlineOrVpn = advise('check-connection', 'checkConnectionOrVpn');
const laterOrOwner = advise('contact-owner', 'tryAgainLaterContactOwner');

const proxySettings = advise('check-proxy', 'checkProxySettings');

const within = (who: string): string => who.replace(/^The /, 'the ');

/** The messages have no final period, so that one about a proxy can continue. */
const faultWords: Readonly<Record<NetworkFault, FaultWords>> = {
  offline: {
    message: (who) => `You appear to be offline. Postern could not reach ${within(who)}`,
    remedy: advise('check-connection', 'connectToNetwork'),
  },
  'name-not-found': {
    message: (who) => `${who} was not found: this name does not exist`,
    remedy: offlineOrVpn,
    ifTyped: advise('check-address', 'checkSpellingOrVpn'),
  },
  'name-server-silent': {
    message: (who) => `${who} could not be looked up: the DNS server did not respond`,
    remedy: advise('check-connection', 'checkConnectionTryAgain'),
  },
  refused: {
    message: (who) => `${who} refused the connection: nothing seems to run there`,
    remedy: advise('check-connection', 'tryAgainLaterOrStart'),
    ifTyped: advise('check-address', 'checkServerIsRunning'),
  },
  unreachable: {
    message: (who) => `${who} can’t be reached from this network`,
    remedy: offlineOrVpn,
  },
  'connect-timeout': {
    message: (who) => `${who} did not respond to the connection attempt`,
    remedy: offlineOrVpn,
    ifTyped: advise('check-address', 'checkPortOrFirewall'),
  },
  closed: {
    message: (who) => `${who} closed the connection without a response`,
    remedy: laterOrOwner,
    ifTyped: advise('check-address', 'checkPortTryAgain'),
  },
  'cut-off': {
    message: (who) => `${who} closed the connection before its response was complete`,
    remedy: advise('contact-owner', 'tryAgainOwnerMustFix'),
  },
  'not-http': {
    message: (who) => `${who} responded, but not with HTTP`,
    remedy: fixDocument,
    ifTyped: advise('check-address', 'otherServiceAtPort'),
  },
  'broken-http': {
    message: (who) => `${who} responded with invalid HTTP`,
    remedy: laterOrOwner,
    ifTyped: advise('check-address', 'checkAddressOrOwnerMustFix'),
  },
  'tls-spoken': {
    message: (who) => `${who} needs an encrypted connection, but the address starts with http://`,
    remedy: fixDocument,
    ifTyped: advise('check-address', 'putHttpsInFrontOfAddress'),
  },
  'tls-not-spoken': {
    message: (who) => `${who} responded without encryption (TLS). Postern sent nothing`,
    remedy: fixDocument,
    ifTyped: advise('check-address', 'checkPortOrUseHttp'),
  },
  'tls-handshake': {
    message: (who) => `${who} and Postern support no common encryption. Postern sent nothing`,
    remedy: laterOrOwner,
    ifTyped: advise('check-address', 'checkPortOrOwnerMustFixTls'),
  },
  'tls-client-certificate': {
    message: (who) => `${who} asks for a client certificate, which Postern does not have`,
    remedy: advise('contact-owner', 'askForAddressWithoutCertificate'),
  },
  'certificate-unknown-authority': {
    message: (who) =>
      `The certificate of ${within(who)} is from an authority that this computer does not trust. Postern sent nothing`,
    remedy: { kind: 'trust-certificate', whose: 'company' },
  },
  'certificate-self-signed': {
    message: (who) => `The certificate of ${within(who)} is self-signed. Postern sent nothing`,
    remedy: { kind: 'trust-certificate', whose: 'own' },
  },
  'certificate-expired': {
    message: (who, { validUntil: until }) =>
      `The certificate of ${within(who)} has expired${until === undefined ? '' : ` (on ${dayOf(until)})`}. Postern sent nothing`,
    remedy: advise('check-clock', 'renewCertificate'),
  },
  'certificate-not-yet-valid': {
    message: (who, { validFrom: from }) =>
      `The certificate of ${within(who)} is not valid yet${from === undefined ? '' : ` (only from ${dayOf(from)})`}. Postern sent nothing`,
    remedy: advise('check-clock', 'replaceCertificate'),
  },
  'certificate-wrong-name': {
    message: (who) => `The certificate of ${within(who)} is for another name. Postern sent nothing`,
    remedy: { kind: 'check-certificate', problem: 'refused' },
    ifTyped: { kind: 'check-certificate', problem: 'name' },
  },
  'certificate-refused': {
    message: (who, { reason }) =>
      `The certificate of ${within(who)} can’t be trusted${reason === undefined ? '' : ` (${reason})`}. Postern sent nothing`,
    remedy: { kind: 'check-certificate', problem: 'refused' },
  },
  'proxy-password': {
    message: (who) => `${who} needs a user name and password, or rejected the ones it got`,
    remedy: advise('check-proxy', 'writeProxyCredentials'),
  },
  'proxy-refused': {
    message: (who) => `${who} refused the connection`,
    remedy: advise('check-proxy', 'askProxyOwner'),
  },
  'proxy-no-way': {
    message: (who) => `${who} found no route to the server`,
    remedy: laterOrOwner,
    ifTyped: advise('check-address', 'checkAddressTryAgain'),
  },
};

/** The start of each certificate remedy; each surface adds its own commands or settings. */
export const certificateSteps = {
  name: 'Check the address. It must have the name on the certificate.',
  refused: 'The server’s owner has to replace it.',
  company: 'If it is your company’s authority,',
  own: 'If it is your own server,',
} as const;

/** Faults with the same remedy at a proxy; for the others, check the proxy settings. */
const sameAtProxy: ReadonlySet<NetworkFault> = new Set([
  'certificate-unknown-authority',
  'certificate-self-signed',
  'certificate-expired',
  'certificate-not-yet-valid',
  'proxy-password',
  'proxy-refused',
  'proxy-no-way',
]);

const portOrHttps = advise('check-address', 'checkPortOrUseHttps');

/** `at`: where the fault was, the server by its scheme. `isTyped`: the user typed the address, and it never worked. */
export function remedyOfFault(fault: NetworkFault, at: 'http' | 'https' | 'proxy', isTyped: boolean): NetworkRemedy {
  if (at === 'proxy' && !sameAtProxy.has(fault)) return proxySettings;
  if (!isTyped) return faultWords[fault].remedy;
  return at === 'http' && fault === 'closed' ? portOrHttps : (faultWords[fault].ifTyped ?? faultWords[fault].remedy);
}

/** Whether a wrong address can cause the fault. */
export function mayBeTypo(fault: NetworkFault, at: 'http' | 'https' | 'proxy'): boolean {
  return faultWords[fault].ifTyped !== undefined && (at !== 'proxy' || fault === 'proxy-no-way');
}

/** Endpoints of a sign-in service by `detail.endpoint`. The user typed none of them. */
const endpoints: Readonly<Record<string, string | undefined>> = {
  registration: 'registration endpoint',
  'pushed-request': 'pushed authorization request endpoint',
  device: 'device authorization endpoint',
  token: 'token endpoint',
  revocation: 'revocation endpoint',
};

/** The message for `detail.fault` at `place` or at the proxy; `undefined` if no fault is known. */
function describeFault(detail: FaultDetail): string | undefined {
  const { fault } = detail;
  if (fault === undefined || !Object.hasOwn(faultWords, fault)) return undefined;
  const { message } = faultWords[fault];
  const { place, proxy, host } = detail;
  const endpoint = endpoints[detail.endpoint ?? ''];
  const at = place ?? host;
  if (proxy === undefined)
    return `${message(at === undefined ? 'The server' : endpoint === undefined ? at : `The ${endpoint} ${at}`, detail)}.`;
  return `${message(`The proxy ${proxy}`, detail)}. ${host ?? 'The server'} was not reached.`;
}

/** The same with a space before it, to append; empty if no fault is known. */
export function faultSentence(detail: FaultDetail): string {
  const words = describeFault(detail);
  return words === undefined ? '' : ` ${words}`;
}

export const contactOwner = advise('contact-owner', 'tryAgainLaterContactOwner');
const checkAddress = advise('check-address', 'checkAddressOrOwnerMustFix');
export const checkConnection = advise('check-connection', 'checkConnectionTryAgain');

/** The message of the fault if one is known, otherwise that of the code. */
function withFault(
  words: CatalogEntry<FaultFact, Fault> & { message: (detail: FaultDetail) => string },
): CatalogEntry<FaultFact, Fault> {
  return { ...words, message: (detail) => describeFault(detail) ?? words.message(detail) };
}

/** The remedy when the right address is known. */
export function useAddress(address: string): Remedy {
  return advise('check-address', 'useThisAddress', { address });
}

/** The redirect target; its host is left out if unknown or the same. */
const placeOf = ({ host, target }: Detail<'host' | 'target'>): string =>
  target === undefined || target === host ? 'another address' : target;

export const networkErrors = {
  DNS_FAIL: withFault({
    blame: 'network',
    traits: ['unanswered', 'server-away', 'passing'],
    message: (detail) => `${hostOr(detail, 'The server')} was not found on the network.`,
    remedy: checkConnection,
    otherwise: advise('check-address', 'checkSpellingAndConnection'),
    retryable: true,
  }),
  DNS_REBIND: errorEntry<'host'>({
    blame: 'network',
    traits: ['forbidden-host'],
    message: (detail) =>
      `${hostOr(detail, 'The server')} suddenly pointed to a protected address. Postern did not contact it.`,
    remedy: { kind: 'allow-local', because: 'rebound' },
    retryable: false,
  }),
  TLS_FAIL: withFault({
    blame: 'network',
    traits: ['unanswered', 'tls', 'passing'],
    message: (detail) => `Postern could not make an encrypted connection to ${hostOr(detail, 'the server')}.`,
    remedy: contactOwner,
    otherwise: advise('check-address', 'checkAddressTryAgain'),
    retryable: false,
  }),
  CONNECT_FAIL: withFault({
    blame: 'network',
    traits: ['unanswered', 'server-away', 'broken-connection', 'passing'],
    message: (detail) => `The connection to ${hostOr(detail, 'the server')} failed.`,
    remedy: checkConnection,
    otherwise: advise('check-address', 'checkAddressAndConnection'),
    retryable: true,
  }),
  PROXY_FAIL: withFault({
    blame: 'network',
    traits: ['unanswered', 'passing'],
    message: (detail) =>
      `The proxy ${detail.proxy === undefined ? '' : `${detail.proxy} `}did not connect to ${hostOr(detail, 'the server')}.`,
    remedy: proxySettings,
    retryable: true,
  }),
  DEADLINE: withFault({
    blame: 'network',
    traits: ['unanswered', 'server-away', 'timeout', 'passing'],
    message: (detail) => `${hostOr(detail, 'The server')} took too long to respond.`,
    remedy: advise('check-connection', 'tryAgainLater'),
    retryable: true,
  }),
  REDIRECT_REFUSED: errorEntry<'address' | 'host' | 'target'>({
    blame: 'answer',
    traits: ['unreadable-answer'],
    message: (detail) =>
      detail.address === undefined
        ? `${hostOr(detail, 'The server')} redirects to ${placeOf(detail)}. Postern did not follow.`
        : `${hostOr(detail, 'The server')} requires https.`,
    remedy: advise('contact-owner', 'askOwnerForNewAddress'),
    otherwise: advise('check-address', 'serverMayHaveMoved'),
    retryable: false,
  }),
  REDIRECT_LOOP: errorEntry<'host'>({
    blame: 'answer',
    traits: ['unreadable-answer'],
    message: (detail) => `${hostOr(detail, 'The server')} redirected Postern too many times.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  HEADERS_TOO_LARGE: errorEntry<'host'>({
    blame: 'answer',
    traits: ['unreadable-answer'],
    message: (detail) => `${hostOr(detail, 'The server')} sent response headers that are too large.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  BODY_TOO_LARGE: errorEntry<'host'>({
    blame: 'answer',
    traits: ['unreadable-answer'],
    message: (detail) => `${hostOr(detail, 'The server')} sent a response that is too large.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  BODY_ENCODING: errorEntry<'host'>({
    blame: 'answer',
    traits: ['unreadable-answer'],
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent compressed data, although Postern asked for uncompressed data.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  CONTENT_TYPE: errorEntry<'host'>({
    blame: 'answer',
    traits: ['passing'],
    message: (detail) => `${hostOr(detail, 'This address')} returned a web page instead of data.`,
    remedy: advise('check-connection', 'signInToNetwork'),
    otherwise: advise('check-address', 'checkAddressOrNetworkSignIn'),
    retryable: false,
  }),
  JSON_INVALID: errorEntry<'host'>({
    blame: 'document',
    message: (detail) => `${hostOr(detail, 'The server')} sent invalid JSON.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  JSON_DEPTH: errorEntry<'host'>({
    blame: 'document',
    message: (detail) => `${hostOr(detail, 'The server')} sent JSON that is nested too deeply.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  JSON_DUPLICATE_KEY: errorEntry<'host'>({
    blame: 'document',
    message: (detail) => `${hostOr(detail, 'The server')} sent JSON with duplicate keys, so it can’t be trusted.`,
    remedy: contactOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  SCHEMA_INVALID: errorEntry<'field' | 'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent incomplete or wrong sign-in data${detail.field === undefined ? '' : ` (${detail.field})`}.`,
    remedy: fixDocument,
    otherwise: checkAddress,
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const networkErrorCauses: Causes<typeof networkErrors> = {
  DNS_FAIL: 'No internet connection, a misspelled address, or an internal name outside its network or VPN.',
  DNS_REBIND: 'A name that resolves differently inside your network or VPN, or an attack.',
  TLS_FAIL: 'An expired or self-signed certificate, a company’s own authority, or a wrong clock.',
  CONNECT_FAIL: 'No internet connection, a VPN that is off, a firewall, or a server that is down.',
  PROXY_FAIL: 'The proxy settings are outdated, or the proxy is down or does not allow this host.',
  DEADLINE: 'A slow or overloaded server or network, or a firewall that drops packets without a response.',
  REDIRECT_REFUSED: 'The server has moved, or a network redirects you to its own sign-in page.',
  REDIRECT_LOOP: 'A misconfigured server.',
  HEADERS_TOO_LARGE: 'A misconfigured server, often with too many cookies.',
  BODY_TOO_LARGE: 'The address leads to something other than an MCP server, or the server returns too much at once.',
  BODY_ENCODING: 'A proxy or CDN in front of the server compresses everything.',
  CONTENT_TYPE: 'A hotel or company network that shows its own sign-in page, or an address that is a website.',
  JSON_INVALID: 'A fault of the server, an error page in place of data, or a response that was cut off.',
  JSON_DEPTH: 'A fault of the server, or an attack.',
  JSON_DUPLICATE_KEY: 'A fault of the server, or an attack.',
  SCHEMA_INVALID: 'The server or its sign-in service does not follow the standards.',
};
