export {
  checkRewardMessage,
  listRewards,
  recordReward,
  releaseRewards,
  removeReward,
  replyReward,
} from './actions.ts';
export { routes } from './routes.ts';
