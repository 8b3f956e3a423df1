export { requireSuperAdmin } from './actions/accounts.ts';
export { beginClosing, eraseAccount, scheduleClosing } from './actions/closing.ts';
export { followUser } from './actions/follow.ts';
export { indexUserNames, indexWriterName } from './actions/names.ts';
export {
  lockInboxes,
  markTargetRead,
  notify,
  pushUnreadCounts,
  removeNotices,
  updateExcerpts,
} from './actions/notices.ts';
export { resetAdministrator } from './actions/password.ts';
export { getPhoneRequirementError, requirePhone } from './actions/phone.ts';
export { createUser } from './actions/register.ts';
export { hasReauth, requireReauth } from './actions/require-reauth.ts';
export {
  createSessionFinder,
  findSessionViewer,
  getCurrentUser,
  type SessionFinder,
} from './actions/sessions.ts';
export { createTokenFailureLog } from './actions/sign-in-log.ts';
export { type ApiTokenFinder, createApiTokenFinder } from './actions/tokens.ts';
export { isBlocked } from './queries/blocks.ts';
export { addToCounters } from './queries/counters.ts';
export { isFollowing } from './queries/follows.ts';
export { markDigestSent } from './queries/notices.ts';
export {
  getUser,
  listDemoUserIds,
  removeUsers,
  updateUser,
  userIdsMatching,
  userNotFound,
} from './queries/users.ts';
export type { NewNotice } from './rules/notices.ts';
export { API_TOKEN_PREFIX } from './rules/users.ts';
export { hashPassword, newPassword } from './secrets.ts';
export { isMember, toUserCard } from './views/users.ts';
