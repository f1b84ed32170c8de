import type { DesktopView } from '../../../shared/desktop-view.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { Vault } from '../../ports.ts';

export interface StorageFinding {
  readonly name: 'keychain' | 'vault';
  readonly error?: PosternError;
}

interface StorageHealthOptions {
  /** Name of the secret storage. */
  readonly backend: string;
  /** The sealed vault of the profile. */
  readonly vault: Vault;
  /** Writes, reads and deletes in keychain and vault. Never throws. */
  readonly test: () => Promise<readonly StorageFinding[]>;
  /** Called once if nothing can be saved: everything new is then in memory only. */
  readonly switchToMemory: () => Vault;
  readonly onChange: () => void;
}

/**
 * Whether secrets can be saved. The test never delays the window; code that needs the vault waits for the first test.
 * Without a usable keychain (KC_UNAVAILABLE), secrets stay in memory for the rest of the run, and the window shows
 * that. A locked, denying or slow keychain is retried instead.
 */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  #findings: readonly StorageFinding[] | undefined;
  #testing: Promise<readonly StorageFinding[]> | undefined;
  #memoryVault: Vault | undefined;
  readonly #inMemory = new Set<string>();

  constructor(options: StorageHealthOptions) {
    this.#options = options;
  }

  /** The vault to use. Waits for the first test. */
  async vault(): Promise<Vault> {
    if (!this.#findings) await this.test();
    return this.#memoryVault ?? this.#options.vault;
  }

  /** One test at a time. */
  async test(): Promise<readonly StorageFinding[]> {
    this.#testing ??= this.#options.test().finally(() => (this.#testing = undefined));
    this.#findings = await this.#testing;
    if (hasTrait(this.#error() ?? {}, 'no-keychain')) this.#memoryVault ??= this.#options.switchToMemory();
    this.#options.onChange();
    return this.#findings;
  }

  /** Marks an integration's secrets as readable: they are in memory, whatever the keychain does. */
  markInMemory(id: string): void {
    if (this.#memoryVault) this.#inMemory.add(id);
  }

  /** Why the secrets of an integration cannot be read; `undefined` if they can. */
  problemOf({ id, method, options }: Integration): PosternError | undefined {
    const hasSecrets = method !== 'NoAuth' || options.headerName !== undefined;
    return hasSecrets && !this.#inMemory.has(id) ? this.#error() : undefined;
  }

  view(): DesktopView['storage'] {
    const error = this.#error();
    return {
      state: this.#findings === undefined ? 'checking' : error ? 'trouble' : 'ok',
      backend: this.#options.backend,
      memoryOnly: this.#memoryVault !== undefined,
      ...(error && { error: toPlainError(error) }),
    };
  }

  #error(): PosternError | undefined {
    return this.#findings?.find(({ error }) => error)?.error;
  }
}
