import type { LoadFailure } from '../../../shared/sign-in-notice.ts';
import { classifyHost } from '../../address/host.ts';

/**
 * Where a sign-in page may navigate: https anywhere; http only to this computer (the callback, a local service) and to
 * the host of the sign-in itself, which the address policy has checked.
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

/** Chromium's error numbers (`net/base/net_error_list.h`), grouped by what the user can do about them. */
const errorNumbers: Readonly<Record<Exclude<LoadFailure, 'certificate' | 'other'>, readonly number[]>> = {
  offline: [-21, -106],
  'no-such-host': [-105, -137],
  refused: [-102],
  closed: [-100, -101, -103, -324, -354, -355],
  'too-slow': [-7, -118],
  unreachable: [-104, -108, -109],
  encryption: [-107, -110, -112, -113, -117, -123, -125, -126, -141, -148, -159, -172],
  proxy: [-111, -115, -120, -121, -127, -130, -131, -136, -140, -336],
  redirects: [-310],
  'empty-error': [-379],
};

/** Why a load failed; `undefined` if it was aborted (-3): stopped, or replaced by another load. */
export function readLoadFailure(code: number): LoadFailure | undefined {
  if (code === -3) return undefined;
  // Chromium's range for certificate errors.
  if (code <= -200 && code > -300) return 'certificate';
  const known = Object.entries(errorNumbers).find(([, codes]) => codes.includes(code));
  return (known?.[0] as LoadFailure | undefined) ?? 'other';
}
