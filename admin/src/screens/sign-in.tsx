import type { StaffSignIn } from '@mozhan/contract/sign-ins.ts';
import { Tag } from 'antd';
import { orDash } from '#admin/lib/format.ts';
import { text, time } from '#admin/ui/columns.tsx';
import { dayFilters, idFilter, userFilter } from '#admin/ui/filters.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Person } from '#admin/ui/person.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';

const ways: Record<StaffSignIn['via'], string> = {
  password: '密码登录',
  code: '验证码登录',
  qrcode: '扫码登录',
  register: '注册',
  change: '修改密码',
  reset: '重置密码',
  reauth: '再次验证身份',
  bind: '绑定邮箱或手机号',
  token: 'API 令牌',
};

const reasons: Record<NonNullable<StaffSignIn['reason']>, string> = {
  password: '密码不对',
  totp: '动态验证码不对',
  code: '验证码不对或已过期',
  locked: '失败太多，暂时锁定',
  disabled: '账号已停用',
  qrcode: '二维码不属于这台设备',
  token: '令牌无效',
};

const periods = [
  { value: '1', label: '1 天' },
  { value: '7', label: '7 天' },
  { value: '30', label: '30 天' },
  { value: '', label: '不到期' },
];

const DAY_MS = 24 * 3_600_000;
const expiryAfter = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();

const resultOf = ({ reason }: StaffSignIn): string => (reason === null ? '成功' : reasons[reason]);

/** `unknown:1a2b…` stands for input that names no account. */
const isUnknown = ({ user, account }: StaffSignIn) => user === null && account.startsWith('unknown');

export const Page = () => (
  <ResourceScreen
    name="sign-in"
    title="登录记录"
    intro="谁在何时何地登录，成功与失败，保留六个月；账号不存在时不记所填的原文，因为有人会把密码误填进账号框"
    list={paged('GET core/sys/sign-in/')}
    columns={[
      time('createdAt', '时间', { sort: true }),
      {
        key: 'account',
        title: '账号',
        text: (row) => row.account,
        show: (row) =>
          row.user === null ? (
            <span title={row.account}>{isUnknown(row) ? '不存在的账号' : row.account}</span>
          ) : (
            <Person name={row.user.displayName} headImg={row.user.headImg} note={row.account} />
          ),
      },
      {
        key: 'result',
        title: '结果',
        text: resultOf,
        show: (row) => <Tag color={row.succeeded ? 'success' : 'error'}>{resultOf(row)}</Tag>,
      },
      { key: 'via', title: '方式', text: (row) => ways[row.via] },
      text('address', '地址'),
      text('region', '属地'),
      { key: 'device', title: '设备', text: (row) => orDash(row.device) },
    ]}
    keyword="完整的账号、邮箱、手机号或 IP 地址"
    keywordMax={254}
    filters={[
      {
        name: 'result',
        label: '结果',
        options: [
          { value: 'failed', label: '失败' },
          { value: 'succeeded', label: '成功' },
        ],
      },
      userFilter('userId', '用户'),
      idFilter('address', '一个地址'),
      ...dayFilters,
    ]}
    bulk
    rowActions={[
      {
        label: '封禁',
        permission: 'ban:create',
        danger: true,
        when: ({ address }) => address !== 'unknown',
        panel: rowForm({
          title: ({ address }: StaffSignIn) => `封禁 ${address}`,
          action: '封禁',
          danger: true,
          values: ({ address, succeeded }: StaffSignIn) => ({
            network: address,
            days: '7',
            reason: succeeded ? '' : '多次登录失败',
          }),
          fields: [
            {
              name: 'network',
              kind: 'text',
              label: '地址或网络',
              required: true,
              maxLength: 50,
              help: '可以改成一段网络，如 203.0.113.0/24',
            },
            { name: 'days', kind: 'choice', label: '多久', options: periods },
            { name: 'reason', kind: 'text', label: '理由', maxLength: 200 },
          ],
          run: (api, _row, { network, days, reason }) =>
            api('POST core/sys/ban/', { network, reason, expiresAt: expiryAfter(days) }),
          done: (_row, { network }) => `已封禁 ${network}`,
        }),
      },
    ]}
  />
);
