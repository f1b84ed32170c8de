import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { completeSignIn } from './scripted-browser.ts';
import { supportScript } from './run-script.ts';

/**
 * Returns a command for `$BROWSER` that signs in as `DEMO_USER` and allows, or denies with `DEMO_DENY`: a script that
 * passes each URL to this process, because a Node process per page costs 30 times as much.
 */
export function openApprovingBrowser(): string {
  const ownProcess = `${process.execPath} ${supportScript('approving-browser.ts')}`;
  if (process.platform === 'win32') return ownProcess;
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-browser-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const pages = path.join(folder, 'pages');
  execFileSync('mkfifo', ['-m', '600', pages]);
  const script = path.join(folder, 'browser');
  writeFileSync(
    script,
    // The URL comes last. If it exceeds PIPE_BUF, it may mix with another one. Other users must not write here.
    `#!/bin/sh
for url; do :; done
[ -w '${pages}' ] && [ \${#url} -lt 3000 ] || exec ${ownProcess} "$url"
printf '%s\\t%s\\t%s\\n' "$DEMO_USER" "\${DEMO_DENY+deny}" "$url" 1<>'${pages}'
`,
    { mode: 0o755 },
  );
  const input = new Socket({ fd: openSync(pages, constants.O_RDWR | constants.O_NONBLOCK), writable: false }).unref();
  createInterface({ input }).on('line', (line) => {
    const [user = '', deny, url = ''] = line.split('\t');
    // The command reports the result; its callback listener is often gone before the last page is read.
    completeSignIn(url, { ...(user !== '' && { user }), deny: deny !== '' }).catch(() => {});
  });
  return script;
}
