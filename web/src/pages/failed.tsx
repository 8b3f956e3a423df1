import { Head } from '#web/features/site/head.tsx';
import { Link, useRouter, useView } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Landscape } from '#web/ui/landscape.tsx';

/** Must not need any loaded data, because it is shown when loading fails. */
export function FailedPage() {
  const router = useRouter();
  const { url } = useView();
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title="页面没有打开" description="服务器暂时没有回应。" hidden />
      <Empty
        level="h1"
        title="这一页没有打开"
        picture={<Landscape seed="云遮住了路" hue={245} sun={[250, 96]} />}
        actions={
          <>
            <a href={router.href(url)} className={buttonClass({ variant: 'primary' })}>
              <Icon name="refresh" small />
              再试一次
            </a>
            <Link to="/home" className={buttonClass()}>
              回首页
            </Link>
          </>
        }
      >
        <p>服务器暂时没有回应，不是你的问题。过一会儿再试，多半就好了。</p>
      </Empty>
    </main>
  );
}
