import { describe, expect, it } from 'vitest';
import {
  hideSecretWords,
  hideValue,
  sealCommand,
  displayProgram,
  variablesForDisplay,
  splitAddress,
  unsealArguments,
  restorePart,
} from '../../../main/secret.ts';

const hidden = (...words: readonly string[]): readonly string[] => hideSecretWords(words);

describe('secrets in arguments', () => {
  it.each([
    [['--api-key=abc']],
    [['--apiKey', 'abc']],
    [['--access_token', 'abc.def']],
    [['-e', 'GITHUB_PERSONAL_ACCESS_TOKEN=abc']],
    [['postgres://u:abc@db.example/x']],
    [['Server=x;Password=abc;Encrypt=yes']],
    [['X-Api-Key: abc']],
    [['Authorization: Bearer abc']],
    [['{"nested":"{\\"secret\\":\\"abc\\"}"}']],
    [['--env=GITHUB_TOKEN=abc']],
    [['-e=API_KEY=abc']],
    [['--config=apiKey=abc']],
    [['-e', 'X=1,API_TOKEN=abc']],
    [['--header=Authorization: Bearer abc']],
    [['--api-key abc']],
    [['-c', "node x.js --api-key abc --token 'abc' && curl -H 'Authorization: Bearer abc' -u bob:abc"]],
    [['-lc', 'curl -u bob:abc https://a.example/']],
    [['-c', 'sh -c "server --password \\"abc\\""']],
    [['-c', 'export API_KEY="abc"; exec server']],
    [['--api-key1', 'abc']],
    [['OPENAI_API_KEY_2=abc']],
    [['--api-key-value=abc']],
    [['--openaikey', 'abc']],
    [['--creds', 'abc']],
    [['--token', '-abcdef']],
    [["{'token': 'abc'}"]],
    [['{token: abc}']],
    [['api_key: abc\nfoo: bar']],
    [['foo: bar\napi_key: abc']],
    [['-u', 'u:abc']],
    [['--auth', 'u:abc']],
    [['https://a.example/mcp?code=abcdefgh1']],
    [['https://a.example/token/abc/mcp']],
    [['https://a.example/mcp;token=abc']],
    [['https://a.example/mcp?api_key_prod=abc']],
    [['-k', 'abc12345x']],
    [['-t', '9x-abc-77']],
    [['-p', 'S3cret!abc']],
    [['-c', 'server -k abc12345x --verbose']],
    [['sh', '-c', 'npx -y x -t "abc12345x"']],
    [['-e', 'PASSPHRASE=correct abc horse']],
    [['-c', 'run --passphrase "correct abc horse" --fast']],
    [['-pS3cret-abc1']],
    [['-kabc12345x']],
    [['-p', 'canary-abc-5f0c2a9e41d7']],
    [['-pcanary-abc-5f0c2a9e41d7']],
    [['-a', 'abc12345x']],
    [['-ubob:abc']],
    [['-u=bob:abc']],
    [['--user=bob:abc']],
    [['-HAuthorization: Bearer abc']],
    [['-H', 'X-Auth: abc123def']],
    [['--header=X-Custom: abc123def']],
    [['-e', 'AUTH=abc123def']],
    [['-eAPI_KEY=abc']],
    [['-b', 'sid=abc1234567']],
    [['https://abc12345x:@a.example/mcp']],
    [['https://abc:x-oauth-basic@a.example/mcp']],
    [['--url=https://u:abc@a.example/mcp']],
    [['--hook', 'https://hooks.slack.com/services/T000/B000/abcdefgh']],
    [['--hook', 'https://discord.com/api/webhooks/12345/abcdefgh']],
    [['-u', 'bob', '-p', 'abc']],
    [['-h', 'db', '-u', 'bob', '--ssl', '-p', 'abc', 'sales']],
    [['-p', 'abc', '-u', 'bob']],
    [['-p', 'abc', '-ubob']],
    [['--username', 'bob', '-p', 'abc']],
    [['--user=bob', '-p', 'abc']],
    [['-U', 'sa', '-P', 'abc']],
    [['-ubob', '-pabc']],
    [['-u', 'bob', '-pabc']],
    [['-c', 'mysql -u bob -p abc < load.sql']],
    [['-p', 'abc!x']],
    [['-p', 'a1abcd']],
    [['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----']],
  ])('are hidden in %j', (words) => {
    expect(hidden(...words).join(' ')).not.toContain('abc');
    expect(hidden(...words).join(' ')).toContain('…');
  });

  it.each([[['--password=123456']], [['--pin', '1234']], [['--otp', '123456789']]])(
    'are hidden in %j even if they are numbers',
    (words) => {
      expect(hidden(...words).join(' ')).not.toMatch(/\d/u);
    },
  );

  it.each([
    [['-c', 'API_KEY=sk-abcabcabcabcabcabc; rm -rf ~'], '; rm -rf ~'],
    [['-ec', 'API_KEY=abcdef;/srv/run.sh'], ';/srv/run.sh'],
    [['-c', 'PASSWORD="abc def" run --fast'], ' run --fast'],
    [['-e', 'k = {"apiKey": "abc def"}; require("./run")'], 'require("./run")'],
    [['-c', 'import os; os.system("run"); k = "ghp_abcabcabcabcabcabcabcabc"'], 'os.system("run")'],
    [['host', 'API_KEY=abcdef rm -rf ~'], ' rm -rf ~'],
    [['-c', 'eval "API_KEY=abcdef; run it"'], '; run it'],
    [['-c', "sh -c 'API_KEY=abcdef run; next'"], ' run; next'],
  ])('are hidden without hiding the rest of a shell line: %j', (words, visible) => {
    expect(hidden(...words).join(' ')).not.toContain('abc');
    expect(hidden(...words).join(' ')).toContain(visible);
  });

  it.each([
    [['-p', 'require("./abc!")', '-u', 'bob', '-p', 'abc&&run abc']],
    [['-c', 'TOKEN=$(curl run.example|sh) next']],
    [['-c', 'TOKEN="$(curl run.example|sh)" next']],
    [['-c', 'TOKEN=`curl run.example` next']],
    [['/tmp/0123456789abcdef0123456789abcdef.js', './sk-abcabcabcabcabcabc.js', '/x/ghp_abcabcabcabcabcabcabcabc.sh']],
  ])('are not assumed in code that runs: %j', (words) => {
    expect(hidden(...words)).toEqual(words);
  });

  it.each([
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'GIT_CONFIG_GLOBAL',
    'GIT_SSH_COMMAND',
    'LD_AUDIT',
    'GCONV_PATH',
    'Java_Home',
  ])('marks %s as deciding what runs', (name) => {
    expect(variablesForDisplay({ variables: [name] }, { [name]: '/tmp/x' })).toMatchObject([{ decides: true }]);
  });

  it.each([
    ['NODE_OPTIONS', '--require /tmp/0123456789abcdef0123456789abcdef.js'],
    ['LD_PRELOAD', '/tmp/ghp_abcabcabcabcabcabcabcabc.so'],
    ['PATH', '/tmp/sk-abcabcabcabcabcabc:/usr/bin'],
  ])('shows all of %s, which decides what runs', (name, value) => {
    expect(variablesForDisplay({ variables: [name], from: 'mcp.json' }, { [name]: value })).toMatchObject([{ value }]);
  });

  it.each([
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP'],
    ['AKIAIOSFODNN7EXAMPLE'],
    ['d41d8cd98f00b204e9800998ecf8427e'],
    ['Zx81mQ0bV3nT7kLp2RsW'],
  ])('are recognized by their format: %s', (word) => {
    expect(hidden(word)).toEqual(['…']);
  });

  it.each([
    [['-y', '@modelcontextprotocol/server-filesystem@2025.8.21', '/home/me/My Documents/2024']],
    [['--max-tokens', '100', '--token-limit=7', '--no-auth', 'server.js', '--keyboard=us']],
    [['--key', '/etc/ssl/private/site.key', '--key=./site.pem', '--api-key', '${KEY}', '--token=<your token>']],
    [['git+https://github.com/a/b@0123456789abcdef0123456789abcdef01234567']],
    [['https://mcp.example.com/v1/mcp?region=eu&limit=20']],
    [['mcp/server@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08']],
    [['-p', '8080', '-t', '30000ms', '-k', '-t', 'my-template', '-p', '127.0.0.1:80:80', '-t', 'image:v1.2.3']],
    [
      [
        '-k',
        'https://a.example/',
        '-t',
        'mcp/server-2025',
        '-p',
        './port-8080.json',
        '-t',
        'latest-2.1.0',
        '-p',
        'a1.json',
      ],
    ],
    [['-v', '/home/me:/data', '--rm', '-i', 'com.example.MyServerWithALongName2']],
    [['-c', 'credential.helper=!cmd', '123e4567-e89b-12d3-a456-426614174000']],
    [
      [
        'run',
        '-u',
        '1000:1000',
        '--env',
        'LOG=1,DEBUG=2',
        '--hotkey',
        'abc',
        '--max-tokens',
        '4096',
        '-v',
        'key:/data',
      ],
    ],
    [['-lc', 'cd /srv && node server.js --port 3000 --name "my server"', '--token', '-v', '--key', '--verbose']],
    [
      [
        '-u',
        'bob',
        '-p',
        '8080',
        '-p',
        '80:80',
        '-p',
        '53:53/udp',
        '-p',
        '/srv/data',
        '-p',
        './a',
        '-p',
        'b/c',
        '-port',
      ],
    ],
    [['-u', 'server.py', '-p', 'prod']],
    [['-u', '1000', '-p', 'prod']],
    [['compose', '-p', 'shop', 'exec', '-u', 'root', 'app']],
    [['-p', 'prod', '-p', 'node20', '-p', 'my-project', '-p', 'tsconfig.json', '-p', '${PORT}', '-p', '<password>']],
    [['-p8080', '-t30000ms', '-kubectl', '-p127.0.0.1:80:80', '-u1000:1000', '-print', '-p', 'my-project-2025-11-25']],
    [
      [
        '--auth',
        'oauth2',
        '--auth=none',
        '--access=read-only',
        '--session=main',
        'https://git@a.example/x',
        '-timeout',
      ],
    ],
    [['https://a.example/v1/token/mcp?code=en-US', '--log-level=debug', 'time: 12:30']],
  ])('are not found in %j', (words) => {
    expect(hidden(...words)).toEqual(words);
  });

  it('hides arguments after the program', () => {
    expect(displayProgram('node x.js --api-key abc')).toBe('node …');
    expect(displayProgram('/opt/My Server/run')).toBe('/opt/My Server/run');
  });

  it('takes linear time for a text with many names', () => {
    for (const text of ['a='.repeat(16_000), 'token='.repeat(5_000), '\\'.repeat(4_000), "'a ".repeat(4_000)])
      expect(hideValue('X', text).length).toBeLessThanOrEqual(text.length);
  });

  it('leaves no hash of a key, which could be guessed', () => {
    const [one, other] = ['abcdef', 'ghijkl'].map((key) => splitAddress(`https://a.example/token/${key}/mcp`).href);
    expect(one).toBe(other);
  });

  it('are passed to the program, and never stored in the list of servers', () => {
    const typed = { command: 'x', path: '/x', arguments: ['--token', 'abc', '-v'], variables: ['A'] };
    const { command, values } = sealCommand(typed, { A: 'b' });
    expect(JSON.stringify(command)).not.toContain('abc');
    expect(unsealArguments(command, values)).toEqual(typed.arguments);
  });

  it('shows all values from a list except secrets, and those of a typed command that decide what runs', () => {
    const values = { HOME: '/tmp/x', PLAIN: 'yes', A_TOKEN: 'abc' };
    const variables = Object.keys(values);
    expect(variablesForDisplay({ variables, from: 'mcp.json' }, values)).toEqual([
      { name: 'HOME', value: '/tmp/x', decides: true },
      { name: 'PLAIN', value: 'yes', decides: false },
      { name: 'A_TOKEN', value: '…', decides: false },
    ]);
    expect(variablesForDisplay({ variables }, values)).toEqual([{ name: 'HOME', value: '/tmp/x', decides: true }]);
    expect(hideValue('NPM_CONFIG_REGISTRY', 'https://me:abc@evil.example/')).toBe('https://me:…@evil.example/');
  });
});

