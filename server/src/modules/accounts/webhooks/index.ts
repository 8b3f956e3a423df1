export { addressOf, emit, type Told } from './actions/emit.ts';
