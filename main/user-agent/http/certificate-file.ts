import { X509Certificate } from 'node:crypto';
import { certificateFileBytes } from '../../limits.ts';
import { readPlainFileSync } from '../../plain-file.ts';

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
