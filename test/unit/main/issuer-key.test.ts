import { describe, expect, it } from 'vitest';
import { addressOfKey, expectedIssuer, issuerKeyFor, publishedIssuer } from '../../../main/issuer-key.ts';

describe('publishedIssuer', () => {
  const token = 'https://as.example/token';
  const typed = (issuerKey: string) => ({ issuerKey, notes: ['typed-endpoints'] as const });

  it('is the issuer from the metadata, even if another one was requested', () => {
    const found = { issuerKey: 'https://a.example#https://b.example', notes: [] };
    expect(publishedIssuer(found, undefined)).toBe('https://a.example');
  });

  it('is the published one even if it is only a name that nothing else uses', () => {
    const issuerKey = issuerKeyFor('https://a.example', 'https://b.example', 'subdomain-name');
    expect(publishedIssuer({ issuerKey, notes: [] }, undefined)).toBe('https://a.example');
    expect(addressOfKey(issuerKey)).toBe('https://b.example');
    expect(expectedIssuer(issuerKey, 'https://a.example')).toBe('https://b.example');
  });

  it('is undefined if the key is the typed token endpoint, as typed or normalized', () => {
    expect(publishedIssuer(typed(token), token)).toBeUndefined();
    expect(publishedIssuer(typed(token), ' https://AS.example:443/token')).toBeUndefined();
  });

  it('is undefined if the typed token endpoint was removed from the settings since', () => {
    expect(publishedIssuer(typed(token), undefined)).toBeUndefined();
  });

  it('is the published one if the typed token endpoint is the published one', () => {
    expect(publishedIssuer(typed('https://as.example'), token)).toBe('https://as.example');
  });

  it('is the published one for any published endpoints if none were typed', () => {
    expect(publishedIssuer({ issuerKey: token, notes: [] }, token)).toBe(token);
  });
});
