import { invalidField } from '@mozhan/contract/errors.ts';
import { MAX_ADDRESS_LENGTH } from '@mozhan/contract/redirects.ts';
import { type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { removeMissingPaths } from '../queries/missing-paths.ts';
import * as queries from '../queries/redirects.ts';
import {
  type Address,
  essayAddressOf,
  folderOf,
  formatAddress,
  indexOf,
  parseAddress,
  parseTarget,
  type SiteLocation,
} from '../rules/addresses.ts';
import { createRuleTable, type Destination, findEnd, type Rule } from '../rules/chains.ts';
import type { RedirectRow } from '../tables.ts';

/** Redirects that lead to a new one are rewritten to its end; more of them would hold up the process. */
const MAX_LEADING = 200;

/** Leads to an essay, or to the address in `target`. */
export type GivenRedirect = { path: string } & ({ essayId: string } | { target: string });

interface StoreOptions {
  transferId: string | null;
  /** What happens to a path that has a redirect: it is refused, replaced, or replaced if it is of the same import. */
  existing: 'refuse' | 'replace' | 'own';
  /** The row that this one replaces, whose id and counts stay. */
  before?: RedirectRow;
}

export interface Refusal {
  field: 'path' | 'target';
  reason: string;
}

export type StoreOutcome = { kind: 'added' | 'updated'; id: string } | ({ kind: 'refused' } & Refusal);

const refuse = (field: Refusal['field'], reason: string): StoreOutcome => ({
  kind: 'refused',
  field,
  reason,
});

const locationOfSite = ({ services: { config } }: Ctx): SiteLocation => ({
  basePath: config.basePath,
  siteUrl: config.siteUrl ?? null,
});

const toDestination = ({ essayId, target }: RedirectRow, site: SiteLocation): Destination =>
  essayId === null
    ? { essayId, target: target ?? '/', address: parseTarget(target ?? '/', site)?.address ?? null }
    : { essayId, target: null, address: null };

interface Candidate extends Rule {
  index: number;
}

/** Finds essays by the id or slug in an address. */
async function createEssayFinder(ctx: Ctx, ids: string[], addresses: Address[]) {
  const names = addresses.map(essayAddressOf).filter((name) => name !== null);
  const isId = (name: string) => /^[0-9a-f]{32}$/.test(name);
  const found =
    names.length + ids.length === 0
      ? []
      : await queries.listEssays(
          ctx.db,
          [...ids, ...names.filter(isId)],
          names.filter((name) => !isId(name)),
        );
  const byName = new Map(
    found.flatMap((essay) => [[essay.id, essay] as const, [essay.slug ?? '', essay] as const]),
  );
  return {
    has: (id: string) => byName.has(id),
    at: (address: Address) => {
      const essay = byName.get(essayAddressOf(address) ?? ' ');
      return essay === undefined || essay.deletedAt !== null ? null : essay.id;
    },
  };
}

/** Reads addresses and destinations, which need no look-up. A path that did not change is not read again. */
function parse(given: GivenRedirect, site: SiteLocation, before?: RedirectRow): Rule | StoreOutcome {
  const isSame = before !== undefined && formatAddress(before) === given.path;
  const address = isSame ? { path: before.path, query: before.query } : parseAddress(given.path, site);
  if (address === null)
    return refuse('path', `旧网址要是本站的路径，最多 ${MAX_ADDRESS_LENGTH} 个字，如 /2019/hello`);
  if ('essayId' in given)
    return { address, destination: { essayId: given.essayId, target: null, address: null } };
  const target = parseTarget(given.target, site);
  if (target === null)
    return refuse('target', '新网址要么是本站的路径（以 / 开头），要么是 http:// 或 https:// 开头的完整网址');
  return { address, destination: { essayId: null, ...target } };
}

const isOutcome = (parsed: Rule | StoreOutcome): parsed is StoreOutcome => 'kind' in parsed;

/** An address of the root with parameters is not a page of this site, although its path is. */
const isOwn = async (ctx: Ctx, { path, query }: Address): Promise<boolean> =>
  !(path === '/' && query !== '') && (await ctx.services.isOwnPath(path));

const isSameDestination = (row: RedirectRow, { essayId, target }: Destination): boolean =>
  row.essayId === essayId && row.target === target;

/**
 * Stores redirects. Each leads to the end of its chain, also those that exist already and lead to a new one; whatever would
 * form a loop, hide a page or repeat a path is refused.
 */
export function storeRedirects(
  ctx: Ctx,
  given: readonly GivenRedirect[],
  options: StoreOptions,
): Promise<StoreOutcome[]> {
  return inTransaction(ctx, async (ctx) => {
    const site = locationOfSite(ctx);
    const outcomes: (StoreOutcome | undefined)[] = given.map(() => undefined);
    const candidates: Candidate[] = [];
    for (const [index, each] of given.entries()) {
      const parsed = parse(each, site, options.before);
      if (isOutcome(parsed)) outcomes[index] = parsed;
      else if (await isOwn(ctx, parsed.address))
        outcomes[index] = refuse('path', '这是本站自己的网址，不能跳转到别处');
      else candidates.push({ ...parsed, index });
    }
    await queries.lockRedirects(ctx.db);
    if (options.before !== undefined) await queries.removeRedirects(ctx.db, [options.before.id]);
    const writtenCount = await write(ctx, candidates, options, (index, outcome) => {
      outcomes[index] = outcome;
    });
    if (writtenCount > 0 || options.before !== undefined) invalidate(ctx, 'redirects');
    return outcomes.map((outcome) => outcome ?? refuse('path', '没能保存'));
  });
}

type Decide = (index: number, outcome: StoreOutcome) => void;

/** Writes what is accepted, in parts if many redirects lead to the candidates. Returns the number of rows written. */
async function write(
  ctx: Ctx,
  candidates: Candidate[],
  options: StoreOptions,
  decide: Decide,
): Promise<number> {
  const [first] = candidates;
  if (first === undefined) return 0;
  const paths = new Set(candidates.flatMap(({ address: { path } }) => [path, indexOf(path)]));
  const leading = await queries.listByTargetPaths(ctx.db, [...paths], MAX_LEADING + 1);
  if (leading.length <= MAX_LEADING) {
    const rows = await accept(ctx, { candidates, leading }, options, decide);
    await queries.upsertRedirects(ctx.db, rows);
    await removeMissingPaths(ctx.db, rows.map(formatAddress));
    return rows.length;
  }
  if (candidates.length === 1) {
    decide(first.index, refuse('path', `指向这个旧网址的跳转超过 ${MAX_LEADING} 条，请先把它们改到新网址`));
    return 0;
  }
  const middle = Math.ceil(candidates.length / 2);
  return (
    (await write(ctx, candidates.slice(0, middle), options, decide)) +
    (await write(ctx, candidates.slice(middle), options, decide))
  );
}

/** Decides about each candidate. Returns the rows to write: the new ones, and those that lead to one of them. */
async function accept(
  ctx: Ctx,
  { candidates, leading }: { candidates: Candidate[]; leading: RedirectRow[] },
  { transferId, existing, before }: StoreOptions,
  decide: Decide,
): Promise<RedirectRow[]> {
  const site = locationOfSite(ctx);
  const addresses = candidates.map(({ address }) => address);
  const targets = candidates.flatMap(({ destination }) => destination.address ?? []);
  const essays = await createEssayFinder(
    ctx,
    candidates.flatMap(({ destination }) => destination.essayId ?? []),
    [...addresses, ...targets],
  );
  const folders = targets.flatMap((target) => folderOf(target) ?? []);
  const known = await queries.listByAddresses(ctx.db, [...addresses, ...targets, ...folders]);
  const stored = new Map([...known, ...leading].map((row) => [formatAddress(row), row]));
  const table = createRuleTable(
    [...stored.values()].map((row) => ({ address: row, destination: toDestination(row, site) })),
  );
  const rules = new Map<string, { rule: Rule; row: RedirectRow }>();

  for (const { index, address, destination: asked } of candidates) {
    const essayId =
      asked.essayId ??
      (asked.address === null || asked.target.includes('#') ? null : essays.at(asked.address));
    const destination: Destination = essayId === null ? asked : { essayId, target: null, address: null };
    const old = stored.get(formatAddress(address));
    if (asked.essayId !== null && !essays.has(asked.essayId)) decide(index, refuse('target', '没有这篇文章'));
    else if (essays.at(address) !== null) decide(index, refuse('path', '这个网址上有文章，不能跳转到别处'));
    else if (
      rules.has(formatAddress(address)) ||
      (old !== undefined && !mayReplace(old, existing, transferId))
    )
      decide(index, refuse('path', '这个旧网址已有跳转'));
    else {
      const rule = { address, destination };
      table.set(rule);
      if (findEnd(destination, table, address) === null) {
        if (old === undefined) table.remove(address);
        else table.set({ address, destination: toDestination(old, site) });
        decide(index, refuse('target', '这样会形成循环跳转'));
      } else {
        const row = toRow(ctx, old ?? before, address, transferId);
        rules.set(formatAddress(address), { rule, row });
        decide(index, { kind: old === undefined && before === undefined ? 'added' : 'updated', id: row.id });
      }
    }
  }
  const others = leading
    .filter((row) => !rules.has(formatAddress(row)))
    .map((row) => ({ rule: { address: row, destination: toDestination(row, site) }, row }));
  return [...rules.values(), ...others].flatMap(({ rule, row }) => {
    const end = findEnd(rule.destination, table, rule.address) ?? rule.destination;
    const isUnchanged = stored.get(formatAddress(row)) === row && isSameDestination(row, end);
    const { essayId, target } = end;
    return isUnchanged ? [] : [{ ...row, essayId, target, targetPath: end.address?.path ?? null }];
  });
}

const mayReplace = (
  old: RedirectRow,
  existing: StoreOptions['existing'],
  transferId: string | null,
): boolean => existing === 'replace' || (existing === 'own' && old.transferId === transferId);

const toRow = (
  { now }: Ctx,
  old: RedirectRow | undefined,
  { path, query }: Address,
  transferId: string | null,
): RedirectRow => ({
  id: old?.id ?? newId(),
  path,
  query,
  target: null,
  targetPath: null,
  essayId: null,
  transferId,
  hits: old?.hits ?? 0,
  lastHitAt: old?.lastHitAt ?? new Date(0),
  createdAt: old?.createdAt ?? now,
  updatedAt: now,
});

/** Stores one redirect, or throws why it cannot be stored. */
export async function storeRedirect(ctx: Ctx, given: GivenRedirect, options: StoreOptions): Promise<string> {
  const [outcome] = await storeRedirects(ctx, [given], options);
  if (outcome === undefined || outcome.kind === 'refused')
    throw invalidField(outcome?.field ?? 'path', outcome?.reason ?? '没能保存');
  return outcome.id;
}
