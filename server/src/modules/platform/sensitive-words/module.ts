import { defineModule } from '../../../module.ts';
import { routes } from './routes.ts';

export const sensitiveWords = defineModule({ routes });
