export { createRedirectFinder } from './actions/find.ts';
export { importRedirects, removeRedirectsOf } from './actions/redirects.ts';
