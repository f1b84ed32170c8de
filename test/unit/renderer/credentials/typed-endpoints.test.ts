import { describe, expect, it } from 'vitest';
import { findEndpointMistakes, endpointsOrNull } from '../../../../renderer/credentials/credential-values.ts';

describe('findEndpointMistakes', () => {
  it.each([
    ['', ' ', undefined],
    ['https://as.example/a', ' https://as.example/t ', undefined],
    ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/t', undefined],
    ['https://as.example/a', '', { token: 'missing' }],
    ['', 'https://as.example/t', { authorization: 'missing' }],
    ['as.example/a', 'ftp://as.example', { authorization: 'incomplete', token: 'incomplete' }],
    ['https://', 'https://as.example/t', { authorization: 'incomplete' }],
  ])('for %j and %j: %j', (authorization, token, mistakes) => {
    expect(findEndpointMistakes({ authorization, token })).toEqual(mistakes);
  });
});

describe('endpointsOrNull', () => {
  it('trims whitespace and returns null if nothing is left', () => {
    expect(endpointsOrNull({ authorization: ' https://a.example/ ', token: 'https://b.example/\n' })).toEqual({
      authorization: 'https://a.example/',
      token: 'https://b.example/',
    });
    expect(endpointsOrNull({ authorization: ' ', token: '' })).toBeNull();
  });
});
