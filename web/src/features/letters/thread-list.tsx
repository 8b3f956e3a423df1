import type { Thread } from '@mozhan/contract/letters.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useRouter } from '#web/router/router.tsx';
import { Avatar, AvatarPlaceholder } from '#web/ui/avatar.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Input } from '#web/ui/text-box.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import { lettersPath, threadPages } from './letter-query.ts';
import styles from './letters.module.css';

function ThreadRow({ thread }: { thread: Thread }) {
  const { href } = useRouter();
  const { id, other, subject, essay, excerpt, fromMe, unread, letterCount, updatedAt } = thread;
  const about = subject || (essay === null ? '' : `《${essay.title}》`);
  return (
    <article className={`flex gap-3 divided ${styles.row}`} data-unread={unread > 0}>
      {other === null ? (
        <AvatarPlaceholder size="face" />
      ) : (
        <Avatar name={other.displayName} image={other.headImg} size="face" />
      )}
      <div className={styles.words}>
        <h3>
          <a className="stretched" href={href(lettersPath({ thread: id }))}>
            {other?.displayName ?? '已注销'}
          </a>
          {letterCount > 1 ? <small>{letterCount} 封</small> : null}
        </h3>
        {about === '' ? null : <p className={styles.about}>{about}</p>}
        <p className={styles.excerpt}>
          {fromMe ? '我：' : ''}
          {excerpt}
        </p>
      </div>
      <div className={`stack gap-1-5 ink-3 text-s ${styles.side}`}>
        <RelativeTime at={updatedAt} />
        {unread === 0 ? null : <UnreadCount count={unread} unit="封未读" />}
      </div>
    </article>
  );
}

function ThreadSearch({ keyword }: { keyword: string }) {
  const { navigate } = useRouter();
  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const keyword = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    void navigate(lettersPath({ keyword }), { keepScroll: true });
  }
  return (
    <search>
      <form key={keyword} className={styles.search} onSubmit={onSubmit}>
        <Icon name="search" small />
        <Input
          name="q"
          type="search"
          aria-label="搜索私信"
          placeholder="搜索私信"
          maxLength={50}
          defaultValue={keyword}
        />
      </form>
    </search>
  );
}

const skeleton = (['70', '50', '82'] as const).map((width) => (
  <div key={width} className={`flex gap-3 divided ${styles.row}`}>
    <AvatarPlaceholder size="face" />
    <div className="stack grow gap-2">
      <Skeleton width="30" height="m" />
      <Skeleton width={width} />
    </div>
  </div>
));

const noThreads = (
  <EmptyList
    level="h3"
    title="还没有私信"
    text="想和谁好好说几句，去 TA 的主页点一下「私信」。收到的信和回信都在这里。"
  />
);

export function ThreadList({ keyword }: { keyword: string }) {
  const { href } = useRouter();
  const query = useInfiniteQuery(threadPages(useApi(), keyword));
  const noMatches = (
    <EmptyList level="h3" title="没有找到">
      <p>
        没有提到「{keyword}」的私信，
        <a className="link" href={href(lettersPath())}>
          看全部
        </a>
        。
      </p>
    </EmptyList>
  );
  return (
    <section aria-labelledby="letters">
      <header className={`row apart gap-4 ${styles.head}`}>
        <h2 id="letters">私信</h2>
        <ThreadSearch keyword={keyword} />
      </header>
      <InfiniteList
        label="私信"
        query={query}
        renderItem={(thread) => <ThreadRow thread={thread} />}
        skeleton={skeleton}
        empty={keyword === '' ? noThreads : noMatches}
      />
    </section>
  );
}