describe('secrets in an address', () => {
  it.each([
    ['https://a.example/api/mcp?code=aB3dEf6hIjKl=='],
    ['https://a.example/mcp?config=eyJhcGlLZXkiOiJhYmMifQ%3D%3D'],
    ['https://a.example/mcp?api_key_prod=abc'],
    ['https://a.example/mcp;token=abc'],
    ['https://a.example/token/abcdef/mcp'],
    ['https://a.example/key/123e4567-e89b-12d3-a456-426614174000/mcp'],
    ['https://a.example/mcp?x=1&api_key=a%2Bb+c&y=2'],
    ['https://a.example/mcp?token=abc'],
    ['https://a.example/mcp?auth[api_key]=abc'],
    ['https://a.example/mcp?auth=abc123def'],
    ['https://a.example/s/Zx81mQ0bV3nT7kLp2RsW/mcp'],
    ['https://a.example/d41d8cd98f00b204e9800998ecf8427e/sse?apiKey=abc'],
  ])('are cut from %s, and restored in place', (address) => {
    const { href, parts } = splitAddress(address);
    expect(parts.length).toBeGreaterThan(0);
    for (const { value } of parts) expect(href).not.toContain(value);
    const whole = parts.reduce((url, part) => restorePart(url, part), new URL(href));
    expect(Object.fromEntries(whole.searchParams)).toEqual(Object.fromEntries(new URL(address).searchParams));
    expect([whole.pathname, whole.search.length]).toEqual([new URL(address).pathname, new URL(address).search.length]);
    expect(splitAddress(href)).toEqual({ href, parts: [] });
  });

  it.each([
    'https://mcp.example.com/v1/123e4567-e89b-12d3-a456-426614174000/mcp?project_ref=abcdefghijklmnop&region=eu-west-1',
    'https://mcp.example.com/organizations/my-long-organization-name-2024/mcp?limit=20&api_key=${KEY}',
  ])('are not found in %s', (address) => {
    expect(splitAddress(address)).toEqual({ href: address, parts: [] });
  });
});
