#!/usr/bin/env node
// Starts the built command line. Plain JavaScript that any Node can read: it may be what `node` means on this machine.
// CommonJS, as what it starts: Node needs 10 ms more for the first module.
'use strict';

const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

const root = path.join(__dirname, '..');
const app = path.join(root, 'dist/cli/index.js');
/** A checkout brings its own, for which its keytar was built. */
const projectNode = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const [command, ...words] = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** The first one that has SQLite, whose locks the program uses, without a switch. */
const oldest = major === 23 ? [23, 4] : [22, 13];
/**
 * For malloc of glibc, which else keeps what large messages took: their pieces, 32 and 64 KB each, by themselves, one
 * heap for all threads, and what is free at its end given back.
 */
const leanMemory = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '30000', MALLOC_TRIM_THRESHOLD_: '1000000' };
/**
 * For V8, which else looks through all its objects after every 8 MB of messages, none of which is among them; and which
 * takes up to 128 MB for those that have just been made, more than all messages may have.
 */
const calmCollector = ['--initial-old-space-size=64', '--max-semi-space-size=8'];

if (command === 'proxy' && !words.includes('--help') && !words.includes('-h')) {
  // The pipe needs no build and no newer Node, and nothing of the engine.
  void import('../pipe/run-pipe.js').then(({ runPipe }) =>
    runPipe(words, [process.execPath, __filename, 'serve', '--idle-exit', '600']),
  );
} else if (!existsSync(app)) {
  fail('Postern has not been built yet. In its folder, run `npm start` or `npm run build` first.');
} else if (major >= 24) {
  run();
} else if (existsSync(projectNode)) {
  runOnProjectNode();
} else if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
  keepExperimentsQuiet();
  run();
} else {
  const where = existsSync(path.join(root, 'package-lock.json'))
    ? 'in the folder of Postern, run `npm start` first'
    : 'get a newer one from https://nodejs.org';
  fail(`Postern needs Node.js ${oldest.join('.')} or newer, and this is ${process.version}: ${where}.`);
}

function run() {
  if (command === 'serve') startLean();
  // Compiled code is kept beside what it was made from, for whoever may write there; a common folder could hold
  // another's.
  enableCompileCache(path.join(root, 'dist/cli/compile-cache'));
  require(app);
}

/**
 * What serves programs stays for days. It begins anew as the same process, since malloc and V8 read these settings at
 * the start alone; without `execve` (Node before 22.15) it does without them.
 */
function startLean() {
  const isLean = Object.keys(leanMemory).every((name) => process.env[name] !== undefined);
  if (isLean || process.platform !== 'linux' || process.execve === undefined) return;
  const env = { ...leanMemory, ...process.env };
  const { spawnSync } = require('node:child_process');
  // Where nothing can be started, `execve` ends this process instead of saying so.
  if (spawnSync(process.execPath, [...calmCollector, '--version'], { env, stdio: 'ignore' }).status !== 0) return;
  const again = [process.execPath, ...calmCollector, ...process.execArgv, __filename, ...process.argv.slice(2)];
  process.execve(process.execPath, again, env);
}

/** Node 22 calls SQLite an experiment at each start, which nobody who types a command can do anything about. */
function keepExperimentsQuiet() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const tell of listeners) tell.call(process, warning);
  });
}

function runOnProjectNode() {
  const { spawn } = require('node:child_process');
  const { isatty } = require('node:tty');
  const child = spawn(projectNode, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; a signal to this one alone is passed on.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => isatty(0) || child.kill('SIGINT'));
  child.on('error', (error) =>
    fail(`The Node.js of this folder could not be started (${error.code}). Run \`npm ci\`, then try again.`),
  );
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
    } else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
