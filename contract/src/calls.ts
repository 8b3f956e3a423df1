import * as notices from './notices.ts';
import * as site from './site.ts';
import * as system from './system.ts';
import * as uploads from './uploads.ts';
import * as users from './users.ts';

/** Every call there is, in the order of the documentation. */
export const calls = [
  site.getSite,
  users.getChallenge,
  users.registerUser,
  users.signIn,
  users.signOut,
  users.changePassword,
  users.askReset,
  users.resetPassword,
  users.sendCode,
  users.acceptCode,
  users.enrolTotp,
  users.confirmTotp,
  users.removeTotp,
  users.createTicket,
  users.answerTicket,
  users.pollTicket,
  users.getUsers,
  users.getUserById,
  users.getPublicUser,
  users.updateUser,
  notices.listNotices,
  notices.readNotices,
  notices.getUnread,
  uploads.uploadFile,
  system.listStaffUsers,
  system.updateStaffUser,
  system.listOperations,
] as const;
