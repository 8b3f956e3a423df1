import type { StaffAccount } from '@mozhan/contract/access.ts';
import type { ChangeKind } from '@mozhan/contract/account-changes.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { FollowedUser } from '@mozhan/contract/follows.ts';
import type { OwnSession, StaffSession } from '@mozhan/contract/sessions.ts';
import type { SignIn, StaffSignIn } from '@mozhan/contract/sign-ins.ts';
import type { StaffUser, StaffUserDetail } from '@mozhan/contract/system.ts';
import type { ApiToken } from '@mozhan/contract/tokens.ts';
import {
  type CurrentUser,
  noticeKinds,
  type PublicUser,
  privacyKinds,
  type UserCard,
} from '@mozhan/contract/users.ts';
import type { Viewer } from '../../../../ctx.ts';
import { allPermissions } from '../../access/index.ts';
import type { BlockRow } from '../queries/blocks.ts';
import type { FollowRow } from '../queries/follows.ts';
import type { SignInRow, StaffSignInRow } from '../queries/sign-ins.ts';
import type { StaffAccountRow } from '../queries/staff-accounts.ts';
import type { StaffSessionRow } from '../queries/staff-sessions.ts';
import type { StaffUserDetailRow } from '../queries/staff-users.ts';
import type { StaffUserRow, UserWithAccount } from '../queries/users.ts';
import type { AccountChange, ApiTokenRow, User } from '../tables.ts';

const withDefaultsOn = <K extends string>(kinds: readonly K[], changed: Partial<Record<K, boolean>>) =>
  Object.fromEntries(kinds.map((kind) => [kind, changed[kind] ?? true])) as Record<K, boolean>;

export const isMember = (user: Pick<User, 'memberUntil'>, now: Date): boolean =>
  user.memberUntil !== null && user.memberUntil > now;

type CardUser = Pick<User, 'id' | 'displayName' | 'headImg' | 'title' | 'curIdentity' | 'memberUntil'>;

export function toUserCard(user: CardUser, now: Date): UserCard {
  return {
    id: user.id,
    displayName: user.displayName,
    headImg: user.headImg,
    curIdentity: user.curIdentity,
    isMember: isMember(user, now),
    title: user.title,
  };
}

export function toCurrentUser(
  { user, account, access, unread, balance }: UserWithAccount,
  now: Date,
): CurrentUser {
  return {
    ...toUserCard(user, now),
    account: account.name,
    email: account.email,
    emailBounce: account.emailBounce,
    phone: account.phone,
    access: access.isStaff ? 'admin' : 'user',
    permissions: access.isSuper ? allPermissions : access.permissions,
    bio: user.bio,
    gender: user.gender,
    city: user.city,
    company: user.company,
    position: user.position,
    homepage: user.homepage,
    github: user.github,
    memberUntil: user.memberUntil?.toISOString() ?? null,
    balance,
    unread,
    inviteCode: user.inviteCode,
    region: user.region,
    totpOn: account.totpOn,
    mustChangePassword: account.mustChangePassword,
    notify: withDefaultsOn(noticeKinds, user.notify),
    privacy: withDefaultsOn(privacyKinds, user.privacy),
    digest: user.digest,
    createdAt: user.createdAt.toISOString(),
  };
}

export function toFollowedUser({ user, followed, createdAt }: FollowRow, now: Date): FollowedUser {
  return { ...toUserCard(user, now), bio: user.bio, followed, followedAt: createdAt.toISOString() };
}

export const toBlockedUser = ({ user, createdAt }: BlockRow, now: Date) => ({
  ...toUserCard(user, now),
  blockedAt: createdAt.toISOString(),
});

export const toInvitee = (user: User, now: Date) => ({
  ...toUserCard(user, now),
  joinedAt: user.createdAt.toISOString(),
});

const toCounters = (user: User): PublicUser['counters'] => ({
  essays: user.essayCount,
  reads: user.readCount,
  likes: user.likeCount,
  followers: user.followerCount,
  following: user.followingCount,
});

export function toPublicUser(
  user: User,
  {
    viewer,
    followed,
    blocked,
    now,
  }: { viewer: Viewer | null; followed: boolean; blocked: boolean; now: Date },
): PublicUser {
  return {
    ...toUserCard(user, now),
    bio: user.bio,
    city: user.city,
    company: user.company,
    position: user.position,
    homepage: user.homepage,
    github: user.github,
    region: user.region,
    counters: toCounters(user),
    relation: { self: viewer?.id === user.id, followed, blocked },
    createdAt: user.createdAt.toISOString(),
  };
}

