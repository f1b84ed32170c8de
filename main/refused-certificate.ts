/** A certificate as it is shown: our names, and values of the certificate made fit to be printed, each in one line. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validUntil: string;
  /** The host names and addresses that it is for. */
  readonly names: string;
  /** SHA-256, in hexadecimal. */
  readonly fingerprint: string;
}

/** The cause of a PosternError where a certificate was refused. For the trace alone: a certificate's words are not ours. */
export class RefusedCertificate extends Error {
  override readonly name = 'RefusedCertificate';
  readonly facts: CertificateFacts;

  constructor(facts: CertificateFacts) {
    super('refused certificate');
    this.facts = facts;
  }
}
