import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { certificateFileBytes } from '../../../../../main/limits.ts';
import { readTrustedCertificates } from '../../../../../main/net/http/trusted-certificates.ts';
import { pem } from '../../../../support/loopback-server.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function fileOf(content: string): string {
  const file = join(temporaryFolder(), 'authorities.pem');
  writeFileSync(file, content);
  return file;
}

const trusted = (file?: string, packaged = true) => readTrustedCertificates({ env: {}, packaged, file });
const authority = pem('authority').trim();

describe('readTrustedCertificates', () => {
  it('starts with the authorities of the runtime and of the system, without duplicates', () => {
    const { certificates, sources } = trusted();
    expect(sources.map(({ name }) => name)).toEqual(['built-in', 'system']);
    expect(sources[0]?.count).toBeGreaterThan(50);
    expect(new Set(certificates).size).toBe(certificates.length);
  });

  it('adds every certificate of the file in the settings', () => {
    const { certificates, sources } = trusted(fileOf(`# our own\n${authority}\n\n${authority}\n`));
    expect(sources.at(-1)).toEqual({ name: 'file', count: 2 });
    expect(certificates.map((certificate) => certificate.trim())).toContain(authority);
  });

  it.each([
    ['without a certificate', () => fileOf('nothing')],
    ['with a broken certificate', () => fileOf(`${authority}\n${authority.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAA')}`)],
    ['with only a key', () => fileOf(pem('server-key'))],
    ['that is too large', () => fileOf(authority.padEnd(certificateFileBytes + 1))],
    ['that does not exist', () => '/nowhere/authorities.pem'],
    ['that is a folder', () => temporaryFolder()],
  ])('trusts nothing from a file %s, and reports it', (_what, file) => {
    expect(trusted(file()).sources.at(-1)).toEqual({ name: 'file', count: 0, unusable: true });
  });

  it('trusts nothing from the environment in a packaged app (NW-17)', () => {
    const options = { env: { NODE_EXTRA_CA_CERTS: '/company.pem' }, file: undefined };
    const names = (packaged: boolean) =>
      readTrustedCertificates({ ...options, packaged }).sources.map(({ name }) => name);
    expect(names(true)).not.toContain('environment');
    expect(names(false)).toContain('environment');
  });
});
