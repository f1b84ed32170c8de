import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../support/loopback-server.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';
import { publish, setVariable } from '../support/release/published-update.ts';
import type { Publication } from '../support/release/published-update.ts';

/** Headers that would give a second host a credential of the first. */
const credentials = /^(?:authorization|proxy-authorization|cookie|x-api-key|private-token)$/im;

/** A feed whose host redirects every request to another one, as release pages do, and sets a cookie with it. */
async function publishElsewhere(change: Partial<Publication> = {}) {
  const other: { server?: LoopbackServer } = {};
  const publication = await publish({
    version: '1.2.0',
    ...change,
    intercept(request, response) {
      if (request.headers['host']?.startsWith('localhost') === true || !other.server) return false;
      const location = `http://localhost:${other.server.port}${request.url}`;
      response.writeHead(302, { location, 'set-cookie': 'account=canary; Path=/' }).end();
      return true;
    },
  });
  const elsewhere = await serveHttp(publication.serve);
  other.server = elsewhere;
  onTestFinished(() => elsewhere[Symbol.asyncDispose]());
  return { ...publication, elsewhere };
}

describe('a feed that redirects to another host', () => {
  it('is followed, without a credential or a cookie, and the same signature is required (PK-08)', async () => {
    const { updates, elsewhere, fetched, content } = await publishElsewhere();
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available', version: '1.2.0' });
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'ready' });
    const [file = ''] = fetched();
    expect(readFileSync(file).equals(content)).toBe(true);
    for (const name of ['latest-linux', 'checksums.txt.sig', 'AppImage'])
      expect(elsewhere.received()).toMatch(new RegExp(`^GET /postern/.*${name}`, 'm'));
    expect(elsewhere.received()).not.toMatch(credentials);
    expect(elsewhere.received()).not.toContain('canary');
  });

  it('does not get a credential of the first host, if there ever is one (PK-08)', async () => {
    const { updates, updater, server, elsewhere } = await publishElsewhere();
    await updates.check();
    const requestHeaders = { authorization: 'Bearer canary', cookie: 'canary', 'x-api-key': 'canary' };
    Object.assign(updater, { requestHeaders: { ...updater.requestHeaders, ...requestHeaders } });
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'ready' });
    expect(server.received()).toContain('Bearer canary');
    expect(elsewhere.received()).not.toMatch(credentials);
    expect(elsewhere.received()).not.toContain('canary');
  });

  it('installs nothing that the publisher has not signed (PK-08, PK-06)', async () => {
    const { updates, fetched } = await publishElsewhere({ forged: Buffer.from('evil'), consistent: true });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_SIGNATURE' } });
    expect(fetched()).toEqual([]);
  });

  it.each([
    ['the feed', 'latest-linux', 'idle'],
    ['the list of checksums', 'checksums', 'idle'],
    ['the installer', 'AppImage', 'available'],
  ])('forever is abandoned after a few rounds: %s (PK-08)', async (_what, name, state) => {
    let rounds = 0;
    const { updates } = await publish({
      version: '1.2.0',
      intercept(request, response) {
        if (request.url?.includes(name) !== true) return false;
        rounds += 1;
        response.writeHead(302, { location: `${request.url}#` }).end();
        return true;
      },
    });
    await updates.check();
    await updates.download();
    expect(await updates.view()).toMatchObject({ state, error: { code: 'UPD_FAILED' } });
    // The file that describes the newest version is requested three times.
    expect(rounds).toBeLessThanOrEqual(33);
  });
});

describe('an installer with shell characters in its name', () => {
  it.each([
    'Postern-1.2.0-linux-x64;touch${IFS}evil.deb',
    'Postern-1.2.0-$(touch${IFS}evil)-x64.deb',
    'Postern-1.2.0-`touch\tevil`-x64.deb',
    'Postern-1.2.0-linux-x64.deb\n',
    "Postern-1.2.0-'||touch${IFS}evil||'.deb",
    'Postern-1.2.0-/../../../evil.deb',
    'Postern-1.2.0-%24%28touch%20evil%29.deb',
    'Postern-1.2.0-linux-x64.deb?$(touch${IFS}evil).deb',
  ])('is not downloaded, even if the publisher has signed it: %j (PK-09)', async (name) => {
    const { updates, server, fetched } = await publish({ version: '1.2.0', kind: 'deb', name });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_SIGNATURE' } });
    await updates.download();
    expect(server.received()).not.toMatch(/^GET \S*\.deb/m);
    expect(fetched()).toEqual([]);
  });

  it.each(['1.2.0;touch evil', '1.2.0-$(touch evil)', '`touch evil`'])(
    'is not requested: %j is not a version (PK-09)',
    async (version) => {
      const { updates, server } = await publish({ version, kind: 'deb', name: 'Postern-1.2.0-linux-x64.deb' });
      await updates.check();
      expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_FAILED' } });
      expect(server.received()).not.toMatch(/^GET \S*\.deb/m);
    },
  );

  it.runIf(process.platform === 'linux')(
    'is the only path to its shell: a real installation passes the file, from any folder (PK-09)',
    async () => {
      // electron-updater installs a deb by `dpkg` in a shell.
      const cache = 'cache $(touch evil);touch "evil"&`touch evil`';
      const { updates, updater, folder, fetched } = await publish({ version: '1.2.0', kind: 'deb', cache });
      const [apps, logFile] = [path.join(folder, 'apps'), path.join(folder, 'told')];
      mkdirSync(apps);
      for (const name of ['dpkg', 'sudo', 'pkexec']) {
        const script = name === 'dpkg' ? `printf '%s\\n' "$@" >'${logFile}'` : 'PATH=$PATH:/usr/bin:/bin exec "$@"';
        writeFileSync(path.join(apps, name), `#!/bin/sh\n${script}\n`);
        chmodSync(path.join(apps, name), 0o755);
      }
      setVariable('PATH', `${apps}:${process.env['PATH']}`);
      await updates.check();
      await updates.download();
      expect(await updates.view()).toMatchObject({ state: 'ready' });
      const before = process.cwd();
      process.chdir(folder);
      onTestFinished(() => process.chdir(before));
      (updater as unknown as { install(isSilent: boolean): boolean }).install(true);
      expect(readFileSync(logFile, 'utf8').split('\n').slice(0, 2)).toEqual(['-i', fetched()[0]]);
      expect(existsSync(path.join(folder, 'evil'))).toBe(false);
    },
  );
});
