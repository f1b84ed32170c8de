import { registrableDomain, sameRegistrableDomain } from '../../address/registrable-domain.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { Discovery } from '../discovery/discovery.ts';

/** Labels before a domain that name a service, and no tenant of it. */
const commonLabels =
  /^(?:mcp|api|apis|app|apps|www|ai|agents?|server|gateway|gw|edge|remote|connect|dev|staging|stage|test|beta|prod|global|cloud|my|v?\d+|(?:eu|us|uk|ap|au|ca|de|in|jp|sg)(?:-?[a-z]*-?\d*)?)(?:-mcp)?$/u;

/**
 * Typed credentials at an authorization server on another registrable domain than the MCP server, or beside the
 * subdomain that the server has for one tenant: a session of another organisation there would be used in silence
 * (spec 5.8).
 */
export function needsFreshLogin(
  discovery: Pick<Discovery, 'url' | 'metadata'>,
  credentials: Pick<ClientCredentials, 'source'>,
): boolean {
  const server = URL.parse(discovery.url);
  const endpoint = URL.parse(discovery.metadata?.authorization_endpoint ?? '');
  if (credentials.source !== 'typed' || server === null || endpoint === null) return false;
  if (!sameRegistrableDomain(server.hostname, endpoint.hostname)) return true;
  const domain = registrableDomain(server.hostname);
  if (domain === undefined) return false;
  const labelsOf = ({ hostname }: URL): string[] => hostname.slice(0, -domain.length).split('.').filter(Boolean);
  const atEndpoint = labelsOf(endpoint);
  // A label that both have in front of their domain names the same tenant.
  return labelsOf(server).some((label) => !commonLabels.test(label) && !atEndpoint.includes(label));
}
