import { generateKeyPairSync, sign, verify } from 'node:crypto';

export interface JwtSigner {
  /** Has `iat`, `exp` in five minutes and `jti` unless `claims` override them; `undefined` omits one. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
  /** Claims of an unexpired JWT that this issuer signed. */
  read(jwt: string): Readonly<Record<string, unknown>> | undefined;
}

/** A JWT issuer with ES256; handwritten, so that it does not use our own libraries. */
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
