import type { NetworkRemedy, Remedy } from '../remedy.ts';
import { advise, dayOf, errorEntry, fixDocument, hostOr } from './catalogue-entry.ts';
import type { CatalogueEntry, Detail } from './catalogue-entry.ts';

/**
 * What stood in the way of a connection, or was wrong with its answer, as a closed list: each has words of its own in
 * `error-catalogue/network-faults.ts`. With the codes DNS_FAIL, CONNECT_FAIL, TLS_FAIL and DEADLINE it is about the
 * host, with PROXY_FAIL about the proxy on the way.
 */
// prettier-ignore
export const networkFaults = [
  // before there is a connection
  'offline', 'name-not-found', 'name-server-silent', 'refused', 'unreachable', 'connect-timeout',
  // the connection itself
  'closed', 'cut-off', 'not-http', 'broken-http', 'tls-spoken',
  // TLS and certificates
  'tls-not-spoken', 'tls-handshake', 'tls-client-certificate', 'certificate-unknown-authority',
  'certificate-self-signed', 'certificate-expired', 'certificate-not-yet-valid', 'certificate-wrong-name',
  'certificate-refused',
  // what a proxy answers
  'proxy-password', 'proxy-refused', 'proxy-no-way',
] as const;

export type NetworkFault = (typeof networkFaults)[number];

/** What is known of a network fault; `reason` is the code of Node or OpenSSL. */
export type FaultFact = 'fault' | 'place' | 'proxy' | 'host' | 'endpoint' | 'validUntil' | 'validFrom' | 'reason';
export type Fault = { readonly fault: NetworkFault };
type FaultDetail = Detail<FaultFact, Fault>;

/** `who` begins the sentence: a host, with its port where the address has one, or a proxy. */
interface FaultWords {
  readonly message: (who: string, detail: FaultDetail) => string;
  /** Where a mistake in the address may be the reason, and the user typed it. */
  readonly typed?: NetworkRemedy;
  readonly remedy: NetworkRemedy;
}

const offlineOrVpn = advise('check-connection', 'checkConnectionOrVpn');
const laterOrOwner = advise('tell-owner', 'tryAgainLaterContactOwner');

const proxySettings = advise('check-proxy', 'checkProxySettings');

const within = (who: string): string => who.replace(/^The /, 'the ');

/** Our words for each fault. A sentence ends where the proxy's may go on: without a full stop. */
const faultWords: Readonly<Record<NetworkFault, FaultWords>> = {
  offline: {
    message: (who) => `You appear to be offline, so ${within(who)} was not reached`,
    remedy: advise('check-connection', 'connectToNetwork'),
  },
  'name-not-found': {
    message: (who) => `${who} was not found: there is no such name`,
    remedy: offlineOrVpn,
    typed: advise('check-address', 'checkSpellingOrVpn'),
  },
  'name-server-silent': {
    message: (who) => `${who} could not be looked up: the name server gave no answer`,
    remedy: advise('check-connection', 'checkConnectionTryAgain'),
  },
  refused: {
    message: (who) => `${who} refused the connection: nothing seems to run there`,
    remedy: advise('check-connection', 'tryAgainLaterOrStart'),
    typed: advise('check-address', 'checkServerIsRunning'),
  },
  unreachable: {
    message: (who) => `${who} cannot be reached from this network`,
    remedy: offlineOrVpn,
  },
  'connect-timeout': {
    message: (who) => `${who} did not answer the attempt to connect`,
    remedy: offlineOrVpn,
    typed: advise('check-address', 'checkPortOrFirewall'),
  },
  closed: {
    message: (who) => `${who} closed the connection without an answer`,
    remedy: laterOrOwner,
    typed: advise('check-address', 'checkPortTryAgain'),
  },
  'cut-off': {
    message: (who) => `${who} closed the connection in the middle of its answer`,
    remedy: advise('tell-owner', 'tryAgainOwnerMustFix'),
  },
  'not-http': {
    message: (who) => `${who} answered, but not with HTTP`,
    remedy: fixDocument,
    typed: advise('check-address', 'otherServiceAtPort'),
  },
  'broken-http': {
    message: (who) => `${who} answered with HTTP that breaks its rules`,
    remedy: laterOrOwner,
    typed: advise('check-address', 'checkAddressOrOwnerMustFix'),
  },
  'tls-spoken': {
    message: (who) => `${who} wants an encrypted connection, and the address begins with http://`,
    remedy: fixDocument,
    typed: advise('check-address', 'putHttpsInFrontOfAddress'),
  },
  'tls-not-spoken': {
    message: (who) => `${who} answered, but not with an encrypted connection (TLS). Nothing was sent`,
    remedy: fixDocument,
    typed: advise('check-address', 'checkPortOrUseHttp'),
  },
  'tls-handshake': {
    message: (who) => `${who} and Postern could not agree on how to encrypt the connection. Nothing was sent`,
    remedy: laterOrOwner,
    typed: advise('check-address', 'checkPortOrOwnerMustFixTls'),
  },
  'tls-client-certificate': {
    message: (who) => `${who} asks for a client certificate, and Postern has none to show`,
    remedy: advise('tell-owner', 'askForAddressWithoutCertificate'),
  },
  'certificate-unknown-authority': {
    message: (who) =>
      `The certificate of ${within(who)} is from an authority that this computer does not know. Nothing was sent`,
    remedy: { kind: 'trust-certificate', whose: 'company' },
  },
  'certificate-self-signed': {
    message: (who) => `The certificate of ${within(who)} is vouched for by nobody but itself. Nothing was sent`,
    remedy: { kind: 'trust-certificate', whose: 'own' },
  },
  'certificate-expired': {
    message: (who, { validUntil: until }) =>
      `The certificate of ${within(who)} has expired${until === undefined ? '' : ` (on ${dayOf(until)})`}. Nothing was sent`,
    remedy: advise('check-clock', 'renewCertificate'),
  },
  'certificate-not-yet-valid': {
    message: (who, { validFrom: from }) =>
      `The certificate of ${within(who)} is not valid yet${from === undefined ? '' : ` (from ${dayOf(from)} on)`}. Nothing was sent`,
    remedy: advise('check-clock', 'replaceCertificate'),
  },
  'certificate-wrong-name': {
    message: (who) => `The certificate of ${within(who)} is for another name. Nothing was sent`,
    remedy: { kind: 'check-certificate', problem: 'refused' },
    typed: { kind: 'check-certificate', problem: 'name' },
  },
  'certificate-refused': {
    message: (who, { reason }) =>
      `The certificate of ${within(who)} cannot be trusted${reason === undefined ? '' : ` (${reason})`}. Nothing was sent`,
    remedy: { kind: 'check-certificate', problem: 'refused' },
  },
  'proxy-password': {
    message: (who) => `${who} wants a user name and password, or others than it was given`,
    remedy: advise('check-proxy', 'writeProxyCredentials'),
  },
  'proxy-refused': {
    message: (who) => `${who} does not open this way`,
    remedy: advise('check-proxy', 'askProxyOwner'),
  },
  'proxy-no-way': {
    message: (who) => `${who} found no way there`,
    remedy: laterOrOwner,
    typed: advise('check-address', 'checkAddressTryAgain'),
  },
};

