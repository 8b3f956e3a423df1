import { buildClients } from './client.ts';

if (!(await buildClients('[2/2]'))) process.exitCode = 1;
