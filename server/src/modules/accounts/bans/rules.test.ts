import { describe, expect, test } from 'vitest';
import { createMatcher } from './matcher.ts';
import { formatNetwork, isTooWide, overlaps, parseNetwork, toProxyNetworks } from './rules.ts';

const canonical = (text: string): string | null => {
  const network = parseNetwork(text);
  return network === null ? null : formatNetwork(network);
};

const get = (text: string) => {
  const network = parseNetwork(text);
  if (network === null) throw new Error(`no network: ${text}`);
  return network;
};

describe('networks', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['255.255.255.255/9', '255.128.0.0/9'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8:1:2:3:4:5:6/48', '2001:db8:1::/48'],
    ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
    ['fe80::/10', 'fe80::/10'],
    ['::1', '::1'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(canonical(expected)).toBe(expected);
  });

  test.each([
    '',
    'example.com',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/24/8',
    '01.2.3.4',
    '::1/129',
    'fe80::1%eth0',
    ':::',
    '1.2.3.4 ',
  ])('%s is none', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  test('overlap when one contains the other', () => {
    expect(overlaps(get('10.0.0.0/8'), get('10.1.2.3'))).toBe(true);
    expect(overlaps(get('10.1.2.3'), get('10.0.0.0/8'))).toBe(true);
    expect(overlaps(get('10.0.0.0/9'), get('10.128.0.0/9'))).toBe(false);
    expect(overlaps(get('::/16'), get('1.2.3.4'))).toBe(false);
  });

  test('are too wide from a tenth of the address space', () => {
    expect(['0.0.0.0/0', '10.0.0.0/7', '::/0', '2000::/15'].map(get).map(isTooWide)).not.toContain(false);
    expect(['10.0.0.0/8', '2001::/16', '1.2.3.4'].map(get).map(isTooWide)).not.toContain(true);
  });

  test('of proxies come from names, addresses and networks', () => {
    expect(toProxyNetworks(['loopback', '10.0.0.5', 'fd00::/8']).map(formatNetwork)).toEqual([
      '127.0.0.0/8',
      '::1',
      '10.0.0.5',
      'fd00::/8',
    ]);
    expect(toProxyNetworks(false)).toEqual([]);
  });
});

test('matches addresses of both families until their ban expires', async () => {
  const isBanned = await createMatcher([
    { network: '203.0.113.0/24', expiresAt: null },
    { network: '198.51.100.7/32', expiresAt: 1000 },
    { network: '2001:db8::/32', expiresAt: null },
    { network: '2001:db9::1/128', expiresAt: 1000 },
  ]);
  for (const address of [
    '203.0.113.0',
    '203.0.113.255',
    '::ffff:203.0.113.9',
    '::FFFF:cb00:7109',
    '2001:db8:ffff::1',
  ])
    expect(isBanned(address, 5000), address).toBe(true);
  for (const address of [
    '203.0.114.0',
    '198.51.100.8',
    '2001:db7::1',
    '2001:db9::2',
    '',
    'unknown',
    '127.0.0.1',
  ])
    expect(isBanned(address, 0), address).toBe(false);
  for (const address of ['198.51.100.7', '2001:db9::1']) {
    expect(isBanned(address, 999)).toBe(true);
    expect(isBanned(address, 1000)).toBe(false);
  }
});

test('never matches loopback, whatever the list contains', async () => {
  const isBanned = await createMatcher([
    { network: '127.0.0.0/8', expiresAt: null },
    { network: '::1/128', expiresAt: null },
  ]);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])
    expect(isBanned(address, 0)).toBe(false);
});

test('a long list is read in parts, between which other work runs', async () => {
  let parts = 0;
  let isDone = false;
  const count = () => {
    parts += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const bans = Array.from({ length: 5000 }, (_, index) => ({
    network: `2001:db8:${index.toString(16)}::/48`,
    expiresAt: null,
  }));
  const isBanned = await createMatcher(bans);
  isDone = true;
  expect(parts).toBeGreaterThanOrEqual(9);
  expect([isBanned('2001:db8:1387::1', 0), isBanned('2001:db8:1388::1', 0)]).toEqual([true, false]);
});
