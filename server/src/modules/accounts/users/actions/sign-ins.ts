import { isIP } from 'node:net';
import type { Page } from '@mozhan/contract/common.ts';
import { normalizeAddress } from '../../../../address.ts';
import type { Ctx } from '../../../../ctx.ts';
import type { PageQuery } from '../../../../db/page.ts';
import type { DayBounds } from '../../../../db/sort.ts';
import { findAccountByName } from '../queries/accounts.ts';
import { listSignIns, type StaffSignInRow } from '../queries/sign-ins.ts';
import { toUnknownAccount } from './sign-in-log.ts';

interface SignInSearch extends PageQuery, DayBounds {
  keyword?: string | undefined;
  userId?: string | undefined;
  address?: string | undefined;
  succeeded?: boolean | undefined;
  isDescending: boolean;
}

/** A keyword is an IP address, the name, e-mail or phone of an account, or what somebody typed instead of one. */
export async function searchSignIns(
  ctx: Ctx,
  { keyword, ...query }: SignInSearch,
): Promise<Page<StaffSignInRow>> {
  if (!keyword) return listSignIns(ctx.db, query);
  if (isIP(keyword) !== 0) return listSignIns(ctx.db, { ...query, address: normalizeAddress(keyword) });
  const account = await findAccountByName(ctx.db, keyword);
  if (account === null) {
    const unknownAccount = keyword.startsWith('unknown') ? keyword : toUnknownAccount(ctx.services, keyword);
    return listSignIns(ctx.db, { ...query, unknownAccount });
  }
  // Both filters must hold.
  const isOther = query.userId !== undefined && query.userId !== account.userId;
  return listSignIns(ctx.db, { ...query, userId: account.userId, ...(isOther && { unknownAccount: '' }) });
}
