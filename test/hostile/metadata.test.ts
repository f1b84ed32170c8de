import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../main/errors/postern-error.ts';
import type { HostLookup } from '../../main/net/http/pinned-connector.ts';
import { honest, resourceMetadata, sendJson, serverMetadata } from './kit/honest-answers.ts';
import type { Behavior, Place, Scene } from './kit/honest-answers.ts';
import { createHostileEngine } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';
import { outcomeOf, underOracle } from './oracle.ts';

type Changes = (scene: Scene) => Record<string, unknown>;

const asmWith = (changes: Changes): Behavior => {
  return ({ response, scene }) => sendJson(response, { ...serverMetadata(scene), ...changes(scene) });
};
const prmWith = (changes: Changes): Behavior => {
  return ({ response, scene }) => sendJson(response, { ...resourceMetadata(scene), ...changes(scene) });
};

/** Connects in a world with one hostile document; nothing may be opened. */
async function connectWith(changes: Parameters<typeof startWorld>[0], opened = 0) {
  const world = await startWorld(changes);
  const engine = createHostileEngine();
  const verdict = await underOracle(world, engine, { opened }, () => engine.connect(world.mcpUrl));
  return { world, verdict, outcome: outcomeOf(verdict) };
}

describe('an endpoint in the metadata that is no safe web address', () => {
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const;
  const addresses: readonly [string, string][] = [
    ['javascript:alert(1)', 'URL_SCHEME'],
    ['data:text/html,<script>alert(1)</script>', 'URL_SCHEME'],
    ['vbscript:x', 'URL_SCHEME'],
    ['file:///etc/passwd', 'URL_SCHEME'],
    ['blob:https://auth.test/x', 'URL_SCHEME'],
    ['about:blank', 'URL_SCHEME'],
    ['ms-msdt:/id PCWDiagnostic', 'URL_INVALID'],
    ['search-ms:query=x', 'URL_SCHEME'],
    ['smb://auth.test/share', 'URL_SCHEME'],
    ['vscode://install', 'URL_SCHEME'],
    ['https:/evil.test', 'URL_INVALID'],
    ['https://auth.test\\@evil.test/', 'URL_INVALID'],
    ['https://auth.test\t.evil.test/', 'URL_INVALID'],
    ['https://user:pass@auth.test/', 'URL_USERINFO'],
    ['https://auth.test/#fragment', 'URL_FRAGMENT'],
    ['https://auth.test:22/', 'URL_PORT'],
    ['https://auth.test:6379/', 'URL_PORT'],
    [`https://auth.test/${'a'.repeat(2_100)}`, 'URL_TOO_LONG'],
  ];
  it.each(endpoints.flatMap((endpoint) => addresses.map(([address, code]) => [endpoint, address, code] as const)))(
    '%s %.60s: the method is unavailable, nothing is opened (MD-13, MD-16, MD-17, MD-18, NW-14)',
    async (endpoint, address, code) => {
      const { outcome, world, verdict } = await connectWith({ asm: asmWith(() => ({ [endpoint]: address })) });
      expect(outcome).toBe(code);
      expect(world.count('register')).toBe(0);
      // The user typed none of it: the error names the document and its member, and only its owner can act.
      const plainError = toPlainError(verdict.error);
      expect(plainError).toMatchObject({ blame: 'document', remedy: { kind: 'contact-owner' } });
      expect(plainError.message).toContain(new URL(world.origins.auth).host);
      expect(plainError.message).toContain(`(${endpoint})`);
    },
  );

  const stops: readonly [string, string][] = [
    ['http://auth.test/x', 'URL_DOWNGRADE'],
    ['http://evil.test/x', 'URL_DOWNGRADE'],
    ['https://10.0.0.1/x', 'HOST_BLOCKED'],
    ['https://192.168.1.1:8443/x', 'HOST_BLOCKED'],
    ['https://169.254.169.254/latest', 'HOST_BLOCKED'],
    ['https://[::ffff:169.254.169.254]/', 'HOST_BLOCKED'],
    ['https://0xa9fea9fe/', 'HOST_BLOCKED'],
    ['https://metadata.google.internal/', 'HOST_BLOCKED'],
    ['https://[64:ff9b::7f00:1]/', 'HOST_BLOCKED'],
    ['https://100.100.100.200/', 'HOST_BLOCKED'],
  ];
  it.each(endpoints.flatMap((endpoint) => stops.map(([address, code]) => [endpoint, address, code] as const)))(
    '%s %s stops the sign-in (MD-23, NW-01, NW-04, NW-05, NW-10)',
    async (endpoint, address, code) => {
      const world = await startWorld({ asm: asmWith(() => ({ [endpoint]: address })) });
      const engine = createHostileEngine();
      const run = engine.connect(world.mcpUrl);
      await expect(run).rejects.toMatchObject({ code });
      expect(engine.opened).toEqual([]);
      expect(world.count('register')).toBe(0);
    },
  );

  it.each([...addresses, ...stops])(
    'revocation_endpoint %.60s is ignored in a sign-in that does not need it (MD-16, MD-23, NW-01)',
    async (address) => {
      const world = await startWorld({ asm: asmWith(() => ({ revocation_endpoint: address })) });
      const engine = createHostileEngine();
      const expected = { opened: 1, stored: ['registration', 'credentials', 'tokens'] };
      const { code } = await underOracle(world, engine, expected, () => engine.connect(world.mcpUrl));
      expect(code).toBe('ok');
    },
  );
});

