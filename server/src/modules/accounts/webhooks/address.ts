import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Whatever is not the open internet: this machine, its networks, and what leads back to them by another notation. */
const forbidden = new BlockList();
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
  forbidden.addSubnet(network, bits, 'ipv4');
/** Of IPv6 only what is given out for the open internet, less what carries an IPv4 address. */
const open = new BlockList();
open.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  forbidden.addSubnet(network, bits, 'ipv6');

const LOCAL_NAME = /(^|\.)(localhost|local|internal|localdomain)\.?$/;

/** An address, or a name of which it is plain without looking it up. */
export function isForbidden(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(host);
  if (family === 0) return LOCAL_NAME.test(host);
  if (family === 4) return forbidden.check(host, 'ipv4');
  return !open.check(host, 'ipv6') || forbidden.check(host, 'ipv6');
}

export class ForbiddenAddress extends Error {}

/** Looks a name up for the connection that is made with the answer: it cannot mean another machine a moment later. */
export const lookupOpen: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    if (addresses.some(({ address }) => isForbidden(address)))
      return callback(new ForbiddenAddress(`${hostname} is on a private network`), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
