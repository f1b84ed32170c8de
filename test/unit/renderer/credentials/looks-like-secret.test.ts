import { describe, expect, it } from 'vitest';
import { findMistake } from '../../../../renderer/credentials/credential-values.ts';

describe('findMistake', () => {
  it.each([
    ['Google', 'GOCSPX-8fJ2kLmN0pQrStUvWxYz'],
    ['GitHub', '0123456789abcdef0123456789abcdef01234567'],
    ['Stripe', 'sk_live_51Habc'],
    ['Slack', 'xoxb-123-456'],
    ['Microsoft Entra', 'abc8Q~dEfGhIjKlMnOpQrStUvWxYz0123456789a'],
    ['a token', 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
  ])('catches a %s secret', (_service, value) => {
    expect(findMistake(` ${value} `)).toBe('secret');
  });

  it('catches our own callback address', () => {
    expect(findMistake('http://127.0.0.1:49210/integration/oauth/callback')).toBe('address');
  });

  it.each([
    ['GitHub', 'Iv23liABCDEFGHIJKLMN'],
    ['Google', '1234567890-abcdefghijklmnop.apps.googleusercontent.com'],
    ['Slack', '1234567890.1234567890'],
    ['Notion', '1f8d872b-594c-80a4-b2f4-00370af2b13f'],
    ['Microsoft Entra', '00001111-aaaa-2222-bbbb-3333cccc4444'],
    ['a client ID metadata document', 'https://app.example/oauth/client.json'],
    ['nobody yet', ''],
  ])('accepts the ID of %s', (_service, value) => {
    expect(findMistake(value)).toBeUndefined();
  });
});
