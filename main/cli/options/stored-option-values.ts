import type { SecretMethod } from '../../../shared/choices.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { grantChoices, secretMethodNames } from './option-choices.ts';
import type { OptionName } from './option-specs.ts';
import type { OptionValues } from './parse-arguments.ts';

/** The options of `connect` that give these choices: what `readIntegrationOptions` reads, written again. */
export function storedOptionValues(options: IntegrationOptions): OptionValues {
  const { pkce, scope, clientMetadataUrl, authorizationServer, endpoints, callbackHost } = options;
  const values: readonly (readonly [OptionName, readonly (string | undefined)[]])[] = [
    ['local', options.local ? [''] : []],
    ['allow-host', options.allowedHosts],
    ['allow-http', options.allowHttp ? [''] : []],
    ['pkce', pkce === 'when-listed' ? [] : [pkce]],
    ['legacy-endpoints', options.legacyEndpoints ? [''] : []],
    ['no-resource', options.sendResource ? [] : ['']],
    ['pushed-request', options.pushRequests === true ? [''] : []],
    ['client-auth', [writeSecretMethod(options.clientAuthentication)]],
    ['grant', [grantChoices.find((choice) => choice === options.grant)]],
    ['assertion-file', [options.assertionFile]],
    ['identity-provider', [options.identityProvider]],
    ['as-provider', options.isIdentityProvider ? [''] : []],
    ['scope', [scope]],
    ['client-metadata-url', [clientMetadataUrl]],
    ['authorization-server', [authorizationServer]],
    ['authorization-endpoint', [endpoints?.authorization]],
    ['token-endpoint', [endpoints?.token]],
    ['callback-host', [callbackHost]],
  ];
  return new Map(
    values.flatMap(([name, given]) => {
      const present = given.filter((value) => value !== undefined);
      return present.length > 0 ? [[name, present] as const] : [];
    }),
  );
}

/** As `--client-auth` calls it. */
export function writeSecretMethod(method: SecretMethod | undefined): string | undefined {
  return Object.entries(secretMethodNames).find(([, named]) => named === method)?.[0];
}
