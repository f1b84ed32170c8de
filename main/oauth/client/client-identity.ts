/** How Postern describes itself to authorization servers, in the spelling of RFC 7591 section 2. */
export const clientIdentity = {
  client_name: 'Postern MCP Client',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  // Some servers refuse a loopback redirect URI without it (OpenID Connect Dynamic Client Registration section 2).
  application_type: 'native',
} as const;
