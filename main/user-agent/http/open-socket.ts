import { connect as connectTcp } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Stage } from '../../../shared/error-codes.ts';
import { deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { RefusedCertificate } from '../../refused-certificate.ts';
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
}

/** Milliseconds without traffic until the system asks whether the other side is still there. */
const keepAliveDelay = 60_000;

/** A TCP connection for undici. Errors: Node's own, and DEADLINE where nobody answers in time. */
export function openSocket(target: SocketTarget, callback: buildConnector.Callback): void {
  const { hostname: host, port, lookup } = target;
  const socket = connectTcp({ host, port, lookup, autoSelectFamily: true });
  awaitConnection(socket, 'connect', target, callback);
}

/** The same with TLS. The cause of an error about its certificate is a `RefusedCertificate`. */
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
    // Neither Node's error nor ours has another cause that anybody reads.
    if (handshake.certificate) error.cause = new RefusedCertificate(handshake.certificate);
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
    const detail = { fault: 'connect-timeout', seconds: deadline.connect / 1_000 } as const;
    socket.destroy(new PosternError('DEADLINE', { stage, detail }));
  }, deadline.connect);
  socket.setKeepAlive(true, keepAliveDelay).setNoDelay(true);
  // Stays: a connection that is given up may still be reset.
  socket.on('error', (error) => settle(error, null));
  socket.once(event, () => settle(null, socket));
}
