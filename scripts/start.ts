import { buildClients } from './client.ts';
import { serve } from './serve.ts';

if (await buildClients('[2/3]')) await serve({ label: '[3/3]' });
else process.exitCode = 1;
