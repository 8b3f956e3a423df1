import { isIPv4, isIPv6 } from 'node:net';
import { normalizeAddress } from '../../../address.ts';

export interface Network {
  family: 4 | 6;
  /** The address as a number, without the bits after the prefix. */
  bits: bigint;
  prefix: number;
}

const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

const toBits = (parts: string[], radix: number, size: number): bigint =>
  parts.reduce((bits, part) => (bits << BigInt(size)) | BigInt(Number.parseInt(part, radix)), 0n);

function parseIPv6(address: string): bigint {
  // An IPv4 address at the end stands for the last two groups.
  const text = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) => {
    const hex = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16);
    return `${hex(a, b)}:${hex(c, d)}`;
  });
  const [head = '', tail] = text.split('::');
  const front = head.split(':').filter(Boolean);
  const back = (tail ?? '').split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - front.length - back.length;
  return toBits([...front, ...Array<string>(missing).fill('0'), ...back], 16, 16);
}

/** Null for text that is no address. */
export function parseAddress(text: string): Pick<Network, 'family' | 'bits'> | null {
  const address = normalizeAddress(text);
  if (isIPv4(address)) return { family: 4, bits: toBits(address.split('.'), 10, 8) };
  if (!isIPv6(address) || address.includes('%')) return null;
  const bits = parseIPv6(address);
  // An IPv4 address may be written with groups, as in ::ffff:cb00:7109.
  return bits >> 32n === 0xffffn ? { family: 4, bits: bits & 0xffff_ffffn } : { family: 6, bits };
}

/** Parses an address or a network such as `203.0.113.0/24`; null if it is neither. */
export function parseNetwork(text: string): Network | null {
  const [, address = '', length] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const parsed = parseAddress(address);
  if (parsed === null) return null;
  const width = widthOf(parsed.family);
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width) return null;
  const rest = BigInt(width - prefix);
  return { family: parsed.family, bits: (parsed.bits >> rest) << rest, prefix };
}

/** The canonical form; a single address without its prefix length. */
export function formatNetwork({ family, bits, prefix }: Network): string {
  const width = widthOf(family);
  const size = family === 4 ? 8 : 16;
  const parts = Array.from({ length: width / size }, (_, at) =>
    ((bits >> BigInt(width - size * (at + 1))) & BigInt(2 ** size - 1)).toString(family === 4 ? 10 : 16),
  );
  // The URL parser shortens IPv6 addresses.
  const address =
    family === 4 ? parts.join('.') : new URL(`http://[${parts.join(':')}]`).hostname.slice(1, -1);
  return prefix === width ? address : `${address}/${prefix}`;
}

/** Whether one of the networks contains the other. */
export function overlaps(a: Network, b: Network): boolean {
  if (a.family !== b.family) return false;
  const rest = BigInt(widthOf(a.family) - Math.min(a.prefix, b.prefix));
  return a.bits >> rest === b.bits >> rest;
}

/** Wider networks would refuse whole countries by a typing error. */
const MIN_PREFIX = { 4: 8, 6: 16 } as const;
export const isTooWide = ({ family, prefix }: Network): boolean => prefix < MIN_PREFIX[family];

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The names that `TRUST_PROXY` accepts besides addresses and networks. */
const proxyNames: Record<string, string[]> = {
  loopback: LOOPBACK,
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const toNetworks = (texts: readonly string[]): Network[] => texts.flatMap((text) => parseNetwork(text) ?? []);

export const loopbackNetworks = toNetworks(LOOPBACK);

export const toProxyNetworks = (trustProxy: false | string[]): Network[] =>
  toNetworks((trustProxy || []).flatMap((text) => proxyNames[text] ?? [text]));
