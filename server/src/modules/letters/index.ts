export { releaseLetters, sendLetter } from './actions.ts';
export { routes } from './routes.ts';
