import { APPLICATION_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { TOTP } from 'otpauth';
import sharp from 'sharp';
import type { TestAliyunSms } from '../aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import type { TestUser } from '../essays.ts';
import type { TestSmtp } from '../smtp.ts';
import { uploadFile } from '../uploads.ts';
import { DAY, MINUTE, mustCall, type Users } from './helpers.ts';

export interface MessageServers {
  smtp: TestSmtp;
  aliyun: TestAliyunSms;
}

export const PHONE = '13900000001';

export async function createUsers(t: TestApp, gateways: MessageServers): Promise<Users> {
  const admin = { token: await t.signInAdmin() };
  const writer = await createApprovedWriter(t, admin, 'first-writer', '林一');
  const second = await createApprovedWriter(t, admin, 'second-writer', '周二');
  const reader = await t.register('first-reader', { displayName: '读者甲' });
  const friend = await t.register('friend@example.com', { inviteCode: reader.user.inviteCode });
  const offender = await t.register('the-offender', { displayName: '讨厌鬼' });
  const auditor = await createAuditor(t, admin);
  await addRefusedApplication(t, admin, reader);
  await fillProfile(t, writer);
  await mustCall(
    t,
    'PUT core/user/',
    { notify: { like: false }, privacy: { like: false }, digest: false },
    reader,
  );
  await bind(t, gateways, writer, 'first@example.com');
  await bind(t, gateways, writer, PHONE);
  await bind(t, gateways, offender, 'offender@example.com');
  // A new address cannot be changed in the first days.
  t.advance(8 * DAY);
  for (const [user, target] of [
    [writer, 'second@example.com'],
    [offender, 'elsewhere@example.com'],
  ] as const) {
    await mustCall(t, 'POST core/account/reauth', { method: 'password', password: PASSWORD }, user);
    await bind(t, gateways, user, target);
  }
  await createTokens(t, writer);
  await addRelations(t, { writer, second, reader, friend, offender });
  return { admin, writer, second, reader, friend, offender, auditor };
}

async function createApprovedWriter(
  t: TestApp,
  admin: { token: string },
  account: string,
  displayName: string,
): Promise<TestUser> {
  const user = await t.register(account, { displayName });
  const { id } = await mustCall(
    t,
    'POST core/user/apply',
    application(displayName, ['https://example.com/work']),
    user,
  );
  await mustCall(t, 'PUT core/sys/apply/', { id, status: APPLICATION_STATUS.approved }, admin);
  return user;
}

const application = (realName: string, works: string[] = []) => ({
  realName,
  field: '数据库',
  intro: '写了很多年的数据库，也写了很多年的文章，希望在这里继续写下去。',
  works,
  contact: 'who@example.com',
});

async function addRefusedApplication(t: TestApp, admin: { token: string }, user: TestUser): Promise<void> {
  const { id } = await mustCall(t, 'POST core/user/apply', application('读者甲'), user);
  await mustCall(
    t,
    'PUT core/sys/apply/',
    { id, status: APPLICATION_STATUS.refused, reason: '请再补充一些作品' },
    admin,
  );
  await mustCall(t, 'POST core/user/apply', application('读者甲'), user);
}

/** Staff create an account with its own role, which enables a second factor, and a disabled account. */
async function createAuditor(t: TestApp, admin: { token: string }): Promise<TestUser> {
  const role = await mustCall(t, 'POST core/sys/role/', { name: '值班', code: 'on-duty' }, admin);
  const group = await mustCall(
    t,
    'POST core/sys/menu/',
    { name: '常用', kind: 'group', icon: 'star' },
    admin,
  );
  const screen = { name: '待审', kind: 'screen', parentId: group.id, path: '/audit/mine', enabled: FLAG.off };
  const { id: menuId } = await mustCall(t, 'POST core/sys/menu/', screen, admin);
  await mustCall(t, 'POST core/sys/role/', { name: '不再用', code: 'unused', enabled: FLAG.off }, admin);
  await mustCall(t, 'PUT core/sys/role/menu/', { roleId: role.id, menuIds: [group.id, menuId] }, admin);
  const { rows } = await t.app.services.pool.query<{ id: string }>(
    "select id from roles where code = 'auditor'",
  );
  const account = { account: 'auditor', password: 'a first password', displayName: '审核员' };
  const roleIds = [role.id, ...rows.map(({ id }) => id)];
  await mustCall(t, 'POST core/sys/account/', { ...account, roleIds }, admin);
  await mustCall(
    t,
    'POST core/sys/account/',
    { account: 'left-long-ago', password: 'a first password', enabled: FLAG.off },
    admin,
  );
  const signedIn = await t.call('POST core/account/login', account);
  const token = signedIn.token ?? '';
  const passwords = { oldPassword: account.password, newPassword: PASSWORD };
  await mustCall(t, 'PUT core/account/password', passwords, { token });
  const { secret } = await mustCall(t, 'POST core/account/totp', {}, { token });
  const code = new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });
  await mustCall(t, 'PUT core/account/totp', { code }, { token });
  return { token, user: signedIn.data };
}