describe('an authorization endpoint with shell syntax', () => {
  it.each(['$(calc)', '`calc`', '&calc&', '|calc', '"calc"', '%0acalc', "';calc;'", '--version'])(
    'is opened as one literal address: %s (MD-14)',
    async (text) => {
      const world = await startWorld({
        asm: asmWith(({ origins }) => ({ authorization_endpoint: `${origins.auth}/authorize?x=${text}` })),
      });
      const engine = createHostileEngine();
      const expected = { opened: 1, stored: ['registration', 'credentials', 'tokens'] };
      const verdict = await underOracle(world, engine, expected, () => engine.connect(world.mcpUrl));
      expect(verdict.code).toBe('ok');
      const [url = ''] = engine.opened;
      expect(new URL(url).href).toBe(url);
      expect(url).not.toMatch(/[\s"\\<>]/);
    },
  );
});

describe('a document that claims to be another’s', () => {
  it.each([
    ['another host', ({ origins }: Scene) => `${origins.elsewhere}/mcp`],
    ['another port', ({ origins }: Scene) => `${origins.auth.replace('auth.test', 'mcp.test')}/mcp`],
    ['another path', ({ origins }: Scene) => `${origins.mcp}/other`],
    ['a longer word', ({ origins }: Scene) => `${origins.mcp}/mc`],
    ['plain http', ({ origins }: Scene) => `${origins.mcp.replace('https', 'http')}/mcp`],
    ['a query', ({ origins }: Scene) => `${origins.mcp}/mcp?tenant=2`],
  ])('names %s as resource: no authorization server is contacted (MD-25, MD-26, MD-36)', async (_what, resource) => {
    const { outcome, world } = await connectWith({ prm: prmWith((scene) => ({ resource: resource(scene) })) });
    expect(outcome).toBe('RESOURCE_MISMATCH');
    expect(world.sites.auth.sockets).toHaveLength(0);
  });

  it.each([
    ['another host', ({ origins }: Scene) => origins.elsewhere],
    ['another spelling', ({ origins }: Scene) => origins.auth.toUpperCase().replace('HTTPS', 'https')],
    ['a path', ({ origins }: Scene) => `${origins.auth}/tenant`],
    ['a name that only looks like it', () => 'https://аuth.test'],
  ])('names %s as issuer: the sign-in stops before a page opens (MD-28)', async (_what, issuer) => {
    const { outcome, world } = await connectWith({ asm: asmWith((scene) => ({ issuer: issuer(scene) })) });
    expect(outcome).toBe('ISSUER_MISMATCH');
    expect(world.count('register')).toBe(0);
  });

  it('names an authorization server by plain http (MD-23)', async () => {
    const { outcome } = await connectWith({
      prm: prmWith(({ origins }) => ({ authorization_servers: [origins.auth.replace('https', 'http')] })),
    });
    expect(outcome).toBe('URL_DOWNGRADE');
  });

  it.each([
    ['of another private host', 'https://evil.test/'],
    ['of cloud metadata', 'https://169.254.169.254/'],
    ['of this machine', 'https://127.0.0.1:9999/'],
  ])('points the challenge to an address %s, which is not requested (NW-10, NW-11)', async (_what, address) => {
    const { world, verdict } = await connectWith(
      {
        mcp: (arrived) =>
          arrived.request.headers.authorization
            ? honest.mcp(arrived)
            : void arrived.response
                .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${address}"` })
                .end(),
        prm: ({ response }) => void response.writeHead(404).end(),
      },
      0,
    );
    expect(['HOST_BLOCKED', 'URL_SCHEME']).toContain(verdict.code);
    expect(world.sites.auth.sockets).toHaveLength(0);
  });
});

describe('metadata that changes', () => {
  it('after the sign-in page has opened is not read again (MD-34)', async () => {
    const world = await startWorld({
      authorize(arrived) {
        world.set(
          'asm',
          asmWith(({ origins }) => ({ token_endpoint: `${origins.elsewhere}/steal` })),
        );
        honest.authorize(arrived);
      },
    });
    const engine = createHostileEngine();
    const expected = { opened: 1, stored: ['registration', 'credentials', 'tokens'] };
    const verdict = await underOracle(world, engine, expected, () => engine.connect(world.mcpUrl));
    expect(verdict.code).toBe('ok');
    expect(world.count('token')).toBe(1);
  });

  it('between the two discoveries is judged as strictly as the first (MD-34, MD-28)', async () => {
    let readCount = 0;
    const { outcome } = await connectWith({
      asm(arrived) {
        readCount += 1;
        if (readCount === 1) honest.asm(arrived);
        else sendJson(arrived.response, { ...serverMetadata(arrived.scene), issuer: arrived.scene.origins.elsewhere });
      },
    });
    expect(outcome).toBe('ISSUER_MISMATCH');
  });

  it('between the two discoveries loses no registration that is just being stored', async () => {
    let readCount = 0;
    const refused = Promise.withResolvers<void>();
    const world = await startWorld({
      asm(arrived) {
        readCount += 1;
        if (readCount === 1) return honest.asm(arrived);
        sendJson(arrived.response, { ...serverMetadata(arrived.scene), issuer: arrived.scene.origins.elsewhere });
        arrived.response.once('finish', refused.resolve);
      },
    });
    const engine = createHostileEngine();
    const vault = await engine.ports.vault();
    const { write } = vault;
    let isStored = false;
    // A disk that is slower than the response.
    const slow: typeof write = async (key, value) => {
      await refused.promise;
      await write(key, value);
      isStored = true;
    };
    Object.assign(vault, { write: slow });
    await expect(engine.connect(world.mcpUrl)).rejects.toMatchObject({ code: 'ISSUER_MISMATCH' });
    expect(isStored).toBe(true);
  });
});

/** Inside the user's network, at ports that may be open or not, and an unused name. */
const unseen = ['https://10.0.0.5', 'https://10.0.0.5:8443', 'https://10.0.0.5:1', 'https://nowhere.example'];

describe('a server that names addresses inside the user’s network', () => {
  const forms: Readonly<Record<string, (address: string) => Parameters<typeof startWorld>[0]>> = {
    'as its sign-in service': (address) => ({ prm: prmWith(() => ({ authorization_servers: [address] })) }),
    'before its sign-in service': (address) => ({
      prm: prmWith(({ origins }) => ({ authorization_servers: [address, origins.auth] })),
    }),
    'as the token endpoint of its sign-in service': (address) => ({
      asm: asmWith(() => ({ token_endpoint: `${address}/token` })),
    }),
  };

  it.each(Object.entries(forms))(
    'gets the same requests in the same order, whichever it names %s (MD-39)',
    async (what, form) => {
      const isOther = what === 'before its sign-in service';
      const requestsByAddress = new Map<string, string>();
      for (const address of unseen) {
        const received: string[] = [];
        const changes: Partial<Record<Place, Behavior>> = { ...honest, ...form(address) };
        const noting = Object.entries(changes).map(([place, behave]): [string, Behavior] => [
          place,
          (readCount) => {
            received.push(`${readCount.request.method} ${place} ${readCount.request.url?.split('?')[0]}`);
            behave(readCount);
          },
        ]);
        const world = await startWorld(Object.fromEntries(noting));
        const lookup: HostLookup = async (hostname) => {
          if (hostname === 'nowhere.example') throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
          return [{ address: '127.0.0.1', family: 4 }];
        };
        const engine = createHostileEngine({ lookup });
        const { host, hostname } = new URL(address);
        const other = isOther && { opened: 1, stored: ['registration', 'credentials', 'tokens'] };
        const expected = { opened: 0, named: [host, hostname], ...other };
        const { code } = await underOracle(world, engine, expected, () => engine.connect(world.mcpUrl));
        expect(code === 'ok').toBe(isOther);
        // The first ones are sent at once.
        requestsByAddress.set(address, [...received.slice(0, 3).toSorted(), ...received.slice(3)].join('\n'));
      }
      expect(new Set(requestsByAddress.values()).size).toBe(1);
    },
  );
});
