import { describe, expect, it } from 'vitest';
import { addressOfKey, expectedIssuer, issuerKeyFor, publishedIssuer } from '../../../main/issuer-key.ts';

describe('publishedIssuer', () => {
  const token = 'https://as.example/token';
  const typed = (issuerKey: string) => ({ issuerKey, notes: ['typed-endpoints'] as const });

  it('is the issuer of the metadata, even where another one was asked for', () => {
    const found = { issuerKey: 'https://a.example#https://b.example', notes: [] };
    expect(publishedIssuer(found, undefined)).toBe('https://a.example');
  });

  it('is the published one where that is only a name, which nothing else goes by', () => {
    const issuerKey = issuerKeyFor('https://a.example', 'https://b.example', 'subdomain-name');
    expect(publishedIssuer({ issuerKey, notes: [] }, undefined)).toBe('https://a.example');
    expect(addressOfKey(issuerKey)).toBe('https://b.example');
    expect(expectedIssuer(issuerKey, 'https://a.example')).toBe('https://b.example');
  });

  it('is none where the key is the typed token endpoint, as it was typed or as it is sent to', () => {
    expect(publishedIssuer(typed(token), token)).toBeUndefined();
    expect(publishedIssuer(typed(token), ' https://AS.example:443/token')).toBeUndefined();
  });

  it('is none where the typed token endpoint was taken out of the settings since', () => {
    expect(publishedIssuer(typed(token), undefined)).toBeUndefined();
  });

  it('is the published one beside a typed token endpoint that is the published one', () => {
    expect(publishedIssuer(typed('https://as.example'), token)).toBe('https://as.example');
  });

  it('is there whatever endpoints a service that nobody typed them for publishes', () => {
    expect(publishedIssuer({ issuerKey: token, notes: [] }, token)).toBe(token);
  });
});
