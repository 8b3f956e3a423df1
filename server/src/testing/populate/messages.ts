import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { TestApp } from '../app.ts';
import { chatCalls } from '../chats.ts';
import type { PublishedEssays } from './essays.ts';
import { HOUR, mustCall, type Users, waitUntilNoRows } from './helpers.ts';
import { uploadPicture } from './users.ts';

export async function exchangeMessages(t: TestApp, users: Users, published: PublishedEssays): Promise<void> {
  await writeLetters(t, users, published);
  await chat(t, users, published);
  await talkInRoom(t, users, published);
}

async function writeLetters(t: TestApp, users: Users, { free }: PublishedEssays): Promise<void> {
  const { writer, second, reader, friend } = users;
  const write = (to: { user: { id: string } }, by: { token: string }, more: object = {}) =>
    mustCall(t, 'POST core/essay/pri/msg', { toUserId: to.user.id, content: '你好', ...more }, by);
  const first = await write(writer, reader, { subject: '请教', essayId: free });
  await write(reader, writer, { parentId: first.id, content: '你好，糟糕的天气' });
  await mustCall(t, 'PUT core/essay/pri/msg', { threadId: first.threadId }, reader);
  // Letters without a reply, and a thread that its recipient deleted.
  await write(second, friend);
  await write(second, friend);
  const unwanted = await write(friend, second, { subject: '不必回' });
  const letterReport = { kind: 'letter', targetId: unwanted.id, reason: 'abuse' };
  await mustCall(t, 'POST core/user/report', letterReport, friend);
  await mustCall(t, 'DELETE core/essay/pri/msg', { threadId: unwanted.threadId }, friend);
}

async function chat(
  t: TestApp,
  { writer, reader, friend, offender }: Users,
  { free }: PublishedEssays,
): Promise<void> {
  let sent = 0;
  const sendChat = (to: { user: { id: string } }, content: string, by: { token: string }, kind = 'text') => {
    sent += 1;
    const clientId = `message-${sent}`;
    return mustCall(t, 'POST core/essay/pri/chat', { toUserId: to.user.id, content, clientId, kind }, by);
  };
  await sendChat(writer, '在吗', reader);
  await sendChat(reader, '在', writer);
  t.advance(2 * HOUR);
  await sendChat(writer, '看看这篇', reader);
  await sendChat(writer, free, reader, 'essay');
  await sendChat(writer, await uploadPicture(t, reader, 400, '#00aa55'), reader, 'image');
  const { seq } = await sendChat(reader, '糟糕，没看懂', writer);
  await mustCall(t, 'PUT core/essay/pri/chat', { userId: writer.user.id, seq }, reader);
  const { id } = await sendChat(writer, '发错了', friend);
  await mustCall(t, 'DELETE core/essay/pri/chat', { id }, friend);
  // Two messages without a reply.
  for (const word of ['喂', '在不在']) await sendChat(reader, word, offender);
}

async function talkInRoom(t: TestApp, users: Users, { free }: PublishedEssays): Promise<void> {
  const { admin, writer, reader, friend, offender } = users;
  const { sendToRoom, mute, remove, leave, readRoom } = chatCalls(t);
  const { data: first } = await sendToRoom(free, '第三节没看懂', reader.token);
  await sendToRoom(free, '哪一句', writer.token, { replyToId: first.id });
  const { data: bad } = await sendToRoom(free, '骂人的话', offender.token);
  await mustCall(t, 'POST core/user/report', { kind: 'chat', targetId: bad.id, reason: 'abuse' }, reader);
  await remove(bad.id, writer.token);
  await mute(free, offender.user.id, 600, writer.token);
  await sendToRoom(free, '路过', friend.token);
  await leave(free, friend.token);
  await readRoom(free, 2, reader.token);
  const { list } = await mustCall(t, 'GET core/sys/report/', { kind: 'chat' }, admin);
  await mustCall(
    t,
    'PUT core/sys/report/',
    { id: list[0]?.id, status: REPORT_STATUS.dismissed, result: '看过了' },
    admin,
  );
}

/** The message is too long for PostgreSQL's NOTIFY, so its live event is stored in `live_attachments`. */
export async function sendLongMessage(t: TestApp, { writer, reader }: Users): Promise<void> {
  const input = { toUserId: reader.user.id, content: '长'.repeat(2000), clientId: 'a-long-message' };
  await mustCall(t, 'POST core/essay/pri/chat', input, writer);
  await waitUntilNoRows(t, 'select where not exists (select from live_attachments)');
}
