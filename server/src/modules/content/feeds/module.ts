import { defineModule } from '../../../module.ts';
import { serveFeeds } from './serve.ts';

export const feeds = defineModule({ serve: serveFeeds });
