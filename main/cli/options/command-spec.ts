import type { OptionName } from './option-specs.ts';

export interface CommandSpec {
  readonly summary: string;
  /** Positionals as help shows them; those in brackets may be left out, one with `…` stands for one or more. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionName[];
  /** A switch that stands for all of them. */
  readonly insteadOfPositionals?: OptionName;
  /** What a person should know before the options. */
  readonly about: readonly string[];
  readonly examples: readonly string[];
}

export const theId =
  'ID is a name from `postern list`, an alias, an address, or an id (or how it begins) from `postern list --json`.';
