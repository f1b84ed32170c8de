/**
 * Whether a published `resource` is the server at `serverUrl`: same origin, and its path a prefix, by segments, of
 * the server's (RFC 9728 section 3.3 wants equality; servers publish their origin or a parent path, and no other
 * server can be meant by it). A terminating slash does not count; a query has to be the same. Not an address,
 * user info, fragment: no match.
 */
export function matchesResource(resource: URL, serverUrl: URL): boolean {
  if (resource.origin !== serverUrl.origin) return false;
  if (resource.username !== '' || resource.password !== '' || resource.hash !== '') return false;
  if (resource.search !== '' && resource.search !== serverUrl.search) return false;
  const server = segments(serverUrl);
  return segments(resource).every((segment, index) => segment === server[index]);
}

function segments(url: URL): string[] {
  const path = url.pathname.replace(/\/$/, '');
  return path === '' ? [] : path.slice(1).split('/');
}
