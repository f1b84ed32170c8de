/**
 * Whether a text can be the URL of a client ID metadata document: https, with a path, no user info, no fragment, no dot
 * segments, and already in the form that both sides compare as a string (OAuth Client ID Metadata Document, client
 * identifier).
 */
export function isClientMetadataUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.href !== text) return false;
  return url.pathname !== '/' && url.username === '' && url.password === '' && !text.includes('#');
}