export const toApiToken = (token: ApiTokenRow): ApiToken => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes,
  expiresAt: token.expiresAt?.toISOString() ?? null,
  usedAt: token.usedAt?.toISOString() ?? null,
  usedAddress: token.usedAddress,
  createdAt: token.createdAt.toISOString(),
});

export function toStaffUser({ user, account }: StaffUserRow, now: Date): StaffUser {
  return {
    ...toUserCard(user, now),
    account: account.name,
    enabled: toFlag(account.enabled),
    region: user.region,
    memberUntil: user.memberUntil?.toISOString() ?? null,
    counters: toCounters(user),
    createdAt: user.createdAt.toISOString(),
  };
}

export function toStaffUserDetail(row: StaffUserDetailRow, now: Date): StaffUserDetail {
  const { user, roles, inviter } = row;
  return {
    ...toStaffUser(row, now),
    bio: user.bio,
    city: user.city,
    company: user.company,
    position: user.position,
    homepage: user.homepage,
    github: user.github,
    emailBounce: row.account.emailBounce,
    roles: roles.map(({ id, name, enabled }) => ({ id, name, enabled: toFlag(enabled) })),
    invitedBy: inviter === null ? null : toUserCard(inviter, now),
  };
}

export function toStaffAccount({ user, account, roles }: StaffAccountRow): StaffAccount {
  return {
    id: user.id,
    account: account.name,
    email: account.email,
    phone: account.phone,
    displayName: user.displayName,
    headImg: user.headImg,
    enabled: toFlag(account.enabled),
    roles: roles.map((role) => ({
      id: role.id,
      name: role.name,
      code: role.code,
      enabled: toFlag(role.enabled),
    })),
    roleIds: roles.map((role) => role.id),
    totpOn: account.totpOn,
    mustChangePassword: account.mustChangePassword,
    createdAt: user.createdAt.toISOString(),
  };
}

export const toOwnSession = ({ session }: Pick<StaffSessionRow, 'session'>, viewer: Viewer): OwnSession => ({
  id: session.id,
  via: session.via,
  device: session.device,
  address: session.address,
  region: session.region,
  createdAt: session.createdAt.toISOString(),
  usedAt: session.usedAt.toISOString(),
  isCurrent: session.id === viewer.sessionId,
});

export const toSignIn = (row: SignInRow): SignIn => ({
  id: row.id,
  succeeded: row.succeeded,
  via: row.via,
  reason: row.reason,
  address: row.address,
  region: row.region,
  device: row.device,
  createdAt: row.createdAt.toISOString(),
});

export const toStaffSignIn = ({ signIn, user }: StaffSignInRow, now: Date): StaffSignIn => ({
  ...toSignIn(signIn),
  account: signIn.account,
  user: user === null ? null : toUserCard(user, now),
});

export const toStaffSession = (row: StaffSessionRow, viewer: Viewer, now: Date): StaffSession => ({
  ...toOwnSession(row, viewer),
  user: { ...toUserCard(row.user, now), account: row.account.name },
  isStaff: row.isStaff,
});

/** 13800138000 → 138****8000, somebody@example.com → s***@example.com */
const maskAddress = (address: string): string =>
  address.includes('@')
    ? address.replace(/^(.)[^@]*/u, '$1***')
    : `${address.slice(0, 3)}****${address.slice(-4)}`;

const toDisplayedValue = (kind: ChangeKind, value: string): string =>
  value !== '' && (kind === 'email' || kind === 'phone') ? maskAddress(value) : value;

/** Describes a change of an account; the text follows 你的账号. */
export function toChangeDescription(kind: ChangeKind, value: string): string {
  const displayed = toDisplayedValue(kind, value);
  switch (kind) {
    case 'email':
      return `绑定了邮箱 ${displayed}`;
    case 'phone':
      return `绑定了手机号 ${displayed}`;
    case 'totp-on':
      return '开启了两步验证';
    case 'totp-off':
      return '关闭了两步验证';
    case 'token':
      return `新建了 API 令牌「${displayed}」`;
    case 'password':
      return '修改了密码';
  }
}

export const toAccountChange = ({ kind, newValue, device, region, createdAt }: AccountChange) => ({
  kind,
  value: toDisplayedValue(kind, newValue),
  device,
  place: region,
  at: createdAt.toISOString(),
});
