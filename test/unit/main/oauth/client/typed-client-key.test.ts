import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  PlaceholderClient,
  readClientKey,
  readSecretOrKey,
  readTypedClient,
} from '../../../../../main/oauth/client/client-credentials.ts';
import { failureOf } from '../../../../support/oauth-fixtures.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const short = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const other = generateKeyPairSync('ed25519');

type Form = 'pkcs8' | 'pkcs1' | 'sec1';
const pemOf = (key: KeyObject, type: Form = 'pkcs8'): string => key.export({ format: 'pem', type }).toString();
const jwkOf = (key: KeyObject): string => JSON.stringify(key.export({ format: 'jwk' }));
const locked = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p' } as const;

describe('a private key that a user enters', () => {
  it.each([
    ['PKCS #8 (EC)', pemOf(ec.privateKey), 'EC'],
    ['SEC 1', pemOf(ec.privateKey, 'sec1'), 'EC'],
    ['PKCS #8 (RSA)', pemOf(rsa.privateKey), 'RSA'],
    ['PKCS #1', pemOf(rsa.privateKey, 'pkcs1'), 'RSA'],
    ['PEM with Windows line ends', pemOf(rsa.privateKey).replaceAll('\n', '\r\n'), 'RSA'],
    ['PEM on one line, as an input field leaves it', pemOf(ec.privateKey).replaceAll('\n', ''), 'EC'],
    ['an EC JWK', jwkOf(ec.privateKey), 'EC'],
    ['an RSA JWK with spaces around it', `\n ${jwkOf(rsa.privateKey)} \n`, 'RSA'],
  ])('is accepted as %s', (_, text, kty) => {
    expect(readClientKey(text).reveal()).toMatchObject({ kty });
    expect(readSecretOrKey(text)).toMatchObject({ clientKey: expect.anything() });
  });

  it('keeps its ID and its algorithm (RFC 7517 sections 4.4 and 4.5)', () => {
    const text = JSON.stringify({ ...rsa.privateKey.export({ format: 'jwk' }), kid: 'mine', alg: 'PS256', use: 'sig' });
    expect(readClientKey(text).reveal()).toMatchObject({ kid: 'mine', alg: 'PS256' });
  });

  it.each([
    ['with a passphrase', ec.privateKey.export(locked).toString(), 'locked'],
    ['of 1024 bits', pemOf(short.privateKey), 'weak'],
    ['of another kind', pemOf(other.privateKey), 'kind'],
    ['of another kind as a JWK', jwkOf(other.privateKey), 'kind'],
    ['that is the public half', rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString(), 'public'],
    ['that is the public half as a JWK', jwkOf(ec.publicKey), 'public'],
    ['that was cut off', pemOf(rsa.privateKey).slice(0, 400), 'unreadable'],
    ['with only its first line', '-----BEGIN PRIVATE KEY-----', 'unreadable'],
    ['that is some JSON', '{"token":"x"}', 'unreadable'],
    ['with broken numbers', JSON.stringify({ ...ec.privateKey.export({ format: 'jwk' }), x: 'AA' }), 'unreadable'],
  ])('%s is refused, and never quoted in the error', async (_, text, fault) => {
    const error = await failureOf(() => readSecretOrKey(text));
    expect(error).toMatchObject({ code: 'CLIENT_KEY_INVALID', detail: { fault } });
    expect(error.cause).toBeUndefined();
  });

  it('is not confused with a client secret', () => {
    expect(readSecretOrKey('GOCSPX-abc')).toMatchObject({ clientSecret: expect.anything() });
  });
});

describe('readTypedClient', () => {
  it('trims a pasted client ID and secret', () => {
    const { clientId, clientSecret } = readTypedClient({ clientId: ' the-id\n', clientSecret: '\tthe secret ' });
    expect([clientId, clientSecret?.reveal()]).toEqual(['the-id', 'the secret']);
    expect(readTypedClient({ clientId: 'the-id', clientSecret: ' ' })).toEqual({ clientId: 'the-id' });
  });

  it.each([
    ['clientId', { clientId: 'YOUR_CLIENT_ID' }],
    ['clientSecret', { clientId: 'the-id', clientSecret: '<your secret>' }],
  ] as const)('refuses a placeholder as the %s', async (part, typed) => {
    const error = await failureOf(() => readTypedClient(typed));
    expect(error).toBeInstanceOf(PlaceholderClient);
    expect(error).toMatchObject({ code: 'CLIENT_TO_FILL_IN', part, detail: { part } });
  });
});
