export { assignRoles, grantRole, withdrawRoles } from './actions/roles.ts';
export { listGrantsOf, lockAccess } from './queries.ts';
export { routes } from './routes.ts';
export { canGrant, checkGrant, everyPermission, SUPER } from './rules.ts';
export { seedAccess } from './seed.ts';
