import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from './config/config.ts';

/** IPv4 mapped into IPv6 counts as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');

/** Who owns one IPv6 address owns its /64, so limits count that. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const missing = address.includes('::') ? 8 - front.length - back.length : 0;
  return [...front, ...Array<string>(Math.max(0, missing)).fill('0'), ...back].slice(0, 4).join(':');
}

/** Whose request it is, for limits: behind a proxy that is trusted, who asked the proxy. */
export function createGroupOf({ trustProxy }: Pick<Config, 'trustProxy'>) {
  const trust = proxyAddr.compile(trustProxy === false ? [] : trustProxy);
  return (request: IncomingMessage): string => addressGroup(plainAddress(proxyAddr(request, trust) ?? ''));
}

/** What one provider or office usually has: IPv4 /24, IPv6 /48. */
export function networkOf(address: string): string {
  const group = addressGroup(address);
  if (!group.includes(':')) return `${group.split('.').slice(0, 3).join('.')}.0/24`;
  const parts = group.split(':').slice(0, 3);
  return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/48`;
}
