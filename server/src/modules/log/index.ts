export { logged } from './operation-log.ts';
