import { Head } from '#web/features/site/head.tsx';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/landscape.tsx';

/** Shown to signed-in readers who are not writers; no other page is restricted. */
export function ForbiddenPage() {
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title="需要作者身份" description="这一页只向作者开放。" hidden />
      <Empty
        level="h1"
        title="这一页只向作者开放"
        picture={<Landscape seed="门外青山" hue={95} sun={[210, 60]} />}
        actions={
          <>
            <Link to="/apply.html" className={buttonClass({ variant: 'primary' })}>
              如何成为作者
            </Link>
            <Link to="/home" className={buttonClass()}>
              回首页
            </Link>
          </>
        }
      >
        <p>你已经登录，但还没有作者身份。通过专家申请之后，就可以在这里写文章。</p>
      </Empty>
    </main>
  );
}
