import { MessagePage } from '#web/features/site/message-page.tsx';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';

/** The one thing a signed-in reader may lack on this site is a writer's identity. */
export const Forbidden = () => (
  <MessagePage
    title="需要作者身份"
    description="这一页只向作者开放。"
    heading="这一页只向作者开放"
    picture={{ seed: '门外青山', hue: 95, sun: [210, 60] }}
    action={
      <Link to="/apply.html" className={buttonClass({ look: 'primary' })}>
        看看怎样成为作者
      </Link>
    }
  >
    <p>你已经登录，但还没有作者身份。通过专家申请之后，就可以在这里写文章。</p>
  </MessagePage>
);
