#!/usr/bin/env node
// Starts the built command line. Plain JavaScript that any Node can parse, because `node` may be an old version here.
// CommonJS, like the command line itself: Node needs 10 ms more to load the first ES module.
'use strict';

const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

const root = path.join(__dirname, '..');
const app = path.join(root, 'dist/cli/index.js');
/** A checkout has its own Node, for which its keytar was built. */
const projectNode = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const [command, ...words] = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** The first version that has SQLite without a switch; Postern uses its locks. */
const oldestNode = major === 23 ? [23, 4] : [22, 13];
/**
 * For glibc's malloc, which otherwise retains the memory of large messages: maps their chunks (32 and 64 KB)
 * separately, uses one heap for all threads, and returns free memory at the top of the heap.
 */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '30000', MALLOC_TRIM_THRESHOLD_: '1000000' };
/**
 * For V8, which otherwise collects its whole heap after every 8 MB of messages, although they are outside the heap, and
 * takes up to 128 MB for new objects, more than all messages may take.
 */
const heapFlags = ['--initial-old-space-size=64', '--max-semi-space-size=8'];

if (command === 'proxy' && !words.includes('--help') && !words.includes('-h')) {
  // The pipe needs neither a build nor a new Node.
  void import('../pipe/run-pipe.js').then(({ runPipe }) =>
    runPipe(words, [process.execPath, __filename, 'serve', '--idle-exit', '600']),
  );
} else if (!existsSync(app)) {
  fail('Postern has not been built yet. Run `npm start` or `npm run build` in its folder first.');
} else if (major >= 24) {
  run();
} else if (existsSync(projectNode)) {
  runOnProjectNode();
} else if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) {
  hideExperimentalWarnings();
  run();
} else {
  const remedy = existsSync(path.join(root, 'package-lock.json'))
    ? 'Run `npm start` in the Postern folder first'
    : 'Get a newer version from https://nodejs.org';
  fail(`Postern needs Node.js ${oldestNode.join('.')} or newer, but this is ${process.version}. ${remedy}.`);
}

function run() {
  if (command === 'serve') restartWithLeanMemory();
  // The cache is next to the code, so only those who can write the code can write it. In a shared folder it could be
  // someone else's.
  enableCompileCache(path.join(root, 'dist/cli/compile-cache'));
  require(app);
}

/**
 * A process that serves apps runs for days. malloc and V8 read these settings only at the start, so it restarts itself
 * in place. Without `execve` (Node before 22.15), it runs without them.
 */
function restartWithLeanMemory() {
  const isLean = Object.keys(mallocSettings).every((name) => process.env[name] !== undefined);
  if (isLean || process.platform !== 'linux' || process.execve === undefined) return;
  const env = { ...mallocSettings, ...process.env };
  const { spawnSync } = require('node:child_process');
  // Try first: if the executable cannot be started, `execve` ends this process without an error.
  if (spawnSync(process.execPath, [...heapFlags, '--version'], { env, stdio: 'ignore' }).status !== 0) return;
  const argv = [process.execPath, ...heapFlags, ...process.execArgv, __filename, ...process.argv.slice(2)];
  process.execve(process.execPath, argv, env);
}

/** Node 22 warns at each start that SQLite is experimental; users cannot do anything about it. */
function hideExperimentalWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener.call(process, warning);
  });
}

function runOnProjectNode() {
  const { spawn } = require('node:child_process');
  const { isatty } = require('node:tty');
  const child = spawn(projectNode, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes. A signal to this process only is forwarded.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => isatty(0) || child.kill('SIGINT'));
  child.on('error', (error) =>
    fail(`The Node.js in this folder could not be started (${error.code}). Run \`npm ci\`, then try again.`),
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
