import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { registerCleanupWith } from '../support/after-test.ts';
import { findPackage, installPackage, NotInstalled } from './install-package.ts';
import { canBeApart, runApart } from './loopback-only.ts';
import { startStandInModel } from './model/stand-in-model.ts';
import { packages } from './packages.ts';
import type { RealApp } from './real-app.ts';
import { realApps } from './real-apps.ts';
import { startRefusingProxy } from './refusing-proxy.ts';
import { type Trial, tryApp } from './try-app.ts';

/**
 * Real AI apps from the npm registry use a server through Postern, each with an entry that `postern use` wrote, and a
 * model on this computer. First all are installed, then they run without a network where Linux allows it. Ends with
 * `apps: N passed, N failed, N skipped` and exit code 1 if anything failed.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    apart: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const wanted = values.only?.split(',');
const chosen = realApps.filter(({ package: name }) => wanted?.includes(name) ?? true);
if (values.help || chosen.length === 0) {
  console.log(`npm run apps -- [--only ${realApps.map((one) => one.package).join(',')}]`);
  process.exit(values.help ? 0 : 2);
}

const outputs = path.join(import.meta.dirname, '../../test-results/apps');
const total = { passed: 0, failed: 0, skipped: 0 };

function report(app: string, { name, seconds, fault, skipped, output }: Trial): void {
  const outcome = skipped === undefined ? (fault === undefined ? 'passed' : 'failed') : 'skipped';
  total[outcome] += 1;
  if (output !== '') writeFileSync(path.join(outputs, `${app} ${name}.txt`), output);
  const time = outcome === 'skipped' ? '' : `${seconds.toFixed(1)} s`.padStart(7);
  console.log([outcome.padEnd(8), app.padEnd(12), name.padEnd(36), time].join(' ').trimEnd());
  const reason = skipped ?? fault;
  if (reason !== undefined) console.log(`         ${reason}`);
}

async function run(app: RealApp): Promise<void> {
  const { name, version } = packages[app.package];
  console.log(`\n${name} ${version}`);
  if (app.knownRequests) console.log(`  refused, and not needed: ${app.knownRequests.join(', ')}`);
  const cleanUps: (() => unknown)[] = [];
  registerCleanupWith((clean) => void cleanUps.unshift(clean));
  const model = await startStandInModel('whoami');
  const proxy = await startRefusingProxy();
  try {
    const commands = findPackage(packages[app.package]);
    await tryApp(app, { commands, model, proxy, report: (trial) => report(app.package, trial) });
  } catch (error) {
    const reason = error instanceof NotInstalled ? { skipped: error.message } : { fault: String(error) };
    report(app.package, { name: 'all', seconds: 0, output: '', ...reason });
  } finally {
    for (const clean of cleanUps) await clean();
    await model.close();
    await proxy.close();
  }
}

if (!values.apart) {
  for (const { package: name } of chosen) {
    await installPackage(packages[name]).catch((error: unknown) => {
      if (!(error instanceof NotInstalled)) throw error;
      console.log(`${packages[name].name} could not be installed: ${error.message}`);
    });
  }
  const again = [...process.execArgv, ...process.argv.slice(1), '--apart'];
  if (canBeApart()) process.exit(await runApart([process.execPath, ...again]));
  console.log('This system does not let us cut them off from the network: what goes around the proxy is not seen.');
}
rmSync(outputs, { recursive: true, force: true });
mkdirSync(outputs, { recursive: true });
for (const app of chosen) await run(app);
console.log(`\nprograms: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
