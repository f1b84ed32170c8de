import { classifyHost } from '../address/classify-host.ts';

/**
 * Where a sign-in page may lead: https anywhere, plain http to this computer (the callback, a local service) and to
 * the host that the sign-in itself is at, which the address rule has judged.
 */
export function mayPopupNavigate(url: string, start: string): boolean {
  const target = URL.parse(url);
  if (target?.protocol === 'https:') return true;
  if (target?.protocol !== 'http:') return false;
  const from = URL.parse(start);
  return (
    classifyHost(target.hostname) === 'loopback' || (from?.protocol === 'http:' && from.hostname === target.hostname)
  );
}
