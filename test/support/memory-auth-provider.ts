import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';

/** Signs in the official MCP client with everything in memory, so that a test can inspect and change it. */
export class MemoryAuthProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  client: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  verifier = '';
  /** The last URL that the official client wanted to open in the browser. */
  authorizationUrl: URL | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(redirectUrl = 'http://127.0.0.1:5999/integration/oauth/callback') {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: 'Official client', redirect_uris: [this.redirectUrl], application_type: 'native' };
  }

  state = (): string => 'state-of-the-test';
  clientInformation = (): OAuthClientInformationMixed | undefined => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed): void => void (this.client = client);
  tokens = (): OAuthTokens | undefined => this.saved;
  saveTokens = (tokens: OAuthTokens): void => void (this.saved = tokens);
  codeVerifier = (): string => this.verifier;
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  discoveryState = (): OAuthDiscoveryState | undefined => this.#discovery;
  saveDiscoveryState = (state: OAuthDiscoveryState): void => void (this.#discovery = state);
  redirectToAuthorization = (url: URL): void => void (this.authorizationUrl = url);
}
