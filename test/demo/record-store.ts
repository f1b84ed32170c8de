import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Adapter, AdapterRecord } from 'oidc-provider';

interface StoredRecord {
  payload: AdapterRecord;
  /** Milliseconds since 1970; absent for records that do not expire, such as clients. */
  expiresAt?: number;
}

interface Content {
  version: 1;
  secrets: Record<string, unknown>;
  records: Record<string, StoredRecord>;
}

/**
 * The authorization server's storage: clients, grants, tokens, sessions and its own keys. With a file it survives a
 * restart (spec 2.5: "persist registered clients"); otherwise it is lost at the end.
 */
export interface RecordStore {
  adapter(model: string): Adapter;
  /** A secret of the server itself, created by `make` the first time. */
  secret<Value>(name: string, make: () => Value): Value;
}

export function createRecordStore(file?: string): RecordStore {
  const content = (file === undefined ? undefined : read(file)) ?? { version: 1, secrets: {}, records: {} };

  function save(): void {
    for (const [key, record] of Object.entries(content.records)) {
      if (isOver(record)) delete content.records[key];
    }
    if (file !== undefined) writeWhole(file, JSON.stringify(content));
  }

  function find(key: string): AdapterRecord | undefined {
    const record = content.records[key];
    return record === undefined || isOver(record) ? undefined : record.payload;
  }

  function findBy(model: string, field: string, value: string): AdapterRecord | undefined {
    const found = Object.entries(content.records).find(
      ([key, record]) => key.startsWith(`${model}:`) && record.payload[field] === value && !isOver(record),
    );
    return found?.[1].payload;
  }

  return {
    secret<Value>(name: string, make: () => Value): Value {
      if (!(name in content.secrets)) {
        content.secrets[name] = make();
        save();
      }
      return content.secrets[name] as Value;
    },
    adapter: (model) => ({
      async upsert(id, payload, expiresIn) {
        content.records[`${model}:${id}`] = {
          payload,
          ...(expiresIn === undefined ? {} : { expiresAt: Date.now() + expiresIn * 1000 }),
        };
        save();
      },
      find: async (id) => find(`${model}:${id}`),
      findByUid: async (uid) => findBy(model, 'uid', uid),
      findByUserCode: async (userCode) => findBy(model, 'userCode', userCode),
      async consume(id) {
        const payload = find(`${model}:${id}`);
        if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000);
        save();
      },
      async destroy(id) {
        delete content.records[`${model}:${id}`];
        save();
      },
      async revokeByGrantId(grantId) {
        for (const [key, record] of Object.entries(content.records)) {
          if (key.startsWith(`${model}:`) && record.payload['grantId'] === grantId) delete content.records[key];
        }
        save();
      },
    }),
  };
}

function isOver(record: StoredRecord): boolean {
  return record.expiresAt !== undefined && record.expiresAt <= Date.now();
}

function read(file: string): Content | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const content = JSON.parse(text) as Content;
    if (content.version === 1) return content;
  } catch {
    // A broken file is renamed, not deleted: it may contain the only copy of a client.
  }
  renameSync(file, `${file}.unreadable`);
  return undefined;
}

/** Atomic, and readable only by the owner: the file contains client secrets. */
function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
