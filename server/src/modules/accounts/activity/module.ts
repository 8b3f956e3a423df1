import { defineModule } from '../../../module.ts';
import { erase } from './record.ts';

export const activity = defineModule({ erase });
