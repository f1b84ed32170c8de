import { describe, expect, it } from 'vitest';
import { checkLink } from '../../../../../main/user-agent/http/link-check.ts';

const at = (address: string, internal = false) => ({
  address,
  internal,
  netmask: '255.255.255.0',
  family: 'IPv4' as const,
  mac: '00:00:00:00:00:00',
  cidr: null,
});

describe('checkLink', () => {
  it.each([
    ['an address of a network', { eth0: [at('192.0.2.7')] }, true],
    ['an IPv6 address of a network', { lo: [at('127.0.0.1', true)], eth0: [at('2001:db8::1')] }, true],
    ['nothing', {}, false],
    ['itself alone', { lo: [at('127.0.0.1', true)], eth0: undefined }, false],
    ['addresses that it gave itself', { eth0: [at('169.254.10.1'), at('fe80::1')] }, false],
  ])('with %s', (_name, interfaces, ok) => {
    const check = checkLink(interfaces);
    expect(check).toMatchObject({ name: 'network', ok });
    expect(check.nextStep === undefined).toBe(ok);
  });
});
