import { Head } from '#web/features/site/head.tsx';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/landscape.tsx';

const missing = {
  title: '没有这一页',
  description: '要找的页面不在这里。',
  heading: '山重水复，没有这一页',
  text: '它可能被移走了，也可能地址里少抄了一个字。核对一下地址，或者从首页重新出发。',
};

const gone = {
  title: '已经删除',
  description: '这里的内容已被删除。',
  heading: '这一页已经删除',
  text: '这里的内容已被作者或管理员删除，或随账号注销，不会再回来了。首页还有别的可读。',
};

/** Shown for 404, or with `gone` for 410. */
export function NotFoundPage({ gone: isGone = false }: { gone?: boolean }) {
  const texts = isGone ? gone : missing;
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title={texts.title} description={texts.description} hidden />
      <Empty
        level="h1"
        title={texts.heading}
        picture={<Landscape seed="山重水复" hue={isGone ? 62 : 200} sun={[92, 52]} />}
        actions={
          <Link to="/home" className={buttonClass({ variant: 'primary' })}>
            回首页
          </Link>
        }
      >
        <p>{texts.text}</p>
      </Empty>
    </main>
  );
}
