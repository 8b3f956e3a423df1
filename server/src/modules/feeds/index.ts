export { serveFeeds } from './serve.ts';
