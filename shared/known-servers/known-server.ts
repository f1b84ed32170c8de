import type { CallbackHost } from '../choices.ts';

/**
 * What is known about a service before discovery: a first guess, since addresses and sign-in methods change. Discovery
 * decides, and nothing here lets a service get a code or secret before the user has seen its host.
 */
export interface KnownServer {
  /** The service's name; unique. */
  readonly name: string;
  readonly maker?: string;
  /** A short description. */
  readonly description: string;
  /** With `{name}` for what the user has to fill in. */
  readonly address: string;
  /** The explanation of each `{name}`. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Other addresses, for a region or part of the service. */
  readonly otherAddresses?: readonly { readonly of: string; readonly address: string }[];
  /** Former addresses. */
  readonly formerAddresses?: readonly string[];
  /** `registers`: no setup; `oauthApp`: the user creates an OAuth app at the service. */
  readonly signIn: 'none' | 'registers' | 'oauthApp' | 'key' | 'unknown';
  /** It accepts a key, as an alternative or only that. */
  readonly key?: KnownKey;
  readonly oauthApp?: KnownOAuthApp;
  /** It accepts only apps or callback addresses on its own list. */
  readonly accepts?: 'listed-apps' | 'listed-callbacks';
  /** What the user should know first. */
  readonly hints?: readonly string[];
  /** Its own page about this server. */
  readonly homepage?: string;
  /** Domains of the service besides that of its address. */
  readonly domains?: readonly string[];
  /** For a service without usable metadata. The user sees their hosts before anything is sent there. */
  readonly endpoints?: { readonly authorization: string; readonly token: string };
  /** Options that the service needs. */
  readonly options?: {
    readonly callbackHost?: CallbackHost;
    readonly sendResource?: false;
    readonly scope?: string;
  };
  /** Shown first. */
  readonly popular?: true;
  /** For users who just want to try one: it needs no account and no setup. */
  readonly forTryingOut?: true;
}

interface KnownKey {
  readonly header: string;
  /** Prefix of the key, followed by a space: `Bearer`. */
  readonly scheme?: string;
  /** The page where the user creates it. */
  readonly page?: string;
  /** What kind of key, or where to find it. */
  readonly what?: string;
}

/** A key sent like an access token. */
export const bearer = { header: 'Authorization', scheme: 'Bearer' } as const;

/** How to create an OAuth app there. */
export interface KnownOAuthApp {
  /** The page. */
  readonly page: string;
  /** The steps, in order; the callback URL and permissions are shown next to them. */
  readonly steps: readonly string[];
  readonly scopes?: readonly string[];
}
