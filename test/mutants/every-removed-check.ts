import type { Mutant } from './mutant.ts';
import { removedActivityChecks } from './removed-activity-checks.ts';
import { removedAssertionChecks } from './removed-assertion-checks.ts';
import { removedBrowserChecks } from './removed-browser-checks.ts';
import { removedCollectionChecks } from './removed-collection-checks.ts';
import { removedDestinationChecks } from './removed-destination-checks.ts';
import { removedDeviceChecks } from './removed-device-checks.ts';
import { removedGatewayChecks } from './removed-gateway-checks.ts';
import { removedIconChecks } from './removed-icon-checks.ts';
import { removedIdentityChecks } from './removed-identity-checks.ts';
import { removedKeyringChecks } from './removed-keyring-checks.ts';
import { removedLoadChecks } from './removed-load-checks.ts';
import { removedLocalChecks } from './removed-local-checks.ts';
import { removedNativePipeChecks } from './removed-native-pipe-checks.ts';
import { removedNetworkChecks } from './removed-network-checks.ts';
import { removedPermissionChecks } from './removed-permission-checks.ts';
import { removedPipeChecks } from './removed-pipe-checks.ts';
import { removedProgramChecks } from './removed-program-checks.ts';
import { removedProofChecks } from './removed-proof-checks.ts';
import { removedProtocolChecks } from './removed-protocol-checks.ts';
import { removedProviderChecks } from './removed-provider-checks.ts';
import { removedRegistryChecks } from './removed-registry-checks.ts';
import { removedSettingsChecks } from './removed-settings-checks.ts';
import { removedSignInChecks } from './removed-sign-in-checks.ts';
import { removedStorageChecks } from './removed-storage-checks.ts';
import { removedUpdateChecks } from './removed-update-checks.ts';
import { removedWindowChecks } from './removed-window-checks.ts';

/** Checks of the program, each taken out by one edit. */
export const everyRemovedCheck: readonly Mutant[] = [
  ...removedLoadChecks,
  ...removedBrowserChecks,
  ...removedDestinationChecks,
  ...removedGatewayChecks,
  ...removedPermissionChecks,
  ...removedCollectionChecks,
  ...removedPipeChecks,
  ...removedLocalChecks,
  ...removedNativePipeChecks,
  ...removedActivityChecks,
  ...removedNetworkChecks,
  ...removedProofChecks,
  ...removedDeviceChecks,
  ...removedAssertionChecks,
  ...removedProviderChecks,
  ...removedProtocolChecks,
  ...removedSignInChecks,
  ...removedStorageChecks,
  ...removedKeyringChecks,
  ...removedSettingsChecks,
  ...removedUpdateChecks,
  ...removedRegistryChecks,
  ...removedIconChecks,
  ...removedIdentityChecks,
  ...removedWindowChecks,
  ...removedProgramChecks,
];

/** Rules of the protocols: `npm test` takes these checks out, and `npm run test:all` every one. */
export const protocolRules: readonly Mutant[] = [
  'duplicate-members',
  'resource-by-characters',
  'issuer-with-a-query',
  'endpoints-of-a-fallback-issuer',
  'pkce-policy-required',
  'doubled-parameters',
  'any-state',
  'state-for-ever',
  'foreign-iss',
  'code-and-error',
  'tokens-in-the-front-channel',
  'state-twice',
  'state-used-again',
  'ticket-twice',
  'client-id-with-controls',
  'method-without-its-secret',
  'foreign-redirect-uri',
  'expired-secret',
  'code-with-credentials-of-another-issuer',
  'code-sent-a-third-time',
  'token-with-line-breaks',
  'token-type',
  'lifetime-of-anything',
  'error-under-200',
  'token-endpoint-at-use',
  'secret-over-plain-http',
  'refresh-with-foreign-credentials',
  'refresh-used-before-stored',
  'refresh-token-lost',
  'renewal-of-another-holder',
  'revocation-with-foreign-credentials',
  'key-outside-of-its-resource',
  'proof-without-a-token',
  'tokens-without-their-key',
  'repeated-events-count-as-new',
].map((name) => {
  const found = everyRemovedCheck.find((check) => check.name === name);
  if (found === undefined) throw new Error(`There is no removed check "${name}".`);
  return found;
});
