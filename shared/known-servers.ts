import { moneyServers, salesServers } from './known-servers/business-servers.ts';
import { dataServers } from './known-servers/data-servers.ts';
import { cloudServers, codeServers } from './known-servers/developer-servers.ts';
import { designServers, docsServers } from './known-servers/docs-servers.ts';
import type { KnownServer } from './known-servers/known-server.ts';
import { moreServers } from './known-servers/more-servers.ts';
import { officeServers } from './known-servers/office-servers.ts';
import { teamServers, workServers } from './known-servers/team-servers.ts';
import { webServers } from './known-servers/web-servers.ts';

/** Services with an MCP server, in the order of their names. */
export const knownServers: readonly KnownServer[] = [
  ...workServers,
  ...teamServers,
  ...officeServers,
  ...codeServers,
  ...cloudServers,
  ...dataServers,
  ...designServers,
  ...salesServers,
  ...moneyServers,
  ...docsServers,
  ...webServers,
  ...moreServers,
].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

/** Packages and images that start a server for a service which has one of its own, by the name of the service. */
const services: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server-github': 'GitHub',
  'ghcr.io/github/github-mcp-server': 'GitHub',
  '@modelcontextprotocol/server-gitlab': 'GitLab',
  '@zereight/mcp-gitlab': 'GitLab',
  '@modelcontextprotocol/server-slack': 'Slack',
  '@modelcontextprotocol/server-gdrive': 'Google Drive',
  '@modelcontextprotocol/server-google-maps': 'Google Maps',
  '@modelcontextprotocol/server-sentry': 'Sentry',
  '@sentry/mcp-server': 'Sentry',
  'mcp-server-sentry': 'Sentry',
  '@notionhq/notion-mcp-server': 'Notion',
  'mcp/notion': 'Notion',
  '@stripe/mcp': 'Stripe',
  '@supabase/mcp-server-supabase': 'Supabase',
  '@neondatabase/mcp-server-neon': 'Neon',
  '@hubspot/mcp-server': 'HubSpot',
  '@paypal/mcp': 'PayPal',
  'square-mcp-server': 'Square',
  '@cloudflare/mcp-server-cloudflare': 'Cloudflare',
  '@upstash/context7-mcp': 'Context7',
  'firecrawl-mcp': 'Firecrawl',
  'tavily-mcp': 'Tavily',
  'exa-mcp-server': 'Exa',
  'figma-developer-mcp': 'Figma',
  'mcp-atlassian': 'Atlassian',
  'ghcr.io/sooperset/mcp-atlassian': 'Atlassian',
  '@azure-devops/mcp': 'Azure DevOps',
  'linear-mcp-server': 'Linear',
  '@brightdata/mcp': 'Bright Data',
  '@apify/actors-mcp-server': 'Apify',
};

/** The service whose own server does what this command would. What stands in a configuration is its maker's word. */
export function findRemoteOf(words: readonly string[]): KnownServer | undefined {
  const named = words.map((word) => services[withoutVersion(word)]).find((name) => name !== undefined);
  return knownServers.find(({ name, address }) => name === named && !address.includes('{'));
}

/** `@scope/name@1.2.3` and `image:tag`. */
function withoutVersion(word: string): string {
  return word.toLowerCase().replace(/(?<=.)[@:][\w.-]+$/u, '');
}
