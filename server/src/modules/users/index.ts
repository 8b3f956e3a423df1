export { requireSuper } from './actions/accounts.ts';
export { resetAdministrator } from './actions/password.ts';
export { createPerson } from './actions/register.ts';
export { createSessionFinder, type SessionFinder } from './actions/sessions.ts';
export { jobs, schedule } from './jobs.ts';
export { listDemoUserIds, removeUsers, updateUser } from './queries/people.ts';
export { routes } from './routes.ts';
export { hashPassword, newPassword } from './secrets.ts';
export { toUserCard } from './views.ts';
