export { extendMembership, findMembership, giveInviteBonus } from './actions/members.ts';
export { getPriceRules } from './actions/prices.ts';
export { findPlan, listPlans, removeTermsOf } from './queries/members.ts';
