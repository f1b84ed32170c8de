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
 * `test/support/NAME.ts` with all that it needs, for a test that starts it many times: from its sources, reading those
 * would take most of the processor. CommonJS, so without an `await` outside of functions, and without a console.
 */
export async function bundleScript(name: string): Promise<BundledScript> {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-bundled-'));
  await bundleForNode(folder, { [name]: supportScript(`${name}.ts`) }, { logLevel: 'error' });
  return {
    file: path.join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
