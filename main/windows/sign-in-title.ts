import { displayPlace } from '../address/display-place.ts';
import { windowWords } from '../window-words.ts';

/** What the window of a sign-in page is called: where it really is, and that it is not encrypted when it is not. */
export function signInTitle(address: string): string {
  const url = new URL(address);
  const place = displayPlace(url);
  return url.protocol === 'https:' ? place : windowWords.notEncrypted(place);
}
