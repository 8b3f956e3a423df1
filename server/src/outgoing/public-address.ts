import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses outside the public internet: loopback, private and reserved ranges, and IPv6 ranges that embed IPv4. */
const blockedRanges = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  blockedRanges.addSubnet(network, bits, 'ipv4');
/** The only IPv6 range assigned for public use. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  blockedRanges.addSubnet(network, bits, 'ipv6');

const LOCAL_NAME = /(^|\.)(localhost|local|internal|localdomain)\.?$/;

/** Checks an address or a well-known local name, without a DNS lookup. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(host);
  if (family === 0) return LOCAL_NAME.test(host);
  if (family === 4) return blockedRanges.check(host, 'ipv4');
  return !publicIpv6.check(host, 'ipv6') || blockedRanges.check(host, 'ipv6');
}

export class ForbiddenAddressError extends Error {}

/** The error codes with which DNS says that a name has no address of this kind; any other is a failure of a server. */
const NO_ADDRESS = ['ENOTFOUND', 'ENODATA'];

async function resolvePublic(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const forbidden = new ForbiddenAddressError(`${hostname} is on a private network`);
  if (isPrivateHost(hostname)) throw forbidden;
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ];
  if (addresses.some(({ address }) => isPrivateHost(address))) throw forbidden;
  if (addresses.length > 0) return addresses;
  const isUnknown = [v4, v6].every(
    (result) => result.status === 'rejected' && NO_ADDRESS.includes(result.reason.code),
  );
  throw Object.assign(new Error(`no address of ${hostname}`), {
    code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
}

/**
 * Checks the addresses that the connection itself uses, so a second DNS response cannot redirect it (DNS rebinding).
 * The resolver does not use the thread pool, so slow name servers of users delay nobody else's files and passwords.
 */
export const createPublicLookup =
  (resolver: Resolver): LookupFunction =>
  (hostname, options, callback) => {
    resolvePublic(resolver, hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };

export const lookupPublicOnly = createPublicLookup(new Resolver({ timeout: 3000, tries: 2 }));
