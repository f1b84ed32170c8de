// Stands where Postern is started in the background: notes how it was started, and serves the profile until it is
// ended.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { pipeWords } from '../../main/endpoint/pipe-words.ts';
import { ByteLines } from './byte-lines.ts';
import { gatewaySocket, listenForPipes } from './listen-for-pipes.ts';

/** A request that it keeps to itself. */
const unanswered = 'test/unanswered';

const folder = process.env['POSTERN_HOME'] ?? '';
const { pid, ppid: parent, env } = process;
const started = { pid, parent, words: process.argv.slice(2), env, at: performance.timeOrigin };
// Whoever gets an answer of it finds the note.
appendFileSync(path.join(folder, 'started'), `${JSON.stringify(started)}\n`);
await listenForPipes(gatewaySocket(folder), (socket) => {
  socket.write(`${String(pipeWords.here)}\n`);
  const lines = new ByteLines((line) => {
    const { id, method } = JSON.parse(line) as { id?: unknown; method?: string };
    if (id !== undefined && method !== unanswered)
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { method } })}\n`);
    return false;
  });
  socket.on('data', (chunk) => lines.push(chunk));
  socket.on('error', () => {});
});