/** What every surface says of a certificate, before it goes on with its own commands or places. */
export const certificateSteps = {
  name: 'Check the address: it has to have the name that the certificate is for.',
  refused: 'The owner of the server has to replace it.',
  company: 'If it is the authority of your company,',
  own: 'If it is yours,',
} as const;

/** Faults whose remedy helps at a proxy too; for the others its settings do. */
const sameAtProxy: ReadonlySet<NetworkFault> = new Set([
  'certificate-unknown-authority',
  'certificate-self-signed',
  'certificate-expired',
  'certificate-not-yet-valid',
  'proxy-password',
  'proxy-refused',
  'proxy-no-way',
]);

const perhapsHttps = advise('check-address', 'checkPortOrUseHttps');

/**
 * What helps. `at`: where it stood in the way, the server by its scheme. `isTyped`: at an address that the user typed,
 * which has never worked.
 */
export function remedyOfFault(fault: NetworkFault, at: 'http' | 'https' | 'proxy', isTyped: boolean): NetworkRemedy {
  if (at === 'proxy' && !sameAtProxy.has(fault)) return proxySettings;
  if (!isTyped) return faultWords[fault].remedy;
  return at === 'http' && fault === 'closed' ? perhapsHttps : (faultWords[fault].typed ?? faultWords[fault].remedy);
}

/** Whether a mistake in the address may be what it comes from. */
export function mayBeTyped(fault: NetworkFault, at: 'http' | 'https' | 'proxy'): boolean {
  return faultWords[fault].typed !== undefined && (at !== 'proxy' || fault === 'proxy-no-way');
}

/** Parts of a sign-in service by `detail.endpoint`: what the user typed is none of them. */
const endpoints: Readonly<Record<string, string | undefined>> = {
  registration: 'registration endpoint',
  'pushed-request': 'endpoint for pushed requests',
  device: 'endpoint for device codes',
  token: 'token endpoint',
  revocation: 'revocation endpoint',
};

/** The sentence for `detail.fault` at `place` or at the proxy; `undefined` where none is known. */
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

/** The same as a further sentence, with a space before it; nothing where no fault is known. */
export function faultSentence(detail: FaultDetail): string {
  const words = describeFault(detail);
  return words === undefined ? '' : ` ${words}`;
}

export const tellOwner = advise('tell-owner', 'tryAgainLaterContactOwner');
const checkAddress = advise('check-address', 'checkAddressOrOwnerMustFix');
export const checkConnection = advise('check-connection', 'checkConnectionTryAgain');

/** The sentence of the fault where one is known, else that of the code. */
function withFault(
  words: CatalogueEntry<FaultFact, Fault> & { message: (detail: FaultDetail) => string },
): CatalogueEntry<FaultFact, Fault> {
  return { ...words, message: (detail) => describeFault(detail) ?? words.message(detail) };
}

