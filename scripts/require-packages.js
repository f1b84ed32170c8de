// Before the commands that install nothing: says what to do where packages are missing, or this Node is too old for the
// project's TypeScript. Plain JavaScript that any Node can read.
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

if (packagesMissing()) {
  fail(
    'Packages of package-lock.json are missing. Delete the folder node_modules if there is one, then run `npm start`: it installs them.',
  );
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  fail(
    `This needs Node.js 24, and this is ${process.version}. \`npm rebuild node\` puts one beside the packages; where that has none for this machine, get it from https://nodejs.org.`,
  );
}

/** npm keeps a list of what it has installed. What is for another system, or can be done without, may be missing. */
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
