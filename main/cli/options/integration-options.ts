import { resolve } from 'node:path';
import type { CallbackHost, PkcePolicy, SecretMethod } from '../../../shared/choices.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { isClientMetadataUrl } from '../../oauth/client/client-metadata-url.ts';
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

/** Some options imply the grant. Which provider is meant is resolved later, from the list. */
function readGrant(args: ParsedArguments): Pick<IntegrationOptions, 'grant' | 'assertionFile' | 'isIdentityProvider'> {
  const given = optionValue(args, 'grant');
  const grant = grantChoices.find((choice) => choice === given);
  const file = optionValue(args, 'assertion-file');
  const grantOptions = ['grant', 'assertion-file', 'identity-provider', 'as-provider'] as const;
  const [one, other] = grantOptions.filter((name) => args.options.has(name));
  if (one !== undefined && other !== undefined) {
    throw new UsageError(`Use either --${one} or --${other}.`, args.command);
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
      'Give both --authorization-endpoint and --token-endpoint, each with a full address.',
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

/** A client key and an API key header send no client secret. */
function readSecretMethod(args: ParsedArguments): SecretMethod | undefined {
  const given = optionValue(args, 'client-auth');
  const other = (['client-key-stdin', 'header'] as const).find((name) => hasOption(args, name));
  if (given !== undefined && other !== undefined)
    throw new UsageError(`Use either --client-auth or --${other}.`, args.command);
  return Object.entries(secretMethodNames).find(([name]) => name === given)?.[1];
}

/** A host normalized by the WHATWG URL parser, so that it compares equal to hosts of URLs. */
function readHost(host: string, { command }: ParsedArguments): string {
  const address = /[/?#@\\\s]/u.test(host) ? null : URL.parse(`http://${host}/`);
  if (address === null || address.port !== '') {
    throw new UsageError('--allow-host needs only a host name, such as login.internal.', command);
  }
  return address.hostname;
}
