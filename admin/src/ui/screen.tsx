import { CloudOutlined, InboxOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { sentenceOf } from '#admin/lib/errors.ts';
import { useTitle } from '#admin/lib/use-title.ts';
import styles from './screen.module.css';

interface ScreenProps {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with its heading; the tab of the browser carries the same. */
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

interface StateProps {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  /** What to do next. */
  children?: ReactNode;
  heading?: 'h1' | 'h2';
}

/** Stands where something else is missing: says what happened and how to go on. */
export function State({ icon, title, text, children, heading: Heading = 'h2' }: StateProps) {
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

/** The same in place of a whole screen. */
export function StateScreen(props: Omit<StateProps, 'heading'>) {
  useTitle(props.title);
  return <State {...props} heading="h1" />;
}

export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <State icon={<InboxOutlined />} title={title}>
      {children}
    </State>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <State icon={<CloudOutlined />} title="没有加载出来" text={sentenceOf(error)}>
        <Button onClick={onRetry}>重试</Button>
      </State>
    </div>
  );
}

/** Above what is still there from before. */
export function NotRefreshed({ error }: { error: unknown }) {
  return (
    <Alert
      className={styles.stale}
      type="warning"
      showIcon
      title="没有刷新成功，下面是之前的内容"
      description={sentenceOf(error)}
    />
  );
}
