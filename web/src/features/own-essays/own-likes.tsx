import { KeptEssays } from '#web/features/essays/kept-essays.tsx';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Layers } from '#web/ui/layers.tsx';
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
        <Empty
          small
          level="h3"
          picture={<Layers />}
          title="还没有赞过文章"
          actions={
            <Link to="/home" className={buttonClass()}>
              去首页看看
            </Link>
          }
        >
          <p>读到喜欢的文章，点一下心形，就会记在这里。</p>
        </Empty>
      }
    />
  </section>
);
