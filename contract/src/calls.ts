import * as access from './access.ts';
import * as activity from './activity.ts';
import * as categories from './categories.ts';
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
  activity.listTrends,
  notices.listNotices,
  notices.readNotices,
  notices.getUnread,
  uploads.uploadFile,
  system.listStaffUsers,
  system.updateStaffUser,
  system.listOperations,
  access.listAccounts,
  access.createAccount,
  access.updateAccount,
  access.removeAccount,
  access.listRoles,
  access.createRole,
  access.updateRole,
  access.removeRole,
  access.getRoleMenus,
  access.setRoleMenus,
  access.listMenus,
  access.listMyMenus,
  access.createMenu,
  access.updateMenu,
  access.removeMenu,
  categories.listCategories,
  categories.createCategory,
  categories.updateCategory,
  categories.removeCategory,
  site.getSettings,
  site.updateSettings,
  site.listInfoPages,
  site.updateInfoPage,
  site.previewInfoPage,
] as const;
