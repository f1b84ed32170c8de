import type { Vault, VaultKey } from '../../ports.ts';
import { renderRecord } from './record-text.ts';
import { originOf } from './sealed-record.ts';

/** A vault that ends with the process. */
export function createMemoryVault(): Vault {
  const records = new Map<string, { key: VaultKey; text: string }>();
  async function read(key: VaultKey): Promise<unknown> {
    const record = records.get(nameOf(key));
    return record && (JSON.parse(record.text) as unknown);
  }
  return {
    persistent: false,
    async ready() {},
    read,
    snapshot: async () => read,
    async write(key, value) {
      records.set(nameOf(key), { key, text: renderRecord(value) });
    },
    async writeTogether(together) {
      const rendered = together.map(([key, value]) => ({ key, text: renderRecord(value) }));
      for (const record of rendered) records.set(nameOf(record.key), record);
    },
    async delete(...keys) {
      for (const key of keys) records.delete(nameOf(key));
    },
    async keysOf(owner) {
      return [...records.values()].map(({ key }) => key).filter((key) => key.owner === owner);
    },
    unsaved: new Map(),
    receipts: new Map(),
    async owners() {
      return [...new Set([...records.values()].map(({ key }) => key.owner))];
    },
  };
}

function nameOf(key: VaultKey): string {
  return JSON.stringify([key.kind, key.owner, originOf(key)]);
}
