import { toFlag } from '@mozhan/contract/enums.ts';
import type { Member, Plan, Term } from '@mozhan/contract/members.ts';
import { isMember, toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import type { MemberRow, TermWithGranter } from '../queries/members.ts';
import type { PlanRow } from '../tables.ts';

export const toPlan = ({ id, name, days, price, sort, enabled }: PlanRow): Plan => ({
  id,
  name,
  days,
  price,
  sort,
  enabled: toFlag(enabled),
});

export const toOwnMembership = (user: Pick<User, 'memberUntil'>, now: Date) => ({
  isMember: isMember(user, now),
  memberUntil: user.memberUntil?.toISOString() ?? null,
});

export const toTerm = ({ term, by }: TermWithGranter, now: Date): Term => ({
  id: term.id,
  source: term.source,
  days: term.days,
  until: term.until.toISOString(),
  reason: term.reason,
  by: by === null ? null : toUserCard(by, now),
  createdAt: term.createdAt.toISOString(),
});

export const toMember = ({ user, since }: MemberRow, now: Date): Member => ({
  ...toUserCard(user, now),
  memberSince: since.toISOString(),
  memberUntil: user.memberUntil?.toISOString() ?? '',
});
