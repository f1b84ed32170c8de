import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** In a time that does not depend on where they differ, nor on their lengths: for what an attacker may guess. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}