const picture = (width: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height: 300, channels: 3, background } })
    .png()
    .toBuffer();

export async function uploadPicture(
  t: TestApp,
  by: { token: string },
  width: number,
  colour: string,
): Promise<string> {
  const file = { name: 'picture.png', content: await picture(width, colour) };
  return (await uploadFile(t, 'core/minio/upload', file, by.token)).data.path;
}

async function fillProfile(t: TestApp, writer: TestUser): Promise<void> {
  const profile = {
    headImg: await uploadPicture(t, writer, 300, '#ff6968'),
    bio: '写数据库的人',
    gender: 'female',
    city: '杭州',
    company: '某公司',
    position: '工程师',
    homepage: 'https://example.com/',
    github: 'example',
  };
  await mustCall(t, 'PUT core/user/', profile, writer);
  const card = { skills: ['Go', 'Rust'], years: 9, city: '杭州', openToWork: true, intro: '慢慢写' };
  await mustCall(t, 'PUT core/code/farmer/', card, writer);
}

async function bind(
  t: TestApp,
  { smtp, aliyun }: MessageServers,
  user: TestUser,
  target: string,
): Promise<void> {
  await mustCall(t, 'POST core/account/code', { purpose: 'bind', target }, user);
  const code = target.includes('@') ? await smtp.waitForCode(target) : await aliyun.waitForCode(target);
  await mustCall(t, 'PUT core/account/code', { purpose: 'bind', target, code }, user);
}

async function createTokens(t: TestApp, writer: TestUser): Promise<void> {
  const scopes = ['essay:read', 'essay:write'];
  await mustCall(t, 'POST core/user/token/', { name: '同步', scopes, days: 30 }, writer);
  const { token } = await mustCall(
    t,
    'POST core/user/token/',
    { name: '命令行', scopes, days: null },
    writer,
  );
  await mustCall(t, 'GET core/essay/', { mine: FLAG.on }, { token });
}

async function addRelations(
  t: TestApp,
  { writer, second, reader, friend, offender }: Omit<Users, 'admin' | 'auditor'>,
): Promise<void> {
  for (const [who, whom] of [
    [reader, writer],
    [friend, writer],
    [offender, writer],
    [writer, second],
    [second, writer],
  ] as const)
    await mustCall(t, 'POST core/essay/follow', { userId: whom.user.id }, who);
  await mustCall(t, 'POST core/user/block', { userId: offender.user.id }, second);
  await mustCall(
    t,
    'POST core/user/report',
    { kind: 'user', targetId: offender.user.id, reason: 'abuse', detail: '到处骂人' },
    reader,
  );
}

/** Uses the link in the mail to the old address, which ends all sessions of the account. */
export async function undoEmailChange(t: TestApp, { smtp }: MessageServers): Promise<void> {
  const mail = await smtp.waitForMail('offender@example.com', 'not-me');
  const token = mail.match(/not-me#([\w-]+)/)?.[1];
  await mustCall(t, 'PUT core/account/change', { token });
}

/** Creates sessions of other devices, QR tickets, failed sign-ins and rate limits. */
export async function signInElsewhere(t: TestApp, { writer, reader }: Users): Promise<void> {
  const signIn = { account: reader.user.account, password: PASSWORD };
  const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1' };
  await mustCall(t, 'POST core/account/login', signIn, { address: '114.114.114.114', headers: phone });
  for (const account of [writer.user.account, 'nobody-here'])
    await t.call('POST core/account/login', { account, password: 'not it' }, { address: '198.51.100.4' });
  await mustCall(t, 'GET core/user/qrcode/login');
  const { ticket } = await mustCall(t, 'GET core/user/qrcode/login');
  await mustCall(t, 'PUT core/user/qrcode/login', { ticket, action: 'scan' }, reader);
  const strict = await startTestApp({
    sameDatabaseAs: t,
    startAt: t.app.services.clock(),
    config: { rateLimit: true },
  });
  await strict.register('careful');
  await strict.close();
}

/** Closes one account; the closing of a second one is still pending. */
export async function closeAccounts(t: TestApp): Promise<void> {
  for (const account of ['already-gone', 'about-to-go']) {
    const { token, user } = await t.register(account, { displayName: '要走的人' });
    await mustCall(t, 'DELETE core/account/', {}, { token });
    if (account !== 'already-gone') continue;
    t.advance(15 * DAY + MINUTE);
    await t.app.services.pool.query(`select graphile_worker.add_job('close-account', $1::json)`, [
      JSON.stringify({ userId: user.id }),
    ]);
  }
}
