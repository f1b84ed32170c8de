import type { AppView } from '../../../shared/app-view.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { Vault } from '../../ports.ts';

export interface StorageFinding {
  readonly name: 'keychain' | 'vault';
  readonly error?: PosternError;
}

export interface StorageHealthOptions {
  /** Where secrets are kept here, by name. */
  readonly backend: string;
  /** The sealed vault of the profile. */
  readonly vault: Vault;
  /** Writes, reads and deletes in keychain and vault. Never throws. */
  readonly test: () => Promise<readonly StorageFinding[]>;
  /** Called once, when nothing can be kept: from here on everything new lives in memory. */
  readonly goToMemory: () => Vault;
  readonly onChange: () => void;
}

/**
 * Whether secrets can be kept. The test runs beside the window, never before it; whoever needs the vault waits for
 * the first one. Without any usable keychain (KC_UNAVAILABLE) the rest of this run is kept in memory alone, and said
 * so; a locked, refusing or slow keychain is asked again instead.
 */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  #findings: readonly StorageFinding[] | undefined;
  #testing: Promise<readonly StorageFinding[]> | undefined;
  #memory: Vault | undefined;
  readonly #kept = new Set<string>();

  constructor(options: StorageHealthOptions) {
    this.#options = options;
  }

  /** The vault to use, once it is known which. */
  async vault(): Promise<Vault> {
    if (!this.#findings) await this.test();
    return this.#memory ?? this.#options.vault;
  }

  /** One test at a time. */
  async test(): Promise<readonly StorageFinding[]> {
    this.#testing ??= this.#options.test().finally(() => (this.#testing = undefined));
    this.#findings = await this.#testing;
    if (isAbout(this.#error() ?? {}, 'no-keychain')) this.#memory ??= this.#options.goToMemory();
    this.#options.onChange();
    return this.#findings;
  }

  /** What was signed in to in this run is there, whatever the keychain does. */
  madeHere(id: string): void {
    if (this.#memory) this.#kept.add(id);
  }

  /** Why the secrets of an integration cannot be read, where that is so. */
  problemOf({ id, method, options }: Integration): PosternError | undefined {
    const hasSecrets = method !== 'NoAuth' || options.headerName !== undefined;
    return hasSecrets && !this.#kept.has(id) ? this.#error() : undefined;
  }

  view(): AppView['storage'] {
    const error = this.#error();
    return {
      state: this.#findings === undefined ? 'checking' : error ? 'trouble' : 'ok',
      backend: this.#options.backend,
      memoryOnly: this.#memory !== undefined,
      ...(error && { error: toPlainError(error) }),
    };
  }

  #error(): PosternError | undefined {
    return this.#findings?.find(({ error }) => error)?.error;
  }
}
