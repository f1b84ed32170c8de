import { getDomain } from 'tldts';
import { canonicalHost } from './display-text.ts';
import { classifyHost } from './host.ts';

/**
 * Domains under which anyone can get a name, missing from the public suffix list (the copy in tldts). `*.` stands for a
 * region. Confirmed in the vendor's documents: b-cdn.net. Seen in public use: loca.lt, devtunnels.ms, fastmcp.app. The
 * rest is common knowledge, not verified.
 */
const extraPublicSuffixes: ReadonlySet<string> = new Set([
  // Tunnels: localtunnel, Serveo, localhost.run, LocalXpose, Pinggy, zrok, Expose, Loophole, playit.gg, PageKite.
  ...['loca.lt', 'localtunnel.me', 'serveo.net', 'serveousercontent.com', 'lhr.life', 'lhr.rocks', 'lhrtunnel.link'],
  ...['loclx.io', '*.loclx.io', 'pinggy.link', '*.pinggy.link', 'free.pinggy.link', 'a.free.pinggy.link'],
  ...['share.zrok.io', 'sharedwithexpose.com', 'loophole.site', 'ply.gg', 'pagekite.me'],
  // Forwarded ports of Visual Studio, GitHub and Gitpod.
  ...['*.devtunnels.ms', 'app.github.dev', '*.gitpod.io'],
  // Content networks: bunny.net, KeyCDN, Gcore, StackPath.
  ...['b-cdn.net', 'bunny.run', 'kxcdn.com', 'gcdn.co', 'stackpathcdn.com', 'hwcdn.net'],
  // Hosting: FastMCP, Alpic, Glitch, Gradio, Koyeb, Modal, Kinsta, Bolt, Azure, Pipedream, Beeceptor, RunPod, n8n.
  ...['fastmcp.app', 'alpic.live', 'glitch.me', 'gradio.live', 'koyeb.app', 'modal.run', 'kinsta.app', 'bolt.host'],
  ...['*.azurecontainerapps.io', 'm.pipedream.net', 'beeceptor.com', 'proxy.runpod.net', 'app.n8n.cloud'],
  // Sign-in services that give each customer a name: Okta, OneLogin, Microsoft, Clerk, WorkOS, Zitadel, Logto, Kinde,
  // Frontegg, Ory, Cloudflare Access.
  ...['okta.com', 'oktapreview.com', 'okta-emea.com', 'onelogin.com', 'b2clogin.com', 'ciamlogin.com'],
  ...['clerk.accounts.dev', 'authkit.app', '*.zitadel.cloud', 'logto.app', 'kinde.com', 'frontegg.com'],
  ...['projects.oryapis.com', 'cloudflareaccess.com'],
  // Customer sites: Atlassian, Zendesk.
  ...['atlassian.net', 'zendesk.com'],
]);

/**
 * Domains of the same kind where each full host counts as its own owner, because customers have a varying number of
 * labels: names that contain an address (nip.io and sslip.io, also with dots), Auth0 tenants with and without region,
 * Azure machines.
 */
const perHostSuffixes: readonly string[] = ['nip.io', 'sslip.io', 'auth0.com', 'cloudapp.azure.com'];

/**
 * The part of a host that belongs to one owner: by the public suffix list including its private section (otherwise
 * `github.io` or `workers.dev` would count as one owner), and the suffixes missing from it. `undefined` for IP
 * literals, `localhost` and bare public suffixes.
 */
export function registrableDomain(hostname: string): string | undefined {
  const host = canonicalHost(hostname);
  if (perHostSuffixes.some((domain) => host.endsWith(`.${domain}`))) return host;
  const labels = host.split('.');
  // Longest first: a suffix may be below another one.
  const suffixIndex = labels.findIndex((_label, index) => isExtraSuffix(labels.slice(index)));
  if (suffixIndex >= 0) return suffixIndex === 0 ? undefined : labels.slice(suffixIndex - 1).join('.');
  return getDomain(host, { allowPrivateDomains: true }) ?? undefined;
}

function isExtraSuffix(labels: readonly string[]): boolean {
  return extraPublicSuffixes.has(labels.join('.')) || extraPublicSuffixes.has(['*', ...labels.slice(1)].join('.'));
}

/** True for the same registrable domain; hosts without one must be identical. */
export function sameRegistrableDomain(one: string, other: string): boolean {
  const domain = registrableDomain(one);
  if (domain !== undefined) return domain === registrableDomain(other);
  return canonicalHost(one) === canonicalHost(other);
}

/**
 * Hosts of one vendor on several domains. Google, Dropbox, Intercom and Fathom: from their published sign-in metadata.
 * Microsoft: common knowledge, not verified.
 */
const hostsByVendor: readonly (readonly string[])[] = [
  ['accounts.google.com', 'oauth2.googleapis.com'],
  ['login.microsoftonline.com', 'sts.windows.net'],
  ['mcp.dropbox.com', 'www.dropbox.com', 'api.dropboxapi.com'],
  ['mcp.intercom.com', 'app.intercom.com', 'api.intercom.io'],
  ['api.fathom.ai', 'fathom.video'],
];

/** True if two hosts have the same registrable domain, are both this computer, or belong to one known vendor. */
export function haveSameOwner(one: string, other: string): boolean {
  if (sameRegistrableDomain(one, other)) return true;
  const hosts = [canonicalHost(one), canonicalHost(other)];
  return (
    hosts.every(isThisComputer) ||
    hostsByVendor.some((vendorHosts) => hosts.every((host) => vendorHosts.includes(host)))
  );
}

/** Names below `localhost` may have different owners; `localhost` itself and loopback addresses are one machine. */
function isThisComputer(host: string): boolean {
  return classifyHost(host) === 'loopback' && !host.endsWith('.localhost');
}
