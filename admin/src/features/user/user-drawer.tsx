import type { Permission } from '@mozhan/contract/client.ts';
import type { StaffUser, StaffUserDetail } from '@mozhan/contract/system.ts';
import { formatDate, formatDateTime, orDash } from '#admin/lib/format.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { EnabledTag } from '#admin/ui/enabled-tag.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { Loaded } from '#admin/ui/loaded.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { RoleTags } from '#admin/ui/role-tags.tsx';
import type { PanelProps } from '#admin/ui/row-actions.tsx';
import { identities } from './labels.ts';
import styles from './user.module.css';

const figures: { name: keyof StaffUser['counters']; label: string }[] = [
  { name: 'essays', label: '文章' },
  { name: 'reads', label: '阅读' },
  { name: 'likes', label: '获赞' },
  { name: 'followers', label: '粉丝' },
  { name: 'following', label: '关注' },
];

const linksOf = (id: string): { label: string; to: string; permission: Permission }[] => [
  { label: '文章', to: `/essay?authorId=${id}`, permission: 'essay:list' },
  { label: '评论', to: `/comment?userId=${id}`, permission: 'comment:list' },
  { label: '图片', to: `/media?userId=${id}`, permission: 'media:list' },
  { label: '附件', to: `/media?kind=attachment&userId=${id}`, permission: 'media:list' },
  { label: '订单', to: `/order?userId=${id}`, permission: 'order:list' },
  { label: '提现', to: `/withdraw?userId=${id}&status=`, permission: 'withdraw:list' },
  { label: '账本', to: `/ledger?userId=${id}`, permission: 'ledger:list' },
  { label: '登录设备', to: `/session?userId=${id}`, permission: 'session:list' },
  { label: '身份与资料的改动', to: `/log?target=user:${id}`, permission: 'log:list' },
  { label: '账号与角色的改动', to: `/log?target=account:${id}`, permission: 'log:list' },
  { label: '赠送会员的记录', to: `/log?target=member:${id}`, permission: 'log:list' },
  { label: '做过的操作', to: `/log?userId=${id}`, permission: 'log:list' },
];

function Detail({ user }: { user: StaffUserDetail }) {
  const can = useCan();
  const place = [user.company, user.position].filter(Boolean).join(' · ');
  return (
    <div className={styles.detail}>
      <dl className={styles.figures}>
        {figures.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{user.counters[name].toLocaleString('zh-CN')}</dd>
          </div>
        ))}
      </dl>
      <Facts
        facts={[
          ['主页', <PersonLink key="home" user={user} />],
          ['账号', user.account],
          user.emailBounce === null ? null : ['邮箱', user.emailBounce],
          ['状态', <EnabledTag key="enabled" enabled={user.enabled} />],
          ['身份', identities[user.curIdentity]],
          [
            '会员',
            user.memberUntil === null
              ? '不是会员'
              : `${user.isMember ? '到' : '已于'} ${formatDate(user.memberUntil)}${user.isMember ? '' : ' 到期'}`,
          ],
          user.roles.length === 0 ? null : ['角色', <RoleTags key="roles" roles={user.roles} />],
          ['简介', orDash(user.bio)],
          place === '' ? null : ['工作', place],
          user.city === '' ? null : ['城市', user.city],
          user.homepage === '' ? null : ['网站', user.homepage],
          user.github === '' ? null : ['GitHub', user.github],
          ['属地', orDash(user.region)],
          ['注册时间', formatDateTime(user.createdAt)],
          user.invitedBy === null ? null : ['邀请人', <PersonLink key="inviter" user={user.invitedBy} />],
          ['编号', <code key="id">{user.id}</code>],
        ]}
      />
      <nav aria-label="此人的" className={styles.links}>
        {linksOf(user.id)
          .filter(({ permission }) => can(permission))
          .map(({ label, to }) => (
            <Link key={label} to={to}>
              {label}
            </Link>
          ))}
      </nav>
    </div>
  );
}

export const UserDrawer = ({ others, ...props }: PanelProps<StaffUser>) => (
  <DetailDrawer {...props} title={({ displayName }) => displayName} width={520} actions={others}>
    {({ id }) => (
      <Loaded route="GET core/sys/user/detail" input={{ id }} skeleton={{ paragraph: { rows: 10 } }}>
        {(user) => <Detail user={user} />}
      </Loaded>
    )}
  </DetailDrawer>
);
