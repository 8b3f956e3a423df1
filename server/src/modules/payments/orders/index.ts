export { createOrder } from './actions/create.ts';
export { payOrder } from './actions/own.ts';
export { releaseOrders } from './actions/release.ts';
export {
  checkRewardMessage,
  listRewards,
  recordReward,
  releaseRewards,
  removeReward,
  replyReward,
} from './actions/rewards.ts';
export { settlePayment } from './actions/settle.ts';
export { createProviders } from './providers/create.ts';
export type { Provider, Providers, StatementLine } from './providers/provider.ts';
export { approveSandboxBill, makeSandboxCallback } from './providers/sandbox.ts';
export { newNo } from './rules.ts';
