import { useApp } from '#web/lib/app-context.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './feed-link.module.css';

interface FeedLinkProps {
  /** The folder of the feed, without the base path; '' for that of the entire site. */
  folder: string;
  /** Whose essays the feed has. */
  of: string;
  /** Shows the words beside the icon. */
  worded?: boolean;
}

/** Opened by the browser or a feed reader, since the router has no such page. */
export function FeedLink({ folder, of, worded = false }: FeedLinkProps) {
  const { basePath } = useApp();
  return (
    <a
      className={`row gap-1 ${styles.feed}`}
      href={`${basePath}${folder}/feed.xml`}
      type="application/atom+xml"
      title="用阅读器订阅（RSS）"
    >
      <Icon name="rss" small />
      {worded ? '订阅 RSS' : null}
      <span className="sr">{worded ? of : `订阅${of}（RSS）`}</span>
    </a>
  );
}
