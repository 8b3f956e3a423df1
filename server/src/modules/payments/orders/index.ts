export { createOrder } from './actions/create.ts';
export { payOrder } from './actions/own-orders.ts';
export { removeOrdersOfUsers, requireNoRealPaymentsTo } from './actions/remove-orders.ts';
export {
  listRewards,
  recordReward,
  removeReward,
  removeRewardsOfUsers,
  replyReward,
  screenRewardMessage,
} from './actions/rewards.ts';
export { settlePayment } from './actions/settle.ts';
export { createProviders } from './providers/create.ts';
export type { Provider, Providers, StatementLine } from './providers/provider.ts';
export { approveSandboxPayment, createSandboxCallback } from './providers/sandbox.ts';
export { createOrderNumber } from './rules.ts';
