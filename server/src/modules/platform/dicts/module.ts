import { defineModule } from '../../../module.ts';
import { routes } from './routes.ts';

export const dicts = defineModule({ routes });
