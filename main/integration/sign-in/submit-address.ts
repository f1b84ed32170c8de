import { urlLength } from '../../limits.ts';
import type { CallbackVerdict } from '../../callback-ports.ts';
import type { AuthorizationSession } from './authorization-session.ts';

/**
 * Takes the address that a browser landed on, pasted by a person whose browser cannot reach this machine. It must be
 * our callback address and carry the right state; anything else changes nothing.
 */
export function submitAddress(session: AuthorizationSession, callbackUrl: string, address: string): CallbackVerdict {
  const text = address.trim();
  if (text.length > urlLength.authorizationRequest || !URL.canParse(text)) return 'not-valid';
  const landed = new URL(text);
  if (`${landed.origin}${landed.pathname}` !== callbackUrl) return 'not-valid';
  return session.receive(landed.search.slice(1));
}
