#!/usr/bin/env node
// Starts the built command line. Plain JavaScript that Node 20 can read: it may be what `node` means on this machine.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

const [command, ...words] = process.argv.slice(2);

if (command === 'proxy' && !words.includes('--help') && !words.includes('-h')) {
  // The pipe needs no build and no Node 24, and nothing of the engine.
  const { runPipe } = await import('../pipe/run-pipe.js');
  runPipe(words, [process.execPath, fileURLToPath(import.meta.url), 'serve', '--idle-exit', '600']);
} else if (!existsSync(new URL('dist/cli/index.js', root))) {
  fail('Postern has not been built yet. In its folder, run `npm start` or `npm run build` first.');
} else if (Number.parseInt(process.versions.node, 10) >= 24) {
  // Compiled code is kept beside what it was made from, for whoever may write there; a common folder could hold another's.
  module.enableCompileCache?.(fileURLToPath(new URL('dist/cli/compile-cache', root)));
  await import('../dist/cli/index.js');
} else {
  await runOnProjectNode();
}

async function runOnProjectNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = new URL(`node_modules/node/bin/${name}`, root);
  if (!existsSync(node)) {
    fail(`Postern needs Node.js 24 or newer; this is ${process.version}. In its folder, run \`npm start\` first.`);
    return;
  }
  const { spawn } = await import('node:child_process');
  const { isatty } = await import('node:tty');
  const child = spawn(fileURLToPath(node), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
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
