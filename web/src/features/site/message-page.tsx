import type { ComponentProps, ReactNode } from 'react';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Landscape } from '#web/ui/picture.tsx';
import { Head } from './head.tsx';

interface MessagePageProps {
  /** In the browser's tab. */
  title: string;
  description: string;
  heading: string;
  picture: ComponentProps<typeof Landscape>;
  /** Before the way home. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page that has nothing but a message. */
export const MessagePage = ({ title, description, heading, picture, action, children }: MessagePageProps) => (
  <main id="main" tabIndex={-1} className="wrap">
    <Head title={title} description={description} hidden />
    <Empty
      level="h1"
      title={heading}
      picture={<Landscape {...picture} />}
      actions={
        <>
          {action}
          <Link to="/home" className={buttonClass({ look: action === undefined ? 'primary' : 'outline' })}>
            回首页
          </Link>
        </>
      }
    >
      {children}
    </Empty>
  </main>
);
