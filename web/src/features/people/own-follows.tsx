import { EmptyList } from '#web/ui/empty-list.tsx';
import { type FollowDirection, FollowList } from './follow-list.tsx';
import styles from './own-list.module.css';

const labels: Record<FollowDirection, { title: string; none: string; hint: string }> = {
  following: {
    title: '关注',
    none: '还没有关注的人',
    hint: '读到喜欢的文章，点一下作者旁边的「关注」，新文章会出现在首页的「关注」里。',
  },
  follower: { title: '粉丝', none: '还没有粉丝', hint: '有人关注你以后，会出现在这里，也会通知你。' },
};

export function OwnFollows({ type }: { type: FollowDirection }) {
  const { title, none, hint } = labels[type];
  return (
    <section aria-labelledby="follows">
      <header className={`row apart gap-4 ${styles.head}`}>
        <h2 id="follows">{title}</h2>
      </header>
      <FollowList type={type} label={title} empty={<EmptyList level="h3" title={none} text={hint} />} />
    </section>
  );
}
