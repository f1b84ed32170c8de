import type { KnownServer } from './known-server.ts';
import { knownServers } from '../known-servers.ts';

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
