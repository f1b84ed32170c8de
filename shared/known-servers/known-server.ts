import type { CallbackHost } from '../choices.ts';

/** `docs` are open to everybody. */
export const serverCategories = ['work', 'code', 'cloud', 'data', 'design', 'sales', 'money', 'docs', 'web'] as const;
export type ServerCategory = (typeof serverCategories)[number];

/**
 * What is known of a service before it is asked: a first guess, since addresses and ways of signing in change. Discovery
 * decides, and nothing here lets a service have a code or a secret that the person was not shown its host for.
 */
export interface KnownServer {
  /** Of the service; unique. */
  readonly name: string;
  readonly maker?: string;
  /** In a few words. */
  readonly does: string;
  readonly category: ServerCategory;
  /** With `{name}` for what the person has to fill in. */
  readonly address: string;
  /** What to say of each `{name}`. */
  readonly fill?: Readonly<Record<string, string>>;
  /** Further ones, of a region or a part of the service. */
  readonly others?: readonly { readonly of: string; readonly address: string }[];
  /** Addresses of before. */
  readonly moved?: readonly string[];
  /** `registers`: there is nothing to prepare; `app`: the person creates one at the service. */
  readonly signIn: 'none' | 'registers' | 'app' | 'key' | 'unknown';
  /** It takes a key, too, or that alone. */
  readonly key?: KnownKey;
  readonly app?: KnownApp;
  /** It admits only programs, or callback addresses, that it has listed. */
  readonly admits?: 'listed-programs' | 'listed-callbacks';
  /** What a person has to know first. */
  readonly know?: readonly string[];
  /** Its own page about this server. */
  readonly home?: string;
  /** Domains of the service besides that of its address. */
  readonly sites?: readonly string[];
  /** For a service that publishes none that can be used. Shown with their hosts before anything is sent there. */
  readonly endpoints?: { readonly authorization: string; readonly token: string };
  /** What the service needs otherwise than others do. */
  readonly options?: {
    readonly callbackHost?: CallbackHost;
    readonly sendResource?: false;
    readonly scope?: string;
  };
  /** Shown first. */
  readonly popular?: true;
  /** For whoever has no server at hand: it answers everybody, and needs nothing but a question. */
  readonly forPractice?: true;
}

export interface KnownKey {
  readonly header: string;
  /** Before the key, with a space: `Bearer`. */
  readonly scheme?: string;
  /** Where it is made. */
  readonly page?: string;
  /** What kind of key, or where it is to be found. */
  readonly what?: string;
}

/** A key where an access token would be. */
export const bearer = { header: 'Authorization', scheme: 'Bearer' } as const;

/** How an app of one's own is created there. */
export interface KnownApp {
  /** Where. */
  readonly page: string;
  /** What to do there, in order; the callback URL and the permissions are shown beside. */
  readonly steps: readonly string[];
  readonly scopes?: readonly string[];
}
