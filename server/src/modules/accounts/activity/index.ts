export {
  hasTrendSince,
  publicTrendTypes,
  purgeTrends,
  recordSearch,
  recordTrend,
  recordTrends,
  removeTrends,
} from './record.ts';
