import { KeptEssays } from '#web/features/essays/kept-essays.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import styles from './own-essays.module.css';

/** What one has liked, the latest first. */
export const OwnLikes = () => (
  <section aria-labelledby="likes">
    <header className={styles.head}>
      <h2 id="likes">点赞</h2>
    </header>
    <KeptEssays
      keeping="like"
      label="点赞的文章"
      level="h3"
      empty={
        <NothingYet
          level="h3"
          title="还没有赞过文章"
          leadsHome
          text="读到喜欢的文章，点一下心形，就会记在这里。"
        />
      }
    />
  </section>
);
