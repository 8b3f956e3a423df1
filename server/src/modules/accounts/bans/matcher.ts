import { setImmediate as pause } from 'node:timers/promises';
import { loopbackNetworks, overlaps, parseAddress, parseNetwork } from './rules.ts';

export interface ActiveBan {
  network: string;
  /** Milliseconds; null: never. */
  expiresAt: number | null;
}

/** Returns whether an address is banned at a time. */
export type BanMatcher = (address: string, now: number) => boolean;

export const matchNothing: BanMatcher = () => false;

/** A long list is read in parts, so that requests are answered in between. */
const PART = 500;

/** The matcher takes one look-up for each prefix length in use. */
export async function createMatcher(bans: readonly ActiveBan[]): Promise<BanMatcher> {
  if (bans.length === 0) return matchNothing;
  const families = { 4: new Map<number, Map<bigint, number>>(), 6: new Map<number, Map<bigint, number>>() };
  for (const [index, { network: text, expiresAt }] of bans.entries()) {
    if (index % PART === PART - 1) await pause();
    const network = parseNetwork(text);
    if (network === null) continue;
    const { family, bits, prefix } = network;
    const rest = (family === 4 ? 32 : 128) - prefix;
    const networks = families[family].get(rest) ?? new Map<bigint, number>();
    families[family].set(rest, networks.set(bits >> BigInt(rest), expiresAt ?? Number.POSITIVE_INFINITY));
  }
  return (address, now) => {
    const parsed = parseAddress(address);
    if (parsed === null) return false;
    const { family, bits } = parsed;
    for (const [rest, networks] of families[family]) {
      const expiresAt = networks.get(bits >> BigInt(rest));
      if (expiresAt !== undefined && expiresAt > now) return !isLoopback(parsed);
    }
    return false;
  };
}

const isLoopback = (address: NonNullable<ReturnType<typeof parseAddress>>): boolean => {
  const network = { ...address, prefix: address.family === 4 ? 32 : 128 };
  return loopbackNetworks.some((each) => overlaps(each, network));
};
