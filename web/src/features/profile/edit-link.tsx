import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';

export const EditLink = () => (
  <Link to="/account/settings.html" className={buttonClass()}>
    <Icon name="pen" small />
    编辑主页
  </Link>
);
