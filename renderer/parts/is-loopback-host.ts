/** A host, with its port or without, that never leaves this computer (RFC 6761 6.3, RFC 1122 3.2.1.3). */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}
