/**
 * fail-first-connects.ts FOLDER KILLED: in the current session, runs `postern connect` with a key that the server
 * rejects, each time for a new profile below FOLDER. KILLED runs are killed, each at a later change of its folder, and
 * then repeated to the end. Prints as JSON how they ended, the keyring's accounts, and the files by profile.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import keytar from 'keytar';
import { keychainService } from '../../../main/storage/keychain/keychain-service.ts';

const [root = '', killed = '0'] = process.argv.slice(2);
const app = new URL('../../../bin/postern.js', import.meta.url).pathname;
const server = http.createServer((_request, response) => void response.writeHead(401).end());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
const words = ['connect', url, '--local', '--name', 'Keyed', '--header', 'X-API-Key', '--header-value-stdin'];

/** The exit code; `null` if it was killed, which happens at the folder's change number `fatal`. */
async function connect(home: string, fatal = Infinity): Promise<number | null> {
  const env = { ...process.env, POSTERN_HOME: home };
  const child = spawn(process.execPath, [app, ...words], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end('a-key\n');
  let changes = 0;
  const watcher = watch(home, () => {
    changes += 1;
    if (changes === fatal) child.kill('SIGKILL');
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  watcher.close();
  return code;
}

const ends: (number | null)[] = [];
const profiles: Record<string, readonly string[]> = {};
const named: string[] = [];
for (let index = 0; index <= Number(killed); index += 1) {
  const home = path.join(root, String(index));
  mkdirSync(home, { mode: 0o700 });
  if (index > 0) ends.push(await connect(home, index * 2));
  ends.push(await connect(home));
  profiles[index] = readdirSync(home);
  const { account } = JSON.parse(readFileSync(path.join(home, 'vault'), 'utf8')) as { account: string };
  named.push(account);
}
server.close();
const entries = (await keytar.findCredentials(keychainService('dev'))).map(({ account }) => account);
console.log(JSON.stringify({ ends, entries: entries.toSorted(), named: named.toSorted(), profiles }));
