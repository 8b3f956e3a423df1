import { type Address, folderOf } from './addresses.ts';

/** Where a redirect leads: to an essay, whose address may change, or to an address. */
export type Destination =
  | { essayId: string; target: null; address: null }
  | { essayId: null; target: string; address: Address | null };

export interface Rule {
  address: Address;
  destination: Destination;
}

const keyOf = ({ path, query }: Address): string => `${path}\n${query}`;

/** Finds rules as requests do: one with the same parameters first, then one for all parameters, then those of the folder. */
export function createRuleTable(rules: Iterable<Rule>) {
  const byKey = new Map<string, Rule>();
  for (const rule of rules) byKey.set(keyOf(rule.address), rule);
  const findHere = (address: Address): Rule | undefined =>
    byKey.get(keyOf(address)) ?? byKey.get(keyOf({ ...address, query: '' }));
  return {
    set: (rule: Rule) => byKey.set(keyOf(rule.address), rule),
    remove: (address: Address) => byKey.delete(keyOf(address)),
    find(address: Address): Rule | undefined {
      const folder = folderOf(address);
      return findHere(address) ?? (folder === null ? undefined : findHere(folder));
    },
  };
}

/** Follows the rules to the last destination; null if they form a loop. */
export function findEnd(
  destination: Destination,
  table: Pick<ReturnType<typeof createRuleTable>, 'find'>,
  start: Address,
): Destination | null {
  const startRule = table.find(start);
  const seen = new Set<Rule>(startRule === undefined ? [] : [startRule]);
  for (let end = destination; ; ) {
    const next = end.address === null ? undefined : table.find(end.address);
    if (next === undefined) return end;
    if (seen.has(next)) return null;
    seen.add(next);
    end = next.destination;
  }
}
