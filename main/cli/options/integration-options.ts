import { resolve } from 'node:path';
import type { CallbackHost, PkcePolicy, SecretMethod } from '../../../shared/choices.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { isClientMetadataUrl } from '../../oauth/client/registration-request.ts';
import { callbackHostChoices, grantChoices, pkceChoices, secretMethodNames } from './option-specs.ts';
import { hasOption, optionValue, UsageError } from './parse-arguments.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** The options for this server, stored with it and used at every later sign-in. Errors: USAGE. */
export function readIntegrationOptions(args: ParsedArguments): Partial<IntegrationOptions> {
  const scope = optionValue(args, 'scope')?.trim().replace(/\s+/gu, ' ');
  const clientMetadataUrl = optionValue(args, 'client-metadata-url');
  if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/u.test(scope)) {
    // RFC 6749 3.3 scope-token.
    throw new UsageError('--scope needs scopes separated by spaces, without quotes or backslashes.', args.command);
  }
  if (clientMetadataUrl !== undefined && !isClientMetadataUrl(clientMetadataUrl)) {
    throw new UsageError('--client-metadata-url needs an HTTPS address with a path.', args.command);
  }
  const authorizationServer = optionValue(args, 'authorization-server');
  if (authorizationServer !== undefined && !URL.canParse(authorizationServer)) {
    throw new UsageError('--authorization-server needs an issuer address from “postern discover”.', args.command);
  }
  const endpoints = readEndpoints(args);
  const callbackHost = readCallbackHost(args);
  const grantOptions = readGrant(args);
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
    ...grantOptions,
    ...(scope !== undefined && { scope }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(authorizationServer !== undefined && { authorizationServer }),
    ...(endpoints && { endpoints }),
    ...(callbackHost && { callbackHost }),
  };
}

/** Some options imply the grant. The provider that `--identity-provider` names is looked up later. */
function readGrant(args: ParsedArguments): Pick<IntegrationOptions, 'grant' | 'assertionFile' | 'isIdentityProvider'> {
  const value = optionValue(args, 'grant');
  const grant = grantChoices.find((choice) => choice === value);
  const file = optionValue(args, 'assertion-file');
  const grantOptions = ['grant', 'assertion-file', 'identity-provider', 'as-provider'] as const;
  const [first, second] = grantOptions.filter((name) => args.options.has(name));
  if (first !== undefined && second !== undefined) {
    throw new UsageError(`Use either --${first} or --${second}.`, args.command);
  }
  if (file !== undefined) return { grant: 'jwt-bearer', assertionFile: resolve(file) };
  if (first === 'identity-provider') return { grant: 'enterprise' };
  if (first === 'as-provider') return { isIdentityProvider: true };
  return grant ? { grant } : {};
}

function readEndpoints(args: ParsedArguments): IntegrationOptions['endpoints'] {
  const authorization = optionValue(args, 'authorization-endpoint');
  const token = optionValue(args, 'token-endpoint');
  if (authorization === undefined && token === undefined) return undefined;
  if (authorization === undefined || token === undefined || !URL.canParse(authorization) || !URL.canParse(token)) {
    throw new UsageError(
      'Give both --authorization-endpoint and --token-endpoint, each with a full address.',
      args.command,
    );
  }
  return { authorization, token };
}

function readPkce(args: ParsedArguments): PkcePolicy | undefined {
  const value = optionValue(args, 'pkce');
  return pkceChoices.find((policy) => policy === value);
}

function readCallbackHost(args: ParsedArguments): CallbackHost | undefined {
  const value = optionValue(args, 'callback-host');
  return callbackHostChoices.find((host) => host === value);
}

/** A client key and an API key header send no client secret. */
function readSecretMethod(args: ParsedArguments): SecretMethod | undefined {
  const value = optionValue(args, 'client-auth');
  const conflicting = (['client-key-stdin', 'header'] as const).find((name) => hasOption(args, name));
  if (value !== undefined && conflicting !== undefined)
    throw new UsageError(`Use either --client-auth or --${conflicting}.`, args.command);
  return Object.entries(secretMethodNames).find(([name]) => name === value)?.[1];
}

/** A host normalized by the WHATWG URL parser, so that it compares equal to hosts of URLs. */
function readHost(host: string, { command }: ParsedArguments): string {
  const address = /[/?#@\\\s]/u.test(host) ? null : URL.parse(`http://${host}/`);
  if (address === null || address.port !== '') {
    throw new UsageError('--allow-host needs only a host name, such as login.internal.', command);
  }
  return address.hostname;
}
