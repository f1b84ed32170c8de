import path from 'node:path';
import type { Plugin } from 'vite';

/** Node exports that are needed to load Postern and cannot be polyfilled. */
const lacking: Readonly<Record<string, string>> = {
  'node:tls': `
    export * from 'node:tls';
    import { rootCertificates } from 'node:tls';
    export const { getCACertificates = (store) => (store === 'bundled' ? rootCertificates : []) } =
      process.getBuiltinModule('node:tls');`,
  // One holder per file, in this or another live process. Not a kernel lock: these tests kill processes, they do not
  // race them.
  'node:sqlite': `
    import { readFileSync, rmSync, writeFileSync } from 'node:fs';
    class LockFile {
      constructor(file) { this.file = file + '.held-by'; }
      exec() {
        for (;;) {
          try {
            writeFileSync(this.file, String(process.pid), { flag: 'wx' });
            this.held = true;
            return;
          } catch (error) {
            if (error.code !== 'EEXIST') throw Object.assign(error, { errcode: 14 });
          }
          let holder = 0;
          try {
            holder = Number(readFileSync(this.file, 'utf8'));
            if (holder > 0) process.kill(holder, 0);
          } catch {
            if (holder > 0) rmSync(this.file, { force: true });
            continue;
          }
          throw Object.assign(new Error('database is locked'), { errcode: 5 });
        }
      }
      close() { if (this.held) rmSync(this.file, { force: true }); this.held = false; }
    }
    export const DatabaseSync = process.getBuiltinModule('node:sqlite')?.DatabaseSync ?? LockFile;`,
};

const mark = '\0older-node:';
const polyfills = path.join(import.meta.dirname, 'older-node.js');
const entries = ['main/index.ts', 'main/storage/keychain/keychain-child.ts'];

/** Makes a bundle run on Node 20.18; no effect on newer versions. */
export const olderNodeModules: Plugin = {
  name: 'older-node-modules',
  enforce: 'pre',
  resolveId(id, importer) {
    return id in lacking && importer !== undefined && !importer.startsWith(mark) ? `${mark}${id}` : undefined;
  },
  load(id) {
    return id.startsWith(mark) ? lacking[id.slice(mark.length)] : undefined;
  },
  transform(code, id) {
    // Electron itself runs the first module of a utility process.
    if (!entries.some((entry) => id.endsWith(`/${entry}`))) return undefined;
    return { code: `import ${JSON.stringify(polyfills)}; ${code}`, map: null };
  },
};
