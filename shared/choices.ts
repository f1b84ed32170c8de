/**
 * The user's choices, by their stored names. No schemas here: the window renders these choices and would load the
 * schema library with them.
 */
export const themes = ['system', 'light', 'dark'] as const;
/** Languages of the window; the command line is English. */
export const supportedLanguages = ['en', 'de'] as const;
export const languages = ['system', ...supportedLanguages] as const;
/** Where a sign-in page opens. */
export const windowSurfaces = ['popup', 'browser'] as const;
/** `localhost` binds both families, for services that refuse the literal address. */
export const callbackHosts = ['127.0.0.1', 'localhost'] as const;
/** The default MCP registry. Its maintainers ask apps to use a copy of it. */
export const officialRegistry = 'https://registry.modelcontextprotocol.io';
export const pkcePolicies = ['when-listed', 'always', 'required'] as const;
/**
 * Grants without an interactive sign-in: client credentials (RFC 6749 section 4.4), a JWT assertion from a file (RFC
 * 7523 section 2.1), or an assertion of the company's identity provider about its signed-in user (MCP
 * enterprise-managed authorization).
 */
export const grants = ['client-credentials', 'jwt-bearer', 'enterprise'] as const;
/** How a client secret is sent (RFC 6749 section 2.3.1). */
export const secretMethods = ['client_secret_basic', 'client_secret_post'] as const;
export const clientAuthenticationMethods = [...secretMethods, 'none'] as const;

export type Theme = (typeof themes)[number];
export type Language = (typeof supportedLanguages)[number];
export type LanguageChoice = (typeof languages)[number];
export type WindowSurface = (typeof windowSurfaces)[number];
export type CallbackHost = (typeof callbackHosts)[number];
export type PkcePolicy = (typeof pkcePolicies)[number];
export type Grant = (typeof grants)[number];
export type SecretMethod = (typeof secretMethods)[number];
export type ClientAuthenticationMethod = (typeof clientAuthenticationMethods)[number];

/** Severities of a server's log lines, ascending (RFC 5424 section 6.2.1). */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];
