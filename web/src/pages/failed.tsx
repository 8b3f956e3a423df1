import { MessagePage } from '#web/features/site/message-page.tsx';
import { useRouter, useView } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** Needs nothing loaded: it is what is shown when nothing could be. */
export function Failed() {
  const router = useRouter();
  const { url } = useView();
  return (
    <MessagePage
      title="页面没有打开"
      description="服务器暂时没有回应。"
      heading="这一页没有打开"
      picture={{ seed: '云遮住了路', hue: 245, sun: [250, 96] }}
      action={
        <a href={router.href(url)} className={buttonClass({ look: 'primary' })}>
          <Icon name="refresh" small />
          再试一次
        </a>
      }
    >
      <p>服务器暂时没有回应，不是你的问题。过一会儿再试，多半就好了。</p>
    </MessagePage>
  );
}
