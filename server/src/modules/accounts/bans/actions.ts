import type * as calls from '@mozhan/contract/bans.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTransaction, invalidate, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { loggedRows } from '../../../db/logged-rows.ts';
import * as queries from './queries.ts';
import {
  formatNetwork,
  isTooWide,
  loopbackNetworks,
  overlaps,
  parseNetwork,
  toProxyNetworks,
} from './rules.ts';
import type { BanRow } from './tables.ts';

/** Tells all processes to load the bans again. */
export const BANS_TAG = 'bans';
const MAX_BANS = 5000;

export function toSearchedNetwork(keyword: string | undefined): string | undefined {
  if (!keyword) return undefined;
  const network = parseNetwork(keyword);
  if (network === null) throw invalidField('keyword', '请填写完整的 IP 地址或网络');
  return formatNetwork(network);
}

const logged = loggedRows(queries.banRows, {
  noun: 'ban',
  toLog: ({ network, reason, expiresAt }) => ({
    network,
    reason,
    expiresAt: expiresAt?.toISOString() ?? null,
  }),
  onChange: (ctx) => {
    invalidate(ctx, BANS_TAG);
    afterCommit(ctx, () => void ctx.services.bans.refresh());
  },
});

/** Throws for a network that staff would lock themselves or everybody out with. */
function checkNetwork({ services, requester }: Ctx, text: string): string {
  const network = parseNetwork(text);
  const refuse = (message: string) => invalidField('network', message);
  if (network === null) throw refuse('请填写一个 IP 地址，或一段网络，如 203.0.113.0/24');
  if (isTooWide(network)) throw refuse('范围太大：IPv4 最多 /8，IPv6 最多 /16');
  if (loopbackNetworks.some((each) => overlaps(each, network))) throw refuse('不能封禁本机的地址');
  if (toProxyNetworks(services.config.trustProxy).some((each) => overlaps(each, network)))
    throw refuse('这是本站前面的代理（TRUST_PROXY），封禁它会挡住所有人');
  const own = parseNetwork(requester.address);
  if (own !== null && overlaps(own, network)) throw refuse('你现在就在用这个地址，不能封禁');
  return formatNetwork(network);
}

function checkExpiry(ctx: Ctx, expiresAt: string | null): Date | null {
  const date = expiresAt === null ? null : new Date(expiresAt);
  if (date !== null && date <= ctx.now) throw invalidField('expiresAt', '到期时间应该在以后');
  return date;
}

export function createBan(
  ctx: Ctx,
  viewer: Viewer,
  { network: text, reason = '', expiresAt = null }: z.output<typeof calls.createBan.input>,
): Promise<BanRow> {
  const network = checkNetwork(ctx, text);
  const fields = { reason, expiresAt: checkExpiry(ctx, expiresAt), userId: viewer.id };
  return inTransaction(ctx, async (ctx) => {
    await queries.lockBans(ctx.db);
    const existing = await queries.findBanByNetwork(ctx.db, network);
    if (existing !== null) return logged.update(ctx, existing.id, (before) => ({ ...before, ...fields }));
    if ((await queries.banRows.count(ctx.db)) >= MAX_BANS)
      throw invalidField('network', `最多封禁 ${MAX_BANS} 个，请先解除不用的`);
    return logged.create(ctx, () => ({ ...fields, id: newId(), network, createdAt: ctx.now }));
  });
}

export const updateBan = (
  ctx: Ctx,
  { id, reason, expiresAt }: z.output<typeof calls.updateBan.input>,
): Promise<BanRow> =>
  logged.update(ctx, id, (before) => ({
    ...before,
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt: checkExpiry(ctx, expiresAt) }),
  }));

export const removeBan = logged.remove;
