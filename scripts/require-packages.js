// Before the commands that install nothing: says what to do where packages are missing, or this Node is too old for the
// project's TypeScript. Plain JavaScript that any Node can read.
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const advice = 'Run `npm start` once: it makes this machine ready.';

if (packagesMissing()) {
  fail(`The packages in node_modules are not those of package-lock.json. ${advice}`);
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  fail(`This needs Node.js 24, which comes with the packages, and runs on ${process.version}. ${advice}`);
}

/** npm keeps a list of what it has installed. Packages that are for other systems, or can be done without, are in neither. */
function packagesMissing() {
  const wanted = readPackages('package-lock.json') ?? {};
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return true;
  return Object.entries(wanted).some(
    ([place, { optional, version }]) => place !== '' && optional !== true && installed[place]?.version !== version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(new URL(file, root), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
