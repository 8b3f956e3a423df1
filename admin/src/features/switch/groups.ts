import type { Switches } from '@mozhan/contract/switches.ts';
import type { Field } from '#admin/ui/fields.tsx';

interface Group {
  title: string;
  fields: Field<Switches>[];
}

const registrations: Record<Switches['registration'], string> = {
  open: '开放',
  invited: '凭邀请码',
  closed: '关闭',
};
const commentModes: Record<Switches['comments'], string> = {
  open: '开放',
  reviewed: '先审后发',
  off: '关闭',
};

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** `current` is what the form displays, because some fields depend on others. */
export const groupsOf = ({ registration }: Switches): Group[] => [
  {
    title: '注册与互动',
    fields: [
      {
        name: 'registration',
        kind: 'choice',
        label: '注册',
        options: options(registrations),
        help: '已有的账号照常登录；后台仍可以新建账号',
      },
      {
        name: 'inviteCode',
        kind: 'text',
        label: '本站邀请码',
        maxLength: 32,
        disabled: registration !== 'invited',
        rules: [{ pattern: /^([\w-]{6,32})?$/, message: '请用 6–32 位字母、数字、下划线或短横线' }],
        help: '凭邀请码注册时，任何用户的邀请码都可以用；这里可以再设一个由本站发放的',
      },
      {
        name: 'comments',
        kind: 'choice',
        label: '评论',
        options: options(commentModes),
        help: '先审后发：在「评论」里通过以后才公开；关闭以后，已有的评论仍然看得到',
      },
      {
        name: 'reviewedComments',
        kind: 'number',
        label: '新用户的前几条评论先审后发',
        required: true,
        min: 0,
        max: 100,
        suffix: '条',
        help: '公开的评论还不满这么多条的人，评论要先审核；0 为不审核',
      },
      {
        name: 'rewards',
        kind: 'switch',
        label: '打赏',
        help: '关闭以后，已经下单的仍可以付款，收到的打赏仍然看得到',
      },
      { name: 'letters', kind: 'switch', label: '私信', help: '关闭以后，已有的私信也看不到，打开后恢复' },
      {
        name: 'chats',
        kind: 'switch',
        label: '聊天',
        help: '私聊和文章群聊；关闭以后，已有的聊天也看不到，打开后恢复',
      },
    ],
  },
  {
    title: '维护',
    fields: [
      {
        name: 'maintenance',
        kind: 'switch',
        label: '维护模式',
        help: '读者只看到维护页面；工作人员登录后照常使用，支付结果照常接收',
      },
      {
        name: 'maintenanceText',
        kind: 'lines',
        label: '维护页面上的话',
        help: '为什么维护，大约什么时候恢复',
        rows: 3,
        maxLength: 500,
      },
    ],
  },
];

/** What deviates from an open site, in words. */
export function closedOf({
  registration,
  comments,
  rewards,
  letters,
  chats,
  maintenance,
}: Switches): string[] {
  return [
    maintenance && '网站在维护，读者看不到页面',
    registration === 'closed' && '注册已关闭',
    registration === 'invited' && '凭邀请码注册',
    comments === 'off' && '评论已关闭',
    comments === 'reviewed' && '评论先审后发',
    !rewards && '打赏已关闭',
    !letters && '私信已关闭',
    !chats && '聊天已关闭',
  ].filter((text) => text !== false);
}
