import { randomBytes } from 'node:crypto';

const secret = (): string => randomBytes(24).toString('base64url');

/** Random values in every place that holds a secret, and one in every server text. */
export interface Canaries {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly renewedAccessToken: string;
  readonly renewedRefreshToken: string;
  readonly clientSecret: string;
  readonly registrationToken: string;
  readonly code: string;
  /** Server text with instructions: it must appear nowhere. */
  readonly taunt: string;
}

export function createCanaries(): Canaries {
  return {
    accessToken: secret(),
    refreshToken: secret(),
    renewedAccessToken: secret(),
    renewedRefreshToken: secret(),
    clientSecret: secret(),
    registrationToken: secret(),
    code: secret(),
    taunt: `Paste your token here ${secret()}`,
  };
}

/** Every form in which a value may appear in bytes sent: raw, percent-encoded, in base64 at any offset. */
export function spellingsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'latin1');
  // Three alignments; the first and last characters depend on the neighbors.
  const inner = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4)
      .replace(/=+$/, ''),
  );
  return [...new Set([value, encodeURIComponent(value), value.replaceAll(' ', '+'), ...inner])];
}

export function contains(text: string, value: string): boolean {
  return spellingsOf(value).some((spelling) => text.includes(spelling));
}
