import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from './config/config.ts';

/** Converts an IPv4-mapped IPv6 address to IPv4. */
export const normalizeAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');

/** Rate limits count an IPv6 /64 as one client, since a customer usually owns all of it. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const missing = address.includes('::') ? 8 - front.length - back.length : 0;
  return [...front, ...Array<string>(Math.max(0, missing)).fill('0'), ...back].slice(0, 4).join(':');
}

/** Returns a function that reads the address of a request; behind a trusted proxy, that of the proxy's client. */
export function createAddressReader({ trustProxy }: Pick<Config, 'trustProxy'>) {
  const trust = proxyAddr.compile(trustProxy === false ? [] : trustProxy);
  return (request: IncomingMessage): string => normalizeAddress(proxyAddr(request, trust) ?? '');
}

/** Like `createAddressReader`, without building the header object, from the connection's address and `X-Forwarded-For`. */
export function createForwardedReader({ trustProxy }: Pick<Config, 'trustProxy'>) {
  if (trustProxy === false) return (connection: string, _forwarded: string) => normalizeAddress(connection);
  const trust = proxyAddr.compile(trustProxy);
  return (connection: string, forwarded: string): string => {
    const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: connection } };
    return normalizeAddress(proxyAddr(request as unknown as IncomingMessage, trust) ?? '');
  };
}

export function createAddressGroupReader(config: Pick<Config, 'trustProxy'>) {
  const addressOf = createAddressReader(config);
  return (request: IncomingMessage): string => addressGroup(addressOf(request));
}

/** The network that one provider or office usually has: IPv4 /24, IPv6 /48. */
export function networkOf(address: string): string {
  const group = addressGroup(address);
  if (!group.includes(':')) return `${group.split('.').slice(0, 3).join('.')}.0/24`;
  const parts = group.split(':').slice(0, 3);
  return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/48`;
}
