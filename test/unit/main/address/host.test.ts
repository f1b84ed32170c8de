import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { classifyHost, classifyIp } from '../../../../main/address/host.ts';
import { runs } from '../../../support/runs.ts';

const hex = (value: number): string => value.toString(16);

describe('classifyIp', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['1.1.1.1', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['198.17.255.255', 'public'],
    ['198.20.0.0', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['[::1]', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.5', 'private'],
    ['100.64.0.1', 'private'],
    ['198.18.0.1', 'private'],
    ['198.19.255.255', 'private'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['169.254.169.254', 'forbidden'],
    ['169.254.1.1', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['192.0.0.192', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['fd00:ec2::23', 'forbidden'],
    ['fd20:ce::254', 'forbidden'],
    ['fd00:c1::a9fe:a9fe', 'forbidden'],
    ['fd00:42::42', 'forbidden'],
    ['fd00:100::100:200', 'forbidden'],
    ['fd00:a9fe:a9fe::1', 'forbidden'],
    ['fd00:43::42', 'private'],
    ['0.0.0.0', 'forbidden'],
    ['0.1.2.3', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['240.0.0.1', 'forbidden'],
    ['224.0.0.251', 'forbidden'],
    ['192.0.2.1', 'forbidden'],
    ['198.51.100.1', 'forbidden'],
    ['203.0.113.1', 'forbidden'],
    ['::', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['fec0::1', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    ['3fff::1', 'forbidden'],
    ['::7f00:1', 'forbidden'],
    ['::8.8.8.8', 'forbidden'],
    ['::ffff:10.0.0.1', 'forbidden'],
    ['::ffff:127.0.0.1', 'forbidden'],
    ['64:ff9b::7f00:1', 'forbidden'],
    ['64:ff9b::a9fe:a9fe', 'forbidden'],
    ['64:ff9b:1::808:808', 'forbidden'],
    ['2002:7f00:1::', 'forbidden'],
    ['2002:808:808::1', 'forbidden'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'forbidden'],
    ['::ffff:0:808:808', 'forbidden'],
    ['localhost', 'forbidden'],
    ['127.1', 'forbidden'],
    ['', 'forbidden'],
  ])('classifies %s as %s (RFC 6890)', (ip, kind) => {
    expect(classifyIp(ip)).toBe(kind);
  });

  const octet = fc.nat({ max: 255 });
  const blocked = fc.oneof(
    fc.tuple(fc.constant(10), octet, octet, octet),
    fc.tuple(fc.constant(127), octet, octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), octet, octet),
    fc.tuple(fc.constant(0), octet, octet, octet),
    fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
  );

  property.prop([blocked], { numRuns: runs(2_000) })(
    'blocks every spelling of a blocked IPv4 address (PB-02)',
    (octets) => {
      const [a, b, c, d] = octets;
      const number = ((a * 256 + b) * 256 + c) * 256 + d;
      const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
      const spellings = [
        `${a}.${b}.${c}.${d}`,
        `${a}.${b}.${c}.${d}.`,
        `${a}.${b}.${c * 256 + d}`,
        `${a}.${(b * 256 + c) * 256 + d}`,
        `${number}`,
        `0x${hex(number)}`,
        `0${number.toString(8)}`,
        octets.map((value) => `0x${hex(value)}`).join('.'),
        octets.map((value) => `0${value.toString(8)}`).join('.'),
        `${a}.${b}.${c}.${d}`.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        `[::ffff:${a}.${b}.${c}.${d}]`,
        `[::${a}.${b}.${c}.${d}]`,
        `[::ffff:${high}:${low}]`,
        `[64:ff9b::${high}:${low}]`,
        `[64:ff9b:1::${high}:${low}]`,
        `[2002:${high}:${low}::1]`,
        `[2001:0:${high}:${low}::1]`,
        `[2001:0:808:808:0:0:${hex((a * 256 + b) ^ 0xffff)}:${hex((c * 256 + d) ^ 0xffff)}]`,
      ];
      for (const spelling of spellings) {
        const hostname = URL.parse(`https://${spelling}/`)?.hostname;
        expect(hostname, spelling).toBeDefined();
        expect(classifyHost(hostname ?? ''), spelling).not.toBe('public');
        expect(classifyHost(hostname ?? ''), spelling).not.toBe('name');
      }
    },
  );

  property.prop([fc.oneof(fc.ipV6(), fc.ipV4(), fc.string())])('always returns a class', (text) => {
    expect(['public', 'loopback', 'private', 'forbidden']).toContain(classifyIp(text));
  });
});

describe('classifyHost', () => {
  it.each([
    ['localhost', 'loopback'],
    ['LOCALHOST', 'loopback'],
    ['localhost.', 'loopback'],
    ['app.localhost', 'loopback'],
    ['[::1]', 'loopback'],
    ['metadata.google.internal', 'forbidden'],
    ['metadata.google.internal.', 'forbidden'],
    ['mcp.example.com', 'name'],
    ['notlocalhost.example', 'name'],
    ['localhost.example.com', 'name'],
    ['intranet', 'private'],
    ['intranet.', 'private'],
    ['INTRANET', 'private'],
    ['com', 'private'],
    ['nas.local', 'private'],
    ['nas.local.', 'private'],
    ['a.b.internal', 'private'],
    ['internal', 'private'],
    ['wiki.intranet', 'private'],
    ['nas.lan', 'private'],
    ['idp.corp', 'private'],
    ['nas.home', 'private'],
    ['nas.home.arpa', 'private'],
    ['home.arpa', 'private'],
    ['db.private', 'private'],
    ['nas.localdomain', 'private'],
    ['local.example.com', 'name'],
    ['notlocal.example', 'name'],
    ['mylan.com', 'name'],
    ['home.arpa.example.com', 'name'],
    ['1.0.0.127.in-addr.arpa', 'name'],
  ])('classifies %s as %s (RFC 6761 section 6.3, RFC 6762 appendix G, RFC 8375)', (host, kind) => {
    expect(classifyHost(host)).toBe(kind);
  });
});
