export { filterReadableRooms } from './actions/access.ts';
export { pushConversationCounts } from './actions/counts.ts';
export { findLetterEvidence } from './actions/letter-evidence.ts';
export { purgeLetters, sendLetter } from './actions/letters.ts';
export { findVisibleMessageSender } from './actions/message-sender.ts';
export { purgeChats } from './actions/purge.ts';
export { readChat, updateRoom } from './actions/read.ts';
export { sendChat, sendToRoom } from './actions/send.ts';
