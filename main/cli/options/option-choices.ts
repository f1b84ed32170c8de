import type { CallbackHost, Grant, PkcePolicy, SecretMethod } from '../../../shared/choices.ts';

/** Written out here, so that reading a command line loads no schema. */
export const pkceChoices = ['when-listed', 'always', 'required'] as const satisfies readonly PkcePolicy[];
export const callbackHostChoices = ['127.0.0.1', 'localhost'] as const satisfies readonly CallbackHost[];
/** What `--client-auth` calls the ways to send a client secret. */
export const secretMethodNames = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
} as const satisfies Record<string, SecretMethod>;
/** Other grants come with what they need. */
export const grantChoices = ['client-credentials'] as const satisfies readonly Grant[];
export const lifetimes = ['session', 'shared'] as const;
export const vaultKinds = ['passphrase', 'file'] as const;
export const signInWays = ['browser', 'print', 'device'] as const;
export type SignInWay = (typeof signInWays)[number];
