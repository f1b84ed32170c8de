import { generateKeyPairSync, sign, verify } from 'node:crypto';

export interface JwtSigner {
  /** `iat`, `exp` in five minutes and `jti` are there unless `claims` say otherwise; `undefined` leaves one out. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
  /** What a JWT says that this one has signed and that has not ended. */
  read(jwt: string): Readonly<Record<string, unknown>> | undefined;
}

/** Somebody who says who others are, by ES256; by hand, so that no library of ours is among it. */
export function createJwtSigner(): JwtSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = (): number => Math.floor(Date.now() / 1_000);
  return {
    sign(claims, header = {}) {
      const body = { iat: now(), exp: now() + 300, jti: crypto.randomUUID(), ...claims };
      const signed = `${part({ alg: 'ES256', ...header })}.${part(body)}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
    read(jwt) {
      const [head = '', body = '', signature = ''] = jwt.split('.');
      const bytes = Buffer.from(signature, 'base64url');
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      if (!verify('sha256', Buffer.from(`${head}.${body}`), key, bytes)) return undefined;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
      return Number(claims['exp']) > now() ? claims : undefined;
    },
  };
}
