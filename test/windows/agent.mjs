// Runs on Windows' Node: starts processes for whoever connects to its loopback port. Wine gives a Windows process no
// usable pipe to Linux, so all input and output passes through here.
//
// A connection is one process. Its first line is JSON: `file`, `words`, `cwd`, `env` (added to the agent's own; null
// removes a variable), `verbatim` (the words are quoted already, as for cmd.exe). Afterwards `{"input": base64}`,
// `{"end": true}` or `{"kill": true}`. The agent sends `{"stdout"|"stderr": base64}` and `{"exit": code}`.
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [portFile] = process.argv.slice(2);

const server = createServer((socket) => {
  const send = (message) => socket.writable && socket.write(`${JSON.stringify(message)}\n`);
  socket.on('error', () => {});
  let child;
  createInterface({ input: socket }).on('line', (line) => {
    const message = JSON.parse(line);
    if (child === undefined) {
      const { file, words, cwd, verbatim } = message;
      const env = Object.fromEntries(
        Object.entries({ ...process.env, ...message.env }).filter(([, value]) => value !== null),
      );
      child = spawn(file, words, { cwd, env, windowsHide: true, windowsVerbatimArguments: verbatim === true });
      child.on('error', (error) => send({ error: error.message }));
      child.on('close', (code, signal) => {
        send({ exit: code, signal });
        socket.end();
      });
      for (const name of ['stdout', 'stderr'])
        child[name].on('data', (chunk) => send({ [name]: chunk.toString('base64') }));
      child.stdin.on('error', () => {});
      send({ pid: child.pid });
    } else if (message.input !== undefined) child.stdin.write(Buffer.from(message.input, 'base64'));
    else if (message.end) child.stdin.end();
    else if (message.kill) child.kill('SIGKILL');
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  writeFileSync(`${portFile}.new`, String(port));
  renameSync(`${portFile}.new`, portFile);
});
