import { Link } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/picture.tsx';

/** What a writer finds where the editor will be: nothing that looks as if one could write here. */
export function EditorClosed({ title }: { title: string }) {
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <Empty
        level="h1"
        title="编辑器还没有开放"
        picture={<Landscape seed="研墨以待" hue={62} sun={[110, 56]} />}
        actions={
          <Link to="/account/center.html" className={buttonClass({ look: 'primary' })}>
            回我的主页
          </Link>
        }
      >
        <p>
          这个版本先备好了账号、主页和后台。写作、审核与发布要等下一个版本，在那之前这里不会收下任何文字。
        </p>
      </Empty>
    </main>
  );
}
