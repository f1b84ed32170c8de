// Runs before commands that install nothing: explains what to do if packages are missing or this Node is too old for the
// project's TypeScript. Plain JavaScript that any Node can run.
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

if (packagesMissing()) {
  fail(
    'Packages of package-lock.json are missing. Delete the folder node_modules if it exists, then run `npm start` to install them.',
  );
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  fail(
    `This needs Node.js 24; this is ${process.version}. \`npm rebuild node\` installs it with the packages. If there is none for this machine, get it from https://nodejs.org.`,
  );
}

/** Compares with npm's list of installed packages. Optional ones, or those for another system, may be missing. */
function packagesMissing() {
  const wanted = readPackages('package-lock.json') ?? {};
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return true;
  return Object.entries(wanted)
    .filter(([place, { optional }]) => place !== '' && optional !== true)
    .some(([place, { version }]) => installed[place]?.version !== version || !existsSync(new URL(place, root)));
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
