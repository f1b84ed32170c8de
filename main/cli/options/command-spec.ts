import type { OptionName } from './option-specs.ts';

/** What a user's own list or settings have to say for a word. */
export type KnownNames = 'server' | 'used' | 'collection' | 'program' | 'setting' | 'value' | 'offer' | 'tool';

export interface CommandSpec {
  readonly summary: string;
  /** Positionals as help shows them; those in brackets may be left out, one with `…` stands for one or more. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionName[];
  /** `none`: it never opens the vault. `at-once`: it begins by reading a secret. Absent: it may come to need one. */
  readonly secrets?: 'none' | 'at-once';
  /** It uses a stored sign-in: where only the user can repair that, the exit code says so. */
  readonly usesSignIn?: true;
  /** What a positional stands for here, where its name in help does not tell. */
  readonly completes?: Readonly<Record<string, KnownNames>>;
  /** What takes their place beside a switch, and the options that mean nothing then. */
  readonly formWith?: Readonly<
    Partial<Record<OptionName, { readonly positionals: readonly string[]; readonly without?: readonly OptionName[] }>>
  >;
  /** For machines: help and completion leave it out. */
  readonly hidden?: true;
  /** What a person should know before the options. */
  readonly about: readonly string[];
  readonly examples: readonly string[];
}

export const theId =
  'ID is a name from `postern list`, an alias, an address, or an id (or how it begins) from `postern list --json`.';
