export { createTrafficCounter, type TrafficCounter } from './counter.ts';
