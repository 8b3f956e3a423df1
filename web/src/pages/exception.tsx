import { Head } from '#web/features/site/head.tsx';
import { truncate } from '#web/lib/format.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import styles from './exception.module.css';

const MAX_LENGTH = 200;

/** Error page for errors that cannot be shown in place. The details from the URL are rendered as plain text. */
export function Page({ search }: PageProps) {
  const details = [
    ['错误代码', truncate(search.get('errorCode') ?? '', MAX_LENGTH)],
    ['错误信息', truncate(search.get('errorMessage') ?? '', MAX_LENGTH)],
  ].filter(([, text]) => text !== '');
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title="出了点问题" description="刚才的操作没有完成。" hidden />
      <Empty
        level="h1"
        title="出了点问题"
        picture={<Landscape seed="路断处有桥" hue={275} sun={[120, 64]} />}
        actions={
          <Link to="/home" className={buttonClass({ variant: 'primary' })}>
            回首页
          </Link>
        }
      >
        <p>刚才的操作没有完成。回到上一页再试一次；如果一直这样，请联系管理员。</p>
        {details.length === 0 ? null : (
          <dl className={`sunken stack gap-2 text-m ${styles.detail}`}>
            {details.map(([label, text]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        )}
      </Empty>
    </main>
  );
}
