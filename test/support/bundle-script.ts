import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleForNode } from '../../scripts/build.ts';
import { supportScript } from './run-script.ts';

export interface BundledScript {
  readonly file: string;
  remove(): void;
}

/**
 * Bundles `test/support/NAME.ts` for tests that start it many times; loading it from sources would take most of the CPU
 * time. CommonJS, so no top-level `await`, and no console.
 */
export async function bundleScript(name: string): Promise<BundledScript> {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-bundled-'));
  await bundleForNode(folder, { [name]: supportScript(`${name}.ts`) }, { logLevel: 'error' });
  return {
    file: path.join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
