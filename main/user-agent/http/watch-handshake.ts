import type { TLSSocket } from 'node:tls';
import { displayText } from '../../address/display-text.ts';
import type { CertificateFacts } from '../../request-error.ts';

/** What a TLS handshake showed, whatever became of the connection. Filled while it goes on. */
export interface Handshake {
  certificate?: CertificateFacts;
  /** The server asked who we are (RFC 8446 section 4.3.2); we never say. */
  asksForCertificate?: boolean;
}

/** Characters of one fact. */
const factLength = 300;

/**
 * Notes the certificate before it is judged: the socket of a refused one is gone when the error comes. `secure` is not
 * in the documentation of Node; without it there would be no facts, and nothing else would change.
 */
export function watchHandshake(socket: TLSSocket): Handshake {
  const handshake: Handshake = {};
  socket.prependOnceListener('secure', () => {
    // A client has signature algorithms in common with its server only when that asked for a certificate.
    handshake.asksForCertificate = socket.getSharedSigalgs().length > 0;
    const certificate = readFacts(socket);
    if (certificate) handshake.certificate = certificate;
  });
  return handshake;
}

/** Not `getPeerX509Certificate()`: after it Node finds no name in the certificate any more, and refuses it. */
function readFacts(socket: TLSSocket): CertificateFacts | undefined {
  const certificate = socket.getPeerCertificate();
  if (Object.keys(certificate).length === 0) return undefined;
  const { subject, issuer, valid_from, valid_to, subjectaltname = '', fingerprint256 } = certificate;
  return {
    subject: describeName(subject),
    issuer: describeName(issuer),
    validFrom: describeTime(valid_from),
    validUntil: describeTime(valid_to),
    names: displayText(subjectaltname, factLength),
    fingerprint: displayText(fingerprint256, factLength),
  };
}

/** `CN=server, O=Example`. */
function describeName(name: object): string {
  const parts = Object.entries(name).map(([key, value]) => `${key}=${[value].flat().join(' + ')}`);
  return displayText(parts.join(', '), factLength);
}

function describeTime(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString();
}
