export {
  forgetTrends,
  hasTrendSince,
  publicTypes,
  recordSearch,
  recordTrend,
  recordTrends,
  releaseTrends,
} from './record.ts';
