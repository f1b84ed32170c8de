import { X509Certificate } from 'node:crypto';
import { getCACertificates, rootCertificates } from 'node:tls';
import type { CertificateFileFault } from '../../../shared/error-catalogue/storage-errors.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { certificateFileBytes } from '../../limits.ts';
import { readPlainFileSync } from '../../plain-file.ts';

/** Where certificate authorities come from, in the order in which they are told. */
export interface TrustSource {
  /** `built-in` with the runtime, the `system` store, NODE_EXTRA_CA_CERTS (`environment`), the setting (`file`). */
  readonly name: 'built-in' | 'system' | 'environment' | 'file';
  readonly count: number;
  /** A file was named, and no certificate could be read from it. */
  readonly unusable?: true;
}

export interface TrustedCertificates {
  /** PEM, each once. */
  readonly certificates: readonly string[];
  readonly sources: readonly TrustSource[];
}

export interface TrustOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A packaged program takes no certificates from its environment: any local program can set that. */
  readonly packaged: boolean;
  /** The additional file of the settings. */
  readonly file?: string | undefined;
}

/**
 * Every certificate authority that a connection may be vouched for by: those of the runtime, the system's store, where
 * companies put theirs, and what the person named. Takes some 50 ms, so it waits for the first connection that needs
 * it.
 */
export function readTrustedCertificates({ env, packaged, file }: TrustOptions): TrustedCertificates {
  const sources: TrustSource[] = [];
  const certificates = new Set<string>();
  const add = (name: TrustSource['name'], found: readonly string[], isNamed: boolean): void => {
    for (const certificate of found) certificates.add(certificate);
    sources.push({ name, count: found.length, ...(isNamed && found.length === 0 && { unusable: true as const }) });
  };
  add(
    'built-in',
    readStore('bundled', () => rootCertificates),
    false,
  );
  add('system', readStore('system'), false);
  // Node has read the file at its start, or has warned that it could not.
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

/** `otherwise`: Node before 22.15 has no such call, and nothing of the system's store. */
function readStore(
  name: 'bundled' | 'system' | 'extra',
  otherwise: () => readonly string[] = () => [],
): readonly string[] {
  try {
    return getCACertificates(name);
  } catch {
    return otherwise();
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
 * The PEM certificates in a file; none of it when it is too large, holds none, or one of them is broken.
 * Errors: those of the file system, and `notAFile`.
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

/** Before a file is stored as the setting. Errors: CERTIFICATE_FILE_INVALID with `fault` missing, denied or empty. */
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
