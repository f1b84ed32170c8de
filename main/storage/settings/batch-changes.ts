import { changesAtOnce } from '../../limits.ts';

export interface BatchOptions<Document> {
  /** Holds the lock around reading and writing. */
  readonly together: (work: () => Promise<void>) => Promise<void>;
  readonly read: () => Promise<Document>;
  readonly write: (document: Document) => Promise<void>;
}

interface Waiting<Document> {
  readonly edit: (document: Document) => Document;
  readonly resolve: (document: Document) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Changes of one document, each of them re-read, made and written under the lock. Those that come while another waits
 * for the lock or is written go together, in their order, with one write for all. An edit that throws fails alone;
 * where the document cannot be read or written, all of its batch fail. An edit that answers what it was given changes
 * nothing.
 */
export function batchChanges<Document>({ together, read, write }: BatchOptions<Document>) {
  const waiting: Waiting<Document>[] = [];
  let isWriting = false;

  async function writeBatch(): Promise<void> {
    let taken: Waiting<Document>[] = [];
    try {
      await together(async () => {
        taken = waiting.splice(0, changesAtOnce);
        const before: Document = await read();
        let document = before;
        const done: (() => void)[] = [];
        for (const { edit, resolve, reject } of taken) {
          try {
            const edited = edit(document);
            document = edited;
            done.push(() => resolve(edited));
          } catch (error) {
            reject(error);
          }
        }
        if (document !== before) await write(document);
        for (const tell of done) tell();
      });
    } catch (error) {
      // Without the lock none of them could run: all who waited are told the error.
      const failed = taken.length > 0 ? taken : waiting.splice(0, changesAtOnce);
      for (const { reject } of failed) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.length > 0) await writeBatch();
    } finally {
      isWriting = false;
    }
  }

  return (edit: (document: Document) => Document): Promise<Document> => {
    const { promise, resolve, reject } = Promise.withResolvers<Document>();
    waiting.push({ edit, resolve, reject });
    if (!isWriting) void writeAll();
    return promise;
  };
}
