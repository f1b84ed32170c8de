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
