import { EssayActivityList } from '#web/features/essays/essay-activity-list.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import styles from './own-essays.module.css';

export const OwnLikes = () => (
  <section aria-labelledby="likes">
    <header className={styles.head}>
      <h2 id="likes">点赞</h2>
    </header>
    <EssayActivityList
      activity="like"
      label="点赞的文章"
      level="h3"
      empty={
        <EmptyList
          level="h3"
          title="还没有赞过文章"
          withHomeLink
          text="读到喜欢的文章，点一下心形，就会记在这里。"
        />
      }
    />
  </section>
);
