#!/usr/bin/env node
// Starts the built command line. Plain JavaScript that Node 20 can read: it may be what `node` means on this machine.
// CommonJS, as what it starts: Node needs 10 ms more for the first module.
'use strict';

const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

const root = path.join(__dirname, '..');
const program = path.join(root, 'dist/cli/index.js');

const [command, ...words] = process.argv.slice(2);

if (command === 'proxy' && !words.includes('--help') && !words.includes('-h')) {
  // The pipe needs no build and no Node 24, and nothing of the engine.
  void import('../pipe/run-pipe.js').then(({ runPipe }) =>
    runPipe(words, [process.execPath, __filename, 'serve', '--idle-exit', '600']),
  );
} else if (!existsSync(program)) {
  fail('Postern has not been built yet. In its folder, run `npm start` or `npm run build` first.');
} else if (Number.parseInt(process.versions.node, 10) >= 24) {
  // Compiled code is kept beside what it was made from, for whoever may write there; a common folder could hold
  // another's.
  enableCompileCache?.(path.join(root, 'dist/cli/compile-cache'));
  require(program);
} else {
  runOnProjectNode();
}

function runOnProjectNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = path.join(root, 'node_modules/node/bin', name);
  if (!existsSync(node)) {
    fail(`Postern needs Node.js 24 or newer; this is ${process.version}. In its folder, run \`npm start\` first.`);
    return;
  }
  const { spawn } = require('node:child_process');
  const { isatty } = require('node:tty');
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; a signal to this one alone is passed on.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => isatty(0) || child.kill('SIGINT'));
  child.on('error', (error) =>
    fail(`Node.js 24 could not be started (${error.code}). Run \`npm ci\`, then try again.`),
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
