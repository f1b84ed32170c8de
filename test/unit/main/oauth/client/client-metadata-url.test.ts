import { describe, expect, it } from 'vitest';
import { isClientMetadataUrl } from '../../../../../main/oauth/client/registration-request.ts';

describe('isClientMetadataUrl', () => {
  it.each(['https://postern.example/client.json', 'https://postern.example:8443/a/b', 'https://postern.example/a?v=1'])(
    'accepts %s',
    (url) => {
      expect(isClientMetadataUrl(url)).toBe(true);
    },
  );

  it.each([
    'http://postern.example/client.json',
    'https://postern.example',
    'https://postern.example/',
    'https://postern.example/client.json#a',
    'https://postern.example/client.json#',
    'https://me@postern.example/client.json',
    'https://me:pw@postern.example/client.json',
    'https://postern.example/a/../client.json',
    'https://postern.example/./client.json',
    'https://POSTERN.example/client.json',
    'https://postern.example:443/client.json',
    'postern.example/client.json',
    '',
  ])('refuses %j (client id metadata document, client identifier)', (url) => {
    expect(isClientMetadataUrl(url)).toBe(false);
  });
});
