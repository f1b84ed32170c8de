import { resolve } from 'node:path';
import type { CallbackHost, PkcePolicy, SecretMethod } from '../../../shared/choices.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { isClientMetadataUrl } from '../../oauth/client/client-metadata-url.ts';
import { callbackHostChoices, grantChoices, pkceChoices, secretMethodNames } from './option-specs.ts';
import { hasOption, optionValue, UsageError } from './parse-arguments.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** What the person chose for this server; kept with it, and in force at every later sign-in. Errors: USAGE. */
export function readIntegrationOptions(args: ParsedArguments): Partial<IntegrationOptions> {
  const scope = optionValue(args, 'scope')?.trim().replace(/\s+/gu, ' ');
  const clientMetadataUrl = optionValue(args, 'client-metadata-url');
  if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/u.test(scope)) {
    // RFC 6749 3.3 scope-token.
    throw new UsageError('--scope takes names without quotes or backslashes, separated by spaces.', args.command);
  }
  if (clientMetadataUrl !== undefined && !isClientMetadataUrl(clientMetadataUrl)) {
    throw new UsageError('--client-metadata-url needs an https address with a path.', args.command);
  }
  const authorizationServer = optionValue(args, 'authorization-server');
  if (authorizationServer !== undefined && !URL.canParse(authorizationServer)) {
    throw new UsageError('--authorization-server needs the address of an issuer, as discover shows it.', args.command);
  }
  const endpoints = readEndpoints(args);
  const callbackHost = readCallbackHost(args);
  const ofGrant = readGrant(args);
  const clientAuthentication = readSecretMethod(args);
  const hosts = args.options.get('allow-host')?.map((host) => readHost(host, args));
  const pkce = readPkce(args);
  return {
    ...(hasOption(args, 'local') && { local: true }),
    ...(hosts && { allowedHosts: hosts }),
    ...(hasOption(args, 'allow-http') && { allowHttp: true }),
    ...(pkce && { pkce }),
    ...(hasOption(args, 'legacy-endpoints') && { legacyEndpoints: true }),
    ...(hasOption(args, 'no-resource') && { sendResource: false }),
    ...(hasOption(args, 'pushed-request') && { pushRequests: true }),
    ...(clientAuthentication && { clientAuthentication }),
    ...ofGrant,
    ...(scope !== undefined && { scope }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(authorizationServer !== undefined && { authorizationServer }),
    ...(endpoints && { endpoints }),
    ...(callbackHost && { callbackHost }),
  };
}

/** An option that names what a grant needs says which one it is; which provider is meant, the list of them says. */
function readGrant(args: ParsedArguments): Pick<IntegrationOptions, 'grant' | 'assertionFile' | 'isIdentityProvider'> {
  const given = optionValue(args, 'grant');
  const grant = grantChoices.find((choice) => choice === given);
  const file = optionValue(args, 'assertion-file');
  const ways = ['grant', 'assertion-file', 'identity-provider', 'as-provider'] as const;
  const [one, other] = ways.filter((name) => args.options.has(name));
  if (one !== undefined && other !== undefined) {
    throw new UsageError(`--${one} and --${other} do not go together.`, args.command);
  }
  if (file !== undefined) return { grant: 'jwt-bearer', assertionFile: resolve(file) };
  if (one === 'identity-provider') return { grant: 'enterprise' };
  if (one === 'as-provider') return { isIdentityProvider: true };
  return grant ? { grant } : {};
}

function readEndpoints(args: ParsedArguments): IntegrationOptions['endpoints'] {
  const authorization = optionValue(args, 'authorization-endpoint');
  const token = optionValue(args, 'token-endpoint');
  if (authorization === undefined && token === undefined) return undefined;
  if (authorization === undefined || token === undefined || !URL.canParse(authorization) || !URL.canParse(token)) {
    throw new UsageError(
      '--authorization-endpoint and --token-endpoint go together, each a whole address.',
      args.command,
    );
  }
  return { authorization, token };
}

function readPkce(args: ParsedArguments): PkcePolicy | undefined {
  const given = optionValue(args, 'pkce');
  return pkceChoices.find((policy) => policy === given);
}

function readCallbackHost(args: ParsedArguments): CallbackHost | undefined {
  const given = optionValue(args, 'callback-host');
  return callbackHostChoices.find((host) => host === given);
}

/** A key sends no secret, and neither does the header of an API key. */
function readSecretMethod(args: ParsedArguments): SecretMethod | undefined {
  const given = optionValue(args, 'client-auth');
  const other = (['client-key-stdin', 'header'] as const).find((name) => hasOption(args, name));
  if (given !== undefined && other !== undefined)
    throw new UsageError(`--client-auth and --${other} do not go together.`, args.command);
  return Object.entries(secretMethodNames).find(([name]) => name === given)?.[1];
}

/** A host as WHATWG prints it, so that it can be compared with those of addresses. */
function readHost(host: string, { command }: ParsedArguments): string {
  const address = /[/?#@\\\s]/u.test(host) ? null : URL.parse(`http://${host}/`);
  if (address === null || address.port !== '') {
    throw new UsageError('--allow-host needs a host name alone, such as login.internal.', command);
  }
  return address.hostname;
}
