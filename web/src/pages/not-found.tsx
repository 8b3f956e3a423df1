import { Head } from '#web/features/site/head.tsx';
import { Link } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/picture.tsx';

export function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title="没有这一页" description="要找的页面不在这里。" hidden />
      <Empty
        level="h1"
        title="山重水复，没有这一页"
        picture={<Landscape seed="山重水复" hue={200} sun={[92, 52]} />}
        actions={
          <Link to="/home" className={buttonClass({ look: 'primary' })}>
            回首页
          </Link>
        }
      >
        <p>它可能被移走了，也可能地址里少抄了一个字。核对一下地址，或者从首页重新出发。</p>
      </Empty>
    </main>
  );
}
