export { assignRoles, grantRole, withdrawRoles } from './actions/roles.ts';
export { logged } from './operation-log.ts';
export { listGrantsOf, lockAccess } from './queries.ts';
export { canGrant, checkGrant, everyPermission, SUPER } from './rules.ts';
export { seedAccess } from './seed.ts';
