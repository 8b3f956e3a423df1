export { assignRoles, grantRole, revokeRoles } from './actions/roles.ts';
export { withOperationLog } from './operation-log.ts';
export { listGrantsOfUser, lockAccess } from './queries.ts';
export { allPermissions, canGrant, checkGrant, SUPER_ROLE } from './rules.ts';
export { seedAccess } from './seed.ts';
