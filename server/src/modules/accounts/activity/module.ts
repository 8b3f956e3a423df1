import { defineModule } from '../../../module.ts';
import { eraseTrends } from './record.ts';

export const activity = defineModule({ eraseUser: eraseTrends });
