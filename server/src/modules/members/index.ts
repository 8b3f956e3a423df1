export { extendMembership, findMembership, giveInviteBonus } from './actions.ts';
export { findPlan, listPlans, removeTermsOf } from './queries.ts';
export { routes } from './routes.ts';
