export { mayHear } from './actions/access.ts';
export { pushTalks } from './actions/counts.ts';
export { releaseLetters, sendLetter } from './actions/letters.ts';
export { readChat, updateRoom } from './actions/read.ts';
export { releaseChats } from './actions/release.ts';
export { findSpeaker } from './actions/report.ts';
export { sendChat, sendToRoom } from './actions/send.ts';
