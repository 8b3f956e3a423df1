export { requireSuper } from './actions/accounts.ts';
export { beginClosing, eraseAccount, planClosing } from './actions/closing.ts';
export { followUser } from './actions/follow.ts';
export { indexPeople, indexWriter } from './actions/names.ts';
export {
  forgetNotices,
  holdBoxes,
  notify,
  pushUnread,
  readAbout,
  updateExcerpts,
} from './actions/notices.ts';
export { resetAdministrator } from './actions/password.ts';
export { findPhoneRefusal, requirePhone } from './actions/phone.ts';
export { createPerson } from './actions/register.ts';
export { hasReauth, requireReauth } from './actions/require-reauth.ts';
export {
  createSessionFinder,
  findSessionViewer,
  getCurrentUser,
  type SessionFinder,
} from './actions/sessions.ts';
export { logFailedSignIn } from './actions/sign-in-log.ts';
export { createTokenFinder, type TokenFinder } from './actions/tokens.ts';
export { isBlocked } from './queries/blocks.ts';
export { addToCounters } from './queries/counters.ts';
export { findFollow } from './queries/follows.ts';
export { endDigest } from './queries/notices.ts';
export {
  getUser,
  idsFoundBy,
  listDemoUserIds,
  noUser,
  removeUsers,
  updateUser,
} from './queries/people.ts';
export type { NewNotice } from './rules/notices.ts';
export { API_TOKEN } from './rules/users.ts';
export { hashPassword, newPassword } from './secrets.ts';
export { isMember, toUserCard } from './views/users.ts';
