export { extendMembership, findMembershipMsLeft, grantInviteBonus } from './actions/members.ts';
export { getPriceRules } from './actions/prices.ts';
export { findEnabledPlan, listPlans, removeTermsOf } from './queries/members.ts';
