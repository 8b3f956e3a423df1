import { serve } from './serve.ts';

await serve({ label: '[dev]', dev: true });
