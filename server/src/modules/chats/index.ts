export { mayHear } from './actions/access.ts';
export { pushTalks, pushTalksAfterCommit } from './actions/counts.ts';
export { readChat, updateRoom } from './actions/read.ts';
export { releaseChats } from './actions/release.ts';
export { findSpeaker } from './actions/report.ts';
export { sendChat, sendToRoom } from './actions/send.ts';
export { routes } from './routes.ts';
