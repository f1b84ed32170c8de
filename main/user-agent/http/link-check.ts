import type { NetworkInterfaceInfo } from 'node:os';
import type { NetworkCheck } from './network-checks.ts';

/**
 * Whether this computer is connected to any network but itself, by its interfaces (`os.networkInterfaces()`). Asks
 * nobody: servers on this computer work without one, so it is no more than a hint.
 */
export function checkLink(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): NetworkCheck {
  const isLinked = Object.values(interfaces).some((addresses) =>
    addresses?.some(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address)),
  );
  return isLinked
    ? { name: 'network', ok: true, message: 'This computer is connected to a network.' }
    : {
        name: 'network',
        ok: false,
        message: 'This computer is connected to no network. Only servers on it can be reached.',
        nextStep: 'Connect to a network, then try again. Your sign-ins are kept.',
      };
}
