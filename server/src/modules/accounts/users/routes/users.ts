import * as access from '@mozhan/contract/access.ts';
import * as changeCalls from '@mozhan/contract/account-changes.ts';
import * as blocks from '@mozhan/contract/blocks.ts';
import { FLAG, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import * as follows from '@mozhan/contract/follows.ts';
import { listInvitees } from '@mozhan/contract/invitees.ts';
import * as reauthCalls from '@mozhan/contract/reauth.ts';
import * as sessionCalls from '@mozhan/contract/sessions.ts';
import * as signInCalls from '@mozhan/contract/sign-ins.ts';
import * as system from '@mozhan/contract/system.ts';
import * as tokenCalls from '@mozhan/contract/tokens.ts';
import * as calls from '@mozhan/contract/users.ts';
import { addPageTags, type Ctx } from '../../../../ctx.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindDone, bindPage } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { createAccount, removeAccount, updateStaffAccount } from '../actions/accounts.ts';
import { blockUser, unblockUser } from '../actions/block.ts';
import { issueChallenge } from '../actions/challenge.ts';
import * as codes from '../actions/codes.ts';
import * as following from '../actions/follow.ts';
import { getInvitation } from '../actions/invitees.ts';
import { loadUser } from '../actions/load-user.ts';
import { searchUsersByName } from '../actions/names.ts';
import * as passwords from '../actions/password.ts';
import { updateProfile, updateStaffUser } from '../actions/profile.ts';
import * as qr from '../actions/qr-login.ts';
import { getReauthState, reauthenticate } from '../actions/reauth.ts';
import { register } from '../actions/register.ts';
import { endOwnSessions, getCurrentUser, listOwnSessions } from '../actions/sessions.ts';
import * as signIn from '../actions/sign-in.ts';
import { searchSignIns } from '../actions/sign-ins.ts';
import { endStaffSession } from '../actions/staff-sessions.ts';
import * as tokens from '../actions/tokens.ts';
import { getUndoableChange, undoChange } from '../actions/undo-change.ts';
import { isBlocked, listBlocks } from '../queries/blocks.ts';
import { isFollowing } from '../queries/follows.ts';
import { listSignIns } from '../queries/sign-ins.ts';
import { getStaffAccount, listStaffAccounts } from '../queries/staff-accounts.ts';
import { listStaffSessions } from '../queries/staff-sessions.ts';
import { getStaffUser, listStaffUsers } from '../queries/staff-users.ts';
import { listTokens, removeToken } from '../queries/tokens.ts';
import * as views from '../views/users.ts';

async function getPublic(ctx: Ctx, id: string) {
  addPageTags(ctx, `user:${id}`);
  const { viewer, now } = ctx;
  const user = await loadUser(ctx, id);
  if (user.closedAt !== null) throw new CallError('GONE', { message: '这位用户已注销账号' });
  const [followed, blocked] =
    viewer === null
      ? [false, false]
      : await Promise.all([isFollowing(ctx.db, viewer.id, id), isBlocked(ctx.db, viewer.id, id)]);
  return views.toPublicUser(user, { viewer, followed, blocked, now });
}

export const routes = [
  bind(calls.getChallenge, async (ctx) => {
    const enabled = ctx.services.config.challenge;
    return { enabled, challenge: enabled ? await issueChallenge(ctx) : null };
  }),
  bind(calls.registerUser, register),
  bind(calls.signIn, signIn.signIn),
  bindDone(calls.signOut, (ctx, input) => tokens.signOut(ctx, requireSignedIn(ctx), input.all === FLAG.on)),
  bindDone(calls.changePassword, (ctx, input) => passwords.changePassword(ctx, requireSignedIn(ctx), input)),
  bindDone(calls.requestPasswordReset, passwords.requestPasswordReset),
  bindDone(calls.resetPassword, passwords.resetPassword),
  bindDone(calls.sendCode, codes.sendCode),
  bind(calls.acceptCode, codes.acceptCode),
  bind(calls.enrolTotp, (ctx) => signIn.enrolTotp(ctx, requireSignedIn(ctx))),
  bindDone(calls.confirmTotp, (ctx, input) => signIn.confirmTotp(ctx, requireSignedIn(ctx), input.code)),
  bindDone(calls.removeTotp, (ctx, input) => signIn.removeTotp(ctx, requireSignedIn(ctx), input.code)),
  bind(reauthCalls.getReauth, (ctx) => getReauthState(ctx, requireSignedIn(ctx))),
  bind(reauthCalls.reauthenticate, async (ctx, input) => ({
    until: (await reauthenticate(ctx, requireSignedIn(ctx), input)).toISOString(),
  })),
  bind(changeCalls.getAccountChange, async (ctx, input) =>
    views.toAccountChange(await getUndoableChange(ctx, input)),
  ),
  bind(changeCalls.undoAccountChange, async (ctx, input) => ({ reset: await undoChange(ctx, input) })),
  bind(calls.createTicket, qr.createTicket),
  bind(calls.answerTicket, (ctx, input) =>
    qr.answerTicket(ctx, requireSignedIn(ctx), input.ticket, input.action),
  ),
  bind(calls.pollTicket, (ctx, input) => qr.pollTicket(ctx, input.ticket, input.secret)),
  bind(calls.getUsers, async (ctx, input) => {
    const { keyword, page, pageSize, cursor } = input;
    if ([keyword, page, pageSize, cursor].every((each) => each === undefined)) {
      if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
      return getCurrentUser(ctx, ctx.viewer.id);
    }
    const found = await searchUsersByName(ctx, {
      keyword,
      page: page ?? 1,
      pageSize: pageSize ?? 10,
      cursor,
    });
    return mapPage(found, (user) => views.toUserCard(user, ctx.now));
  }),
  bind(calls.getUserById, (ctx, input) =>
    ctx.viewer?.id === input.id ? getCurrentUser(ctx, input.id) : getPublic(ctx, input.id),
  ),
  bind(calls.getPublicUser, (ctx, input) => getPublic(ctx, input.id)),
  bind(calls.updateUser, (ctx, input) => updateProfile(ctx, requireSignedIn(ctx), input)),
  bind(tokenCalls.listTokens, async (ctx) => ({
    list: (await listTokens(ctx.db, requireSignedIn(ctx).id)).map(views.toApiToken),
  })),
  bind(tokenCalls.createToken, async (ctx, input) => {
    const { row, token } = await tokens.createApiToken(ctx, requireSignedIn(ctx), input);
    return { ...views.toApiToken(row), token };
  }),
  bindDone(tokenCalls.removeToken, (ctx, { id }) => removeToken(ctx.db, requireSignedIn(ctx).id, id)),
  bind(follows.followUser, (ctx, input) => following.followUser(ctx, requireSignedIn(ctx), input.userId)),
  bind(follows.unfollowUser, (ctx, input) => following.unfollowUser(ctx, requireSignedIn(ctx), input.userId)),
  bindPage(follows.listFollows, views.toFollowedUser, (ctx, input) =>
    following.listVisibleFollows(ctx, input.userId ?? requireSignedIn(ctx).id, input),
  ),
  bind(blocks.blockUser, (ctx, input) => blockUser(ctx, requireSignedIn(ctx), input.userId)),
  bind(blocks.unblockUser, (ctx, input) => unblockUser(ctx, requireSignedIn(ctx), input.userId)),
  bindPage(blocks.listBlockedUsers, views.toBlockedUser, (ctx, input) =>
    listBlocks(ctx.db, { ...input, userId: requireSignedIn(ctx).id }),
  ),
  bind(listInvitees, async (ctx, input) => {
    const { page, ...invitation } = await getInvitation(ctx, requireSignedIn(ctx), input);
    return { ...page, ...invitation, list: page.list.map((user) => views.toInvitee(user, ctx.now)) };
  }),
  bind(system.getStaffUser, async (ctx, { id }) =>
    views.toStaffUserDetail(await getStaffUser(ctx.db, id), ctx.now),
  ),
  bindPage(system.listStaffUsers, views.toStaffUser, (ctx, { sort = 'createdAt', order, ...query }) =>
    listStaffUsers(ctx.db, {
      ...query,
      sort,
      isDescending: order !== SORT_ORDER.ascending,
      now: ctx.now,
    }),
  ),
  bind(system.updateStaffUser, async (ctx, input) =>
    views.toStaffUser(await updateStaffUser(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
  bind(access.listAccounts, async (ctx, { id, staff, enabled, order, ...query }) => {
    if (id !== undefined) return views.toStaffAccount(await getStaffAccount(ctx.db, id));
    const found = await listStaffAccounts(ctx.db, {
      ...query,
      isStaff: staff === FLAG.on,
      isEnabled: enabled === undefined ? undefined : enabled === FLAG.on,
      isDescending: order !== SORT_ORDER.ascending,
    });
    return mapPage(found, views.toStaffAccount);
  }),
  bind(access.createAccount, async (ctx, input) =>
    views.toStaffAccount(await createAccount(ctx, requireSignedIn(ctx), input)),
  ),
  bind(access.updateAccount, async (ctx, input) =>
    views.toStaffAccount(await updateStaffAccount(ctx, requireSignedIn(ctx), input)),
  ),
  bindDone(access.removeAccount, (ctx, input) => removeAccount(ctx, requireSignedIn(ctx), input.id)),
  bind(sessionCalls.listOwnSessions, async (ctx, query) => {
    const viewer = requireSignedIn(ctx);
    return mapPage(await listOwnSessions(ctx, viewer, query), (row) => views.toOwnSession(row, viewer));
  }),
  bindDone(sessionCalls.endOwnSession, (ctx, { id }) => endOwnSessions(ctx, requireSignedIn(ctx), id)),
  bind(sessionCalls.listSessions, async (ctx, { sort, order, staff, ...query }) => {
    const page = await listStaffSessions(ctx.db, {
      ...query,
      isStaff: staff === FLAG.on,
      byUse: sort !== 'createdAt',
      isDescending: order !== SORT_ORDER.ascending,
    });
    return mapPage(page, (row) => views.toStaffSession(row, requireSignedIn(ctx), ctx.now));
  }),
  bind(signInCalls.listOwnSignIns, async (ctx, query) => {
    const { id: userId } = requireSignedIn(ctx);
    const page = await listSignIns(ctx.db, { ...query, userId, isDescending: true });
    return mapPage(page, ({ signIn }) => views.toSignIn(signIn));
  }),
  bindPage(signInCalls.listSignIns, views.toStaffSignIn, (ctx, { result, sort: _sort, order, ...query }) =>
    searchSignIns(ctx, {
      ...query,
      succeeded: result === undefined ? undefined : result === 'succeeded',
      isDescending: order !== SORT_ORDER.ascending,
    }),
  ),
  bindDone(sessionCalls.endSession, (ctx, { id }) => endStaffSession(ctx, requireSignedIn(ctx), id)),
];
