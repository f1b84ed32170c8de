import type { CommandSpec } from './command-spec.ts';

/** What may be said of an address that is asked. */
export const addressOptions = ['local', 'allow-host', 'allow-http', 'legacy-endpoints', 'client-metadata-url'] as const;

/** The command with the most to choose. */
export const connectSpec = {
  summary: 'Sign in to a server and keep the connection',
  positionals: ['URL'],
  options: [
    'name',
    'replace',
    ...addressOptions,
    'client-id',
    'client-secret-stdin',
    'client-key-stdin',
    'client-secret-ends',
    'registration-token-stdin',
    'scope',
    'sign-in',
    'grant',
    'assertion-file',
    'pkce',
    'authorization-server',
    'authorization-endpoint',
    'token-endpoint',
    'callback-host',
    'no-resource',
    'pushed-request',
    'header',
    'header-value-stdin',
    'timeout',
    'trace',
    'memory',
    'json',
    'help',
  ],
  about: [
    'Give the address of an MCP server. Postern finds out how to sign in, opens the sign-in page in your browser',
    'and waits for you. When you are back it keeps the access behind the keychain of this computer.',
    '',
    'Most servers need nothing else. Some want you to create an app at the service first; Postern then shows the',
    "callback URL to enter there and asks for the app's client id and secret.",
    '',
    'Signing in on another computer? Use --sign-in print (on Linux without a display it is the default), open the',
    'link there, and paste the address that the browser ends on here, even if that page does not load.',
    'With --sign-in device you enter a code on any device, where the service offers that; nothing has to come back.',
    'A --name that this server has already signs it in again; the name of another server needs --replace.',
    'With --client-id a client secret is asked for on a terminal; Enter says that there is none.',
  ],
  examples: [
    'postern connect https://mcp.example.com/mcp',
    'postern connect http://localhost:3000/mcp --local --name Notes',
    'postern connect https://mcp.example.com/mcp --client-id abc --client-secret-stdin < secret.txt',
    'postern connect https://mcp.example.com/mcp --client-id abc --client-key-stdin < key.pem',
    'postern connect https://mcp.example.com/mcp --client-id job --assertion-file token.jwt',
    'postern connect https://mcp.example.com/mcp --header X-API-Key --header-value-stdin < key.txt',
  ],
} as const satisfies CommandSpec;
