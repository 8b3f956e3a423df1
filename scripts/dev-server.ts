import { serve } from './serve.ts';

await serve({ label: '[开发]', dev: true });
