import { describe, expect, it } from 'vitest';
import { findEndpointMistakes, givenEndpoints } from '../../../../renderer/credentials/credential-values.ts';

describe('findEndpointMistakes', () => {
  it.each([
    ['', ' ', undefined],
    ['https://as.example/a', ' https://as.example/t ', undefined],
    ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/t', undefined],
    ['https://as.example/a', '', { token: 'missing' }],
    ['', 'https://as.example/t', { authorization: 'missing' }],
    ['as.example/a', 'ftp://as.example', { authorization: 'incomplete', token: 'incomplete' }],
    ['https://', 'https://as.example/t', { authorization: 'incomplete' }],
  ])('of %j and %j: %j', (authorization, token, mistakes) => {
    expect(findEndpointMistakes({ authorization, token })).toEqual(mistakes);
  });
});

describe('givenEndpoints', () => {
  it('takes blanks away, and says when there are none', () => {
    expect(givenEndpoints({ authorization: ' https://a.example/ ', token: 'https://b.example/\n' })).toEqual({
      authorization: 'https://a.example/',
      token: 'https://b.example/',
    });
    expect(givenEndpoints({ authorization: ' ', token: '' })).toBeNull();
  });
});
