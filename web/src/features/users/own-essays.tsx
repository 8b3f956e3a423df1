import { useCurrentUser } from '#web/lib/session.ts';
import { Link } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Layers } from '#web/ui/layers.tsx';

const WRITER = 2;

const write = (
  <Link to="/essay/create.html" target="_blank" className={buttonClass({ look: 'primary' })}>
    <Icon name="pen" small />
    写文章
  </Link>
);

const apply = (
  <Link to="/apply.html" className={buttonClass()}>
    看看怎样成为作者
  </Link>
);

/** The shelf of whoever has not written yet: what a writer can do, and how a reader becomes one. */
export function OwnEssays() {
  const isWriter = useCurrentUser()?.curIdentity === WRITER;
  return isWriter ? (
    <Empty small picture={<Layers />} title="还没有文章" actions={write}>
      <p>写下的第一篇，会从草稿开始放在这里，想好了再发布。</p>
    </Empty>
  ) : (
    <Empty small picture={<Layers />} title="你还不是作者" actions={apply}>
      <p>写文章的资格通过专家申请获得。通过以后，你的草稿和文章都会放在这里。</p>
    </Empty>
  );
}
