import type { KnownOAuthApp, KnownServer } from './known-server.ts';

/** The clients page of a Google Cloud project; every Google server uses the same kind of OAuth app. */
export const googleOAuthApp = (what: string, scopes: readonly string[] = []): KnownOAuthApp => ({
  page: 'https://console.cloud.google.com/auth/clients',
  steps: [
    `In one of your projects, enable ${what}.`,
    'Under “Google Auth platform”, fill in “Branding” and “Audience”, and add the scopes under “Data Access”.',
    'Under “Clients”, create a client of type “Web application” with the callback URL as its redirect URI.',
    'Copy the client ID and the secret.',
  ],
  ...(scopes.length > 0 && { scopes }),
});

const googleScope = (names: string): readonly string[] =>
  names.split(' ').map((name) => `https://www.googleapis.com/auth/${name}`);

const testing = 'While the OAuth app’s audience is “Testing”, Google ends the sign-in after seven days.';
const preview = 'Preview. Google has to approve your project first.';

const entraOAuthApp: KnownOAuthApp = {
  page: 'https://entra.microsoft.com',
  steps: [
    'Under “App registrations”, choose “New registration”.',
    'Add the callback URL as a redirect URI for mobile and desktop applications.',
    'Under “API permissions”, add the server’s permissions. An administrator may have to approve them.',
    'Copy the application (client) ID. Only a web client needs a secret.',
  ],
};
const entra = { callbackHost: 'localhost', sendResource: false } as const;
const microsoftSites = ['microsoft.com', 'github.com'];

/** Mail, calendars, files and administration of Google and Microsoft. */
export const officeServers: readonly KnownServer[] = [
  {
    name: 'Gmail',
    maker: 'Google',
    description: 'Mail',
    address: 'https://gmailmcp.googleapis.com/mcp/v1',
    signIn: 'oauthApp',
    oauthApp: googleOAuthApp('the Gmail API and its MCP API', googleScope('gmail.readonly gmail.compose')),
    hints: [preview, testing],
    homepage: 'https://developers.google.com/workspace',
    domains: ['google.com'],
    options: { callbackHost: 'localhost' },
    popular: true,
  },
  {
    name: 'Google Drive',
    maker: 'Google',
    description: 'Files',
    address: 'https://drivemcp.googleapis.com/mcp/v1',
    signIn: 'oauthApp',
    oauthApp: googleOAuthApp('the Drive API and its MCP API', googleScope('drive.readonly drive.file')),
    hints: [preview, testing],
    homepage: 'https://developers.google.com/workspace',
    domains: ['google.com'],
    options: { callbackHost: 'localhost' },
  },
  {
    name: 'Google Calendar',
    maker: 'Google',
    description: 'Calendars and events',
    address: 'https://calendarmcp.googleapis.com/mcp/v1',
    signIn: 'oauthApp',
    oauthApp: googleOAuthApp(
      'the Calendar API and its MCP API',
      googleScope('calendar.calendarlist.readonly calendar.events.freebusy calendar.events.readonly'),
    ),
    hints: [preview, testing],
    homepage: 'https://developers.google.com/workspace',
    domains: ['google.com'],
    options: { callbackHost: 'localhost' },
  },
  {
    name: 'Google Chat',
    maker: 'Google',
    description: 'Spaces and messages',
    address: 'https://chatmcp.googleapis.com/mcp/v1',
    signIn: 'oauthApp',
    oauthApp: googleOAuthApp(
      'the Chat API and its MCP API',
      googleScope('chat.spaces.readonly chat.memberships.readonly chat.messages.readonly chat.messages.create'),
    ),
    hints: [preview, testing],
    homepage: 'https://developers.google.com/workspace',
    domains: ['google.com'],
    options: { callbackHost: 'localhost' },
  },
  {
    name: 'Google Contacts',
    maker: 'Google',
    description: 'People and contacts',
    address: 'https://people.googleapis.com/mcp/v1',
    signIn: 'oauthApp',
    oauthApp: googleOAuthApp(
      'the People API and its MCP API',
      googleScope('directory.readonly userinfo.profile contacts.readonly'),
    ),
    hints: [preview, testing],
    homepage: 'https://developers.google.com/workspace',
    domains: ['google.com'],
    options: { callbackHost: 'localhost' },
  },
  {
    name: 'Microsoft 365',
    maker: 'Microsoft',
    description: 'Mail, calendar, Teams and files',
    address: 'https://agent365.svc.cloud.microsoft/agents/tenants/{tenant}/servers/{server}',
    placeholders: {
      tenant: 'Tenant ID',
      server: 'Server, such as mcp_MailTools, mcp_CalendarTools, mcp_TeamsServer or mcp_WordServer',
    },
    signIn: 'oauthApp',
    oauthApp: entraOAuthApp,
    hints: ['An administrator of your organization has to approve it.'],
    homepage: 'https://github.com/microsoft/mcp',
    domains: microsoftSites,
    options: entra,
  },
  {
    name: 'Microsoft Entra',
    maker: 'Microsoft',
    description: 'Users, apps and devices (read-only)',
    address: 'https://mcp.svc.cloud.microsoft/enterprise',
    signIn: 'oauthApp',
    oauthApp: entraOAuthApp,
    homepage: 'https://learn.microsoft.com/graph/mcp-server/overview',
    domains: microsoftSites,
    options: entra,
  },
  {
    name: 'Azure DevOps',
    maker: 'Microsoft',
    description: 'Work items, repositories and pipelines',
    address: 'https://mcp.dev.azure.com/{organization}',
    placeholders: { organization: 'Organization' },
    signIn: 'oauthApp',
    oauthApp: entraOAuthApp,
    hints: ['Preview. The organization must be connected to Entra.'],
    homepage: 'https://learn.microsoft.com/azure/devops/mcp-server',
    domains: microsoftSites,
    options: entra,
  },
  {
    name: 'Azure Resource Manager',
    maker: 'Microsoft',
    description: 'Resource graph and templates',
    address: 'https://mcp.management.azure.com',
    signIn: 'oauthApp',
    oauthApp: entraOAuthApp,
    hints: ['An administrator of your organization has to approve it.'],
    homepage: 'https://github.com/Azure/Azure-Resource-Manager-MCP',
    domains: microsoftSites,
    options: entra,
  },
  {
    name: 'Power BI',
    maker: 'Microsoft',
    description: 'Semantic models',
    address: 'https://api.fabric.microsoft.com/v1/mcp/powerbi',
    signIn: 'oauthApp',
    oauthApp: entraOAuthApp,
    hints: ['A setting of your organization has to allow it.'],
    homepage: 'https://learn.microsoft.com/power-bi/developer/mcp',
    domains: microsoftSites,
    options: entra,
  },
];
