import { defineModule } from '../../../module.ts';
import { routes as chatsRoutes } from './routes/chats.ts';
import { routes as lettersRoutes } from './routes/letters.ts';

export const chats = defineModule({ routes: [...chatsRoutes, ...lettersRoutes] });
