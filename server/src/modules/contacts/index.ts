export { checkContact, countContact, whyNot } from './actions.ts';
export { prepareLine, prepareText } from './text.ts';
export { countUnreadLetters } from './unread.ts';
