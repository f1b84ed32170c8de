// Replaces Postern where it is started in the background: records how it was started, and serves the profile until it
// is ended.
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { controlLines } from '../../main/net/endpoint/pipe-connection.ts';
import { ByteLines } from './byte-lines.ts';
import { gatewaySocket, listenForPipes } from './listen-for-pipes.ts';

/** A request that it never answers. */
const unanswered = 'test/unanswered';

const folder = process.env['POSTERN_HOME'] ?? '';
const { pid, ppid: parent, env } = process;
const started = { pid, parent, words: process.argv.slice(2), env, at: processStartTime() };
// The record is written before the first response.
appendFileSync(path.join(folder, 'started'), `${JSON.stringify(started)}\n`);
await listenForPipes(gatewaySocket(folder), (socket) => {
  socket.write(`${String(controlLines.here)}\n`);
  const lines = new ByteLines((line) => {
    const { id, method } = JSON.parse(line) as { id?: unknown; method?: string };
    if (id !== undefined && method !== unanswered)
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { method } })}\n`);
    return false;
  });
  socket.on('data', (chunk) => lines.push(chunk));
  socket.on('error', () => {});
});

/**
 * When this process was created, in milliseconds since 1970. On Linux from the kernel: on a busy machine, seconds may
 * pass before Node runs.
 */
function processStartTime(): number {
  if (process.platform !== 'linux') return performance.timeOrigin;
  const [uptime = 0] = readFileSync('/proc/uptime', 'utf8').split(' ').map(Number);
  // proc_pid_stat(5): the 22nd field, in hundredths of a second since boot.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Date.now() - (uptime - Number(fields[19]) / 100) * 1_000;
}
