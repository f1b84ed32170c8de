import { X509Certificate } from 'node:crypto';
import { getCACertificates, rootCertificates } from 'node:tls';
import type { CertificateFileFault } from '../../../shared/error-catalog/storage-errors.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { certificateFileBytes } from '../../limits.ts';
import { readPlainFileSync } from '../../plain-file.ts';

/** A source of certificate authorities, in display order. */
export interface TrustSource {
  /** `built-in` with the runtime, the `system` store, NODE_EXTRA_CA_CERTS (`environment`), the setting (`file`). */
  readonly name: 'built-in' | 'system' | 'environment' | 'file';
  readonly count: number;
  /** A file was configured, but no certificate could be read from it. */
  readonly unusable?: true;
}

export interface TrustedCertificates {
  /** PEM, without duplicates. */
  readonly certificates: readonly string[];
  readonly sources: readonly TrustSource[];
}

interface TrustOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Packaged builds take no certificates from the environment: any local program can set it. */
  readonly packaged: boolean;
  /** The extra file of the settings. */
  readonly file?: string | undefined;
}

/**
 * All trusted certificate authorities: the runtime's, the system store's (where companies install theirs), and the
 * user's. Takes some 50 ms, so it is deferred to the first TLS connection.
 */
export function readTrustedCertificates({ env, packaged, file }: TrustOptions): TrustedCertificates {
  const sources: TrustSource[] = [];
  const certificates = new Set<string>();
  const add = (name: TrustSource['name'], found: readonly string[], isConfigured: boolean): void => {
    for (const certificate of found) certificates.add(certificate);
    sources.push({ name, count: found.length, ...(isConfigured && found.length === 0 && { unusable: true as const }) });
  };
  add(
    'built-in',
    readStore('bundled', () => rootCertificates),
    false,
  );
  add('system', readStore('system'), false);
  // Node has read the file at startup, or warned that it could not.
  const extra = env['NODE_EXTRA_CA_CERTS'];
  if (!packaged && extra)
    add(
      'environment',
      readStore('extra', () => readNamedFile(extra)),
      true,
    );
  if (file !== undefined) add('file', readNamedFile(file), true);
  return { certificates: [...certificates], sources };
}

/** `otherwise`: for Node before 22.15, which lacks this call and the system store. */
function readStore(
  name: 'bundled' | 'system' | 'extra',
  fallback: () => readonly string[] = () => [],
): readonly string[] {
  try {
    return getCACertificates(name);
  } catch {
    return fallback();
  }
}

function readNamedFile(file: string): readonly string[] {
  try {
    return readCertificateFile(file);
  } catch {
    return [];
  }
}

/**
 * The PEM certificates in a file; empty if it is too large, has none, or any of them is invalid.
 * Errors: those of the file system, and `notAFileCode`.
 */
function readCertificateFile(file: string): readonly string[] {
  const text = readPlainFileSync(file, { limit: certificateFileBytes, follow: true })?.toString('latin1');
  const blocks = text?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  try {
    return (blocks ?? []).map((block) => new X509Certificate(block).toString());
  } catch {
    return [];
  }
}

/**
 * Validates a file before it is saved as the setting. Errors: CERTIFICATE_FILE_INVALID, `fault` missing, denied or
 * empty.
 */
export function requireCertificates(file: string): void {
  const invalid = (fault: CertificateFileFault) =>
    new PosternError('CERTIFICATE_FILE_INVALID', { stage: 'settings', detail: { fault, file } });
  let found: readonly string[];
  try {
    found = readCertificateFile(file);
  } catch (error) {
    throw invalid((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'denied');
  }
  if (found.length === 0) throw invalid('empty');
}
