import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { removeEndpoint, gatewayAddress, writeEndpoint } from '../../../../../main/host/gateway/gateway-holder.ts';
import { newPipeName } from '../../../../../main/net/endpoint/socket-path.ts';
import { gatewayAddresses } from '../../../../../pipe/find-gateway.js';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const own = process.platform;
const become = (platform: NodeJS.Platform): unknown => Object.defineProperty(process, 'platform', { value: platform });
afterEach(() => void become(own));

describe('the address of the gateway on Windows', () => {
  it('is a new name each time, of 128 random bits', () => {
    const [one, other] = [newPipeName('win32'), newPipeName('win32')];
    expect(one).toMatch(/^\\\\\.\\pipe\\postern-[0-9a-f]{32}$/u);
    expect(other).not.toBe(one);
    expect(newPipeName('linux')).toBeUndefined();
  });

  it('is found by the window and the pipe in a file only this user can read, and nowhere once it is gone', async () => {
    const folder = temporaryFolder();
    const pipe = newPipeName('win32') ?? '';
    await writeEndpoint(folder, { pipe });
    const file = path.join(folder, 'run', 'endpoint.json');
    if (own !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pipe });
    expect(await gatewayAddress(folder, 'win32')).toBe(pipe);
    become('win32');
    expect(gatewayAddresses(folder)).toEqual([pipe]);
    removeEndpoint(folder);
    expect(existsSync(file)).toBe(false);
    expect(await gatewayAddress(folder, 'win32')).toBeUndefined();
    expect(gatewayAddresses(folder)).toEqual([]);
  });

  it.each(['\\\\server\\pipe\\postern-00000000000000000000000000000000', '\\\\.\\pipe\\other', 5])(
    'is not read from a file that contains %s',
    async (pipe) => {
      const folder = temporaryFolder();
      mkdirSync(path.join(folder, 'run'));
      writeFileSync(path.join(folder, 'run', 'endpoint.json'), JSON.stringify({ pipe }));
      expect(await gatewayAddress(folder, 'win32')).toBeUndefined();
    },
  );
});
