export { addressOf, emit, type Told } from './actions/emit.ts';
export { jobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
