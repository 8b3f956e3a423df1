import { CloudOutlined, InboxOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { errorMessage } from '#admin/lib/error-message.ts';
import { useTitle } from '#admin/lib/use-title.ts';
import styles from './screen.module.css';

interface ScreenProps {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with a heading, which is also the title of the browser tab. */
export function Screen({ title, intro, actions, children }: ScreenProps) {
  useTitle(title);
  return (
    <div className={styles.screen}>
      <div className={styles.top}>
        <div className={styles.heading}>
          <h1>{title}</h1>
          {intro ? <p>{intro}</p> : null}
        </div>
        <div className={styles.actions}>{actions}</div>
      </div>
      {children}
    </div>
  );
}

export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

interface PlaceholderProps {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
  heading?: 'h1' | 'h2';
}

/** Message in place of missing content. */
export function Placeholder({ icon, title, text, children, heading: Heading = 'h2' }: PlaceholderProps) {
  return (
    <div className={styles.state}>
      <span className={styles.mark} aria-hidden="true">
        {icon}
      </span>
      <Heading>{title}</Heading>
      {text ? <p>{text}</p> : null}
      {children ? <div className={styles.buttons}>{children}</div> : null}
    </div>
  );
}

/** Placeholder in place of an entire screen. */
export function PlaceholderScreen(props: Omit<PlaceholderProps, 'heading'>) {
  useTitle(props.title);
  return <Placeholder {...props} heading="h1" />;
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Placeholder icon={<InboxOutlined />} title={title}>
      {children}
    </Placeholder>
  );
}

export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <Placeholder icon={<CloudOutlined />} title="没能载入" text={errorMessage(error)}>
        <Button onClick={onRetry}>重试</Button>
      </Placeholder>
    </div>
  );
}

/** Displayed above stale content after a failed refresh. */
export function RefreshError({ error }: { error: unknown }) {
  return (
    <Alert
      className={styles.stale}
      type="warning"
      showIcon
      title="没能刷新，下面是之前的内容"
      description={errorMessage(error)}
    />
  );
}