/** Where the address that helps is known. */
export function useAddress(address: string): Remedy {
  return advise('check-address', 'useThisAddress', { address });
}

/** Where a redirect leads; within a host, or where none is named, its name would say nothing. */
const placeOf = ({ host, target }: Detail<'host' | 'target'>): string =>
  target === undefined || target === host ? 'another place' : target;

export const networkErrors = {
  DNS_FAIL: withFault({
    blame: 'network',
    about: ['unanswered', 'server-away', 'passing'],
    message: (detail) => `${hostOr(detail, 'The server')} could not be found on the network.`,
    remedy: checkConnection,
    otherwise: advise('check-address', 'checkSpellingAndConnection'),
    retryable: true,
  }),
  DNS_REBIND: errorEntry<'host'>({
    blame: 'network',
    about: ['forbidden-host'],
    message: (detail) =>
      `${hostOr(detail, 'The server')} suddenly pointed to a protected address. It was not contacted.`,
    remedy: { kind: 'allow-local', because: 'rebound' },
    retryable: false,
  }),
  TLS_FAIL: withFault({
    blame: 'network',
    about: ['unanswered', 'tls', 'passing'],
    message: (detail) => `No encrypted connection to ${hostOr(detail, 'the server')} could be made.`,
    remedy: tellOwner,
    otherwise: advise('check-address', 'checkAddressTryAgain'),
    retryable: false,
  }),
  CONNECT_FAIL: withFault({
    blame: 'network',
    about: ['unanswered', 'server-away', 'broken-connection', 'passing'],
    message: (detail) => `The connection to ${hostOr(detail, 'the server')} failed.`,
    remedy: checkConnection,
    otherwise: advise('check-address', 'checkAddressAndConnection'),
    retryable: true,
  }),
  PROXY_FAIL: withFault({
    blame: 'network',
    about: ['unanswered', 'passing'],
    message: (detail) =>
      `The proxy ${detail.proxy === undefined ? '' : `${detail.proxy} `}did not open the way to ${hostOr(detail, 'the server')}.`,
    remedy: proxySettings,
    retryable: true,
  }),
  DEADLINE: withFault({
    blame: 'network',
    about: ['unanswered', 'server-away', 'timeout', 'passing'],
    message: (detail) => `${hostOr(detail, 'The server')} took too long to answer.`,
    remedy: advise('check-connection', 'tryAgainLater'),
    retryable: true,
  }),
  REDIRECT_REFUSED: errorEntry<'address' | 'host' | 'target'>({
    blame: 'answer',
    about: ['unreadable-answer'],
    message: (detail) =>
      detail.address === undefined
        ? `${hostOr(detail, 'The server')} sends Postern on to ${placeOf(detail)}. Postern stopped there.`
        : `${hostOr(detail, 'The server')} is to be used with https.`,
    remedy: advise('tell-owner', 'askOwnerForNewAddress'),
    otherwise: advise('check-address', 'serverMayHaveMoved'),
    retryable: false,
  }),
  REDIRECT_LOOP: errorEntry<'host'>({
    blame: 'answer',
    about: ['unreadable-answer'],
    message: (detail) => `${hostOr(detail, 'The server')} sent Postern from page to page without end.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  HEADERS_TOO_LARGE: errorEntry<'host'>({
    blame: 'answer',
    about: ['unreadable-answer'],
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent an answer that Postern cannot accept (its headers are too large).`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  BODY_TOO_LARGE: errorEntry<'host'>({
    blame: 'answer',
    about: ['unreadable-answer'],
    message: (detail) => `${hostOr(detail, 'The server')} sent far more data than belongs in such an answer.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  BODY_ENCODING: errorEntry<'host'>({
    blame: 'answer',
    about: ['unreadable-answer'],
    message: (detail) => `${hostOr(detail, 'The server')} sent compressed data although Postern asked for plain data.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  CONTENT_TYPE: errorEntry<'host'>({
    blame: 'answer',
    about: ['passing'],
    message: (detail) => `${hostOr(detail, 'This address')} answered with a web page instead of connection data.`,
    remedy: advise('check-connection', 'signInToNetwork'),
    otherwise: advise('check-address', 'checkAddressOrNetworkSignIn'),
    retryable: false,
  }),
  JSON_INVALID: errorEntry<'host'>({
    blame: 'document',
    message: (detail) => `${hostOr(detail, 'The server')} sent data that cannot be read.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  JSON_DEPTH: errorEntry<'host'>({
    blame: 'document',
    message: (detail) => `${hostOr(detail, 'The server')} sent data that is nested too deeply to be accepted.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  JSON_DUPLICATE_KEY: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent data that says the same thing twice, so it cannot be trusted.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  }),
  SCHEMA_INVALID: errorEntry<'field' | 'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent sign-in data that is incomplete or wrong${detail.field === undefined ? '' : ` (${detail.field})`}.`,
    remedy: fixDocument,
    otherwise: checkAddress,
    retryable: false,
  }),
};
