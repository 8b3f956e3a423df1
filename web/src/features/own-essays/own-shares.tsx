import type { Share } from '@mozhan/contract/shares.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SkeletonRows } from '#web/ui/loading-skeleton.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './own-essays.module.css';

const channelLabels: Record<Share['channel'], string> = {
  link: '链接',
  poster: '海报',
  wechat: '微信',
  weibo: '微博',
};

function ShareRow({ share: { essay, channel, readCount, createdAt, url } }: { share: Share }) {
  const { essayHref } = useHrefs();

  async function copy(): Promise<void> {
    // The URL is relative when the site's own URL is not configured.
    if (await copyText(new URL(url, location.origin).href)) toast('已复制');
  }

  return (
    <article className={styles.item}>
      <h3>
        {essay === null ? (
          <span className="ink-3 regular">文章已不在架上</span>
        ) : (
          <a href={essayHref(essay)}>{essay.title}</a>
        )}
      </h3>
      <div className={styles.facts}>
        <Badge>{channelLabels[channel]}</Badge>
        <span>
          <RelativeTime at={createdAt} /> 分享
        </span>
        <span>带来 {formatCount(readCount)} 次阅读</span>
      </div>
      {essay === null ? null : (
        <div className={`flex wraps gap-2 ${styles.acts}`}>
          <Button
            size="small"
            aria-label={`复制《${essay.title}》的${channelLabels[channel]}分享链接`}
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

const skeletonRows = (
  <SkeletonRows className={styles.item} widths={['70', '50', '82']} rest={['50', '30 m']} />
);

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
        renderItem={(share) => <ShareRow share={share} />}
        skeleton={skeletonRows}
        empty={
          <EmptyList
            level="h3"
            title="还没有分享"
            withHomeLink
            text="把读到的好文章分享出去，每个渠道带来多少阅读，都会记在这里。"
          />
        }
      />
    </section>
  );
}
