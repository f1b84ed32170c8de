import { connect as connectTcp } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Stage } from '../../../shared/error-codes.ts';
import { deadline } from '../../limits.ts';
import { UnsentRequest } from '../../request-error.ts';
import type { CertificateFacts } from '../../request-error.ts';
import { watchHandshake } from './watch-handshake.ts';

export interface SocketTarget {
  readonly hostname: string;
  readonly port: number;
  /** Answers the addresses that were checked: the socket goes to one of exactly these. */
  readonly lookup: LookupFunction;
  readonly stage: Stage;
}

export interface TlsTarget extends SocketTarget {
  /** RFC 6066 section 3; none where the host is an address. */
  readonly servername?: string;
  readonly secureContext: SecureContext;
  /** A tunnel to the host; else a connection of its own is made. */
  readonly socket?: Socket;
  /** The server asked who we are. */
  readonly onCertificateAsked: () => void;
  /** No connection came about after it had shown this one. */
  readonly onCertificateRefused: (certificate: CertificateFacts) => void;
}

/** Milliseconds without traffic until the system asks whether the other side is still there. */
const keepAliveDelay = 60_000;

/** A TCP connection for undici. Errors: Node's own, and DEADLINE where nobody answers in time. */
export function openSocket(target: SocketTarget, callback: buildConnector.Callback): void {
  const { hostname: host, port, lookup } = target;
  const socket = connectTcp({ host, port, lookup, autoSelectFamily: true });
  awaitConnection(socket, 'connect', target, callback);
}

/** The same with TLS. */
export function openTlsSocket(target: TlsTarget, callback: buildConnector.Callback): void {
  const { hostname: host, port, lookup, servername, secureContext, socket: tunnel } = target;
  const socket = connectTls({
    ...(tunnel ? { socket: tunnel } : { lookup, autoSelectFamily: true }),
    host,
    port,
    ...(servername !== undefined && { servername }),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
  });
  const handshake = watchHandshake(socket);
  awaitConnection(socket, 'secureConnect', target, (...[error, connected]) => {
    if (handshake.asksForCertificate) target.onCertificateAsked();
    if (error === null) return callback(null, connected);
    if (handshake.certificate) target.onCertificateRefused(handshake.certificate);
    callback(error, null);
  });
}

function awaitConnection(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { stage }: SocketTarget,
  callback: buildConnector.Callback,
): void {
  let isSettled = false;
  const settle: buildConnector.Callback = (...outcome) => {
    clearTimeout(timer);
    if (isSettled) return;
    isSettled = true;
    callback(...outcome);
  };
  const timer = setTimeout(() => {
    const detail = { seconds: deadline.connect / 1_000 };
    socket.destroy(new UnsentRequest('DEADLINE', { stage, fault: 'connect-timeout', detail }));
  }, deadline.connect);
  socket.setKeepAlive(true, keepAliveDelay).setNoDelay(true);
  // Stays: a connection that is given up may still be reset.
  socket.on('error', (error) => settle(error, null));
  socket.once(event, () => settle(null, socket));
}
