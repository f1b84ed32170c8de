import { X509Certificate } from 'node:crypto';
import { certificateFileBytes } from '../../limits.ts';
import { readPlainFileSync } from '../../plain-file.ts';
import { PosternError } from '../../errors/postern-error.ts';

/**
 * The PEM certificates in a file; none of it when it is too large, holds none, or one of them is broken.
 * Errors: those of the file system, and `notAFile`.
 */
export function readCertificateFile(file: string): readonly string[] {
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
  const invalid = (fault: string) =>
    new PosternError('CERTIFICATE_FILE_INVALID', { stage: 'settings', detail: { fault, file } });
  let found: readonly string[];
  try {
    found = readCertificateFile(file);
  } catch (error) {
    throw invalid((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'denied');
  }
  if (found.length === 0) throw invalid('empty');
}
