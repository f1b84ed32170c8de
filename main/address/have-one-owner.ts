import { canonicalHost } from './canonical-host.ts';
import { classifyHost } from './classify-host.ts';
import { sameRegistrableDomain } from './registrable-domain.ts';

/**
 * Hosts of one maker under several domains. Google, Dropbox, Intercom and Fathom: from sign-in metadata that they
 * publish. Microsoft: commonly known from its documents, not looked up.
 */
const knownOwners: readonly (readonly string[])[] = [
  ['accounts.google.com', 'oauth2.googleapis.com'],
  ['login.microsoftonline.com', 'sts.windows.net'],
  ['mcp.dropbox.com', 'www.dropbox.com', 'api.dropboxapi.com'],
  ['mcp.intercom.com', 'app.intercom.com', 'api.intercom.io'],
  ['api.fathom.ai', 'fathom.video'],
];

/** Whether two hosts are known to be of one owner: one registrable domain, this computer, or a known pair. */
export function haveOneOwner(one: string, other: string): boolean {
  if (sameRegistrableDomain(one, other)) return true;
  const hosts = [canonicalHost(one), canonicalHost(other)];
  return hosts.every(isThisComputer) || knownOwners.some((owned) => hosts.every((host) => owned.includes(host)));
}

/** Names below `localhost` may be somebody's each; it and the addresses of loopback are one machine. */
function isThisComputer(host: string): boolean {
  return classifyHost(host) === 'loopback' && !host.endsWith('.localhost');
}
