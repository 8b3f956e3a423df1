import type { Share } from '@mozhan/contract/shares.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { usePlaces } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { SkeletonRows } from '#web/ui/waiting.tsx';
import styles from './own-essays.module.css';

const channels: Record<Share['channel'], string> = {
  link: '链接',
  poster: '海报',
  wechat: '微信',
  weibo: '微博',
};

function Item({ share: { essay, channel, readCount, createdAt, url } }: { share: Share }) {
  const { essayHref } = usePlaces();

  async function copy(): Promise<void> {
    // Where the site has no address of its own set, the one it is read at.
    if (await copyText(new URL(url, location.origin).href)) toast('已复制');
  }

  return (
    <article className={styles.item}>
      <h3>
        {essay === null ? (
          <span className="ink-3 regular">文章已不在架上</span>
        ) : (
          <a href={essayHref(essay.id)}>{essay.title}</a>
        )}
      </h3>
      <div className={styles.facts}>
        <Badge>{channels[channel]}</Badge>
        <span>
          <Time at={createdAt} /> 分享
        </span>
        <span>带来 {formatCount(readCount)} 次阅读</span>
      </div>
      {essay === null ? null : (
        <div className={`flex wraps gap-2 ${styles.acts}`}>
          <Button
            size="small"
            aria-label={`复制《${essay.title}》的${channels[channel]}分享链接`}
            onClick={copy}
          >
            <Icon name="copy" small />
            复制链接
          </Button>
        </div>
      )}
    </article>
  );
}

const blankItems = <SkeletonRows className={styles.item} widths={['70', '50', '82']} rest={['50', '30 m']} />;

/** What one has shared, where, and whom it brought. */
export function OwnShares() {
  const query = useCallPages('GET core/essay/share');
  return (
    <section aria-labelledby="shares">
      <header className={styles.head}>
        <h2 id="shares">分享</h2>
      </header>
      <InfiniteList
        label="我的分享"
        query={query}
        keyOf={({ code }) => code}
        item={(share) => <Item share={share} />}
        skeleton={blankItems}
        empty={
          <NothingYet
            level="h3"
            title="还没有分享"
            leadsHome
            text="把读到的好文章分享出去，每个渠道带来多少阅读，都会记在这里。"
          />
        }
      />
    </section>
  );
}
