import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { TestApp } from '../app.ts';
import { chatting } from '../chats.ts';
import type { Published } from './essays.ts';
import { HOUR, mustCall, type People, untilNone } from './helpers.ts';
import { uploadPicture } from './people.ts';

/** Letters, private chats and the room of an essay. */
export async function exchangeMessages(t: TestApp, people: People, published: Published): Promise<void> {
  await writeLetters(t, people, published);
  await chat(t, people, published);
  await talkInRoom(t, people, published);
}

async function writeLetters(t: TestApp, people: People, { free }: Published): Promise<void> {
  const { writer, second, reader, friend } = people;
  const write = (to: { user: { id: string } }, by: { token: string }, more: object = {}) =>
    mustCall(t, 'POST core/essay/pri/msg', { toUserId: to.user.id, content: '你好', ...more }, by);
  const first = await write(writer, reader, { subject: '请教', essayId: free });
  await write(reader, writer, { parentId: first.id, content: '你好，糟糕的天气' });
  await mustCall(t, 'PUT core/essay/pri/msg', { threadId: first.threadId }, reader);
  // Unanswered; and deleted by whoever got it.
  await write(second, friend);
  await write(second, friend);
  const unwanted = await write(friend, second, { subject: '不必回' });
  await mustCall(t, 'DELETE core/essay/pri/msg', { threadId: unwanted.threadId }, friend);
}

async function chat(
  t: TestApp,
  { writer, reader, friend, offender }: People,
  { free }: Published,
): Promise<void> {
  let sent = 0;
  const say = (to: { user: { id: string } }, content: string, by: { token: string }, kind = 'text') => {
    sent += 1;
    const clientId = `message-${sent}`;
    return mustCall(t, 'POST core/essay/pri/chat', { toUserId: to.user.id, content, clientId, kind }, by);
  };
  await say(writer, '在吗', reader);
  await say(reader, '在', writer);
  t.advance(2 * HOUR);
  await say(writer, '看看这篇', reader);
  await say(writer, free, reader, 'essay');
  await say(writer, await uploadPicture(t, reader, 400, '#00aa55'), reader, 'image');
  const { seq } = await say(reader, '糟糕，没看懂', writer);
  await mustCall(t, 'PUT core/essay/pri/chat', { userId: writer.user.id, seq }, reader);
  const { id } = await say(writer, '发错了', friend);
  await mustCall(t, 'DELETE core/essay/pri/chat', { id }, friend);
  // Two to somebody who does not answer.
  for (const word of ['喂', '在不在']) await say(reader, word, offender);
}

async function talkInRoom(t: TestApp, people: People, { free }: Published): Promise<void> {
  const { admin, writer, reader, friend, offender } = people;
  const { say, mute, remove, leave, readRoom } = chatting(t);
  const { data: first } = await say(free, '第三节没看懂', reader.token);
  await say(free, '哪一句', writer.token, { replyToId: first.id });
  const { data: bad } = await say(free, '骂人的话', offender.token);
  await mustCall(t, 'POST core/user/report', { kind: 'chat', targetId: bad.id, reason: 'abuse' }, reader);
  await remove(bad.id, writer.token);
  await mute(free, offender.user.id, 600, writer.token);
  await say(free, '路过', friend.token);
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

/** Too long for PostgreSQL's NOTIFY: its live event goes through `live_attachments`. */
export async function sendLongMessage(t: TestApp, { writer, reader }: People): Promise<void> {
  const input = { toUserId: reader.user.id, content: '长'.repeat(2000), clientId: 'a-long-message' };
  await mustCall(t, 'POST core/essay/pri/chat', input, writer);
  await untilNone(t, 'select where not exists (select from live_attachments)');
}
