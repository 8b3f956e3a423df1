import { type ReactNode, useId, useRef } from 'react';
import styles from './gallery.module.css';

interface GroupProps {
  id: string;
  title: string;
  children: ReactNode;
}

export const Group = ({ id, title, children }: GroupProps) => (
  <section id={id} className="stack gap-5" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} className="text-h3">
      {title}
    </h2>
    {children}
  </section>
);

interface ComponentSectionProps {
  /** Names of the displayed `ui/` files without extension; an e2e test checks that all are listed. */
  files: string;
  text: string;
  children: ReactNode;
}

export const ComponentSection = ({ files, text, children }: ComponentSectionProps) => (
  <section className="stack gap-3" data-files={files}>
    <header>
      <h3>
        {files
          .split(' ')
          .map((file) => `${file}.tsx`)
          .join('、')}
      </h3>
      <p className="ink-2 text-m">{text}</p>
    </header>
    <div className={`stack gap-4 ${styles.specimens}`}>{children}</div>
  </section>
);

const FOCUSABLE = 'a[href], button, input, textarea, select, [tabindex="0"]';

interface ExampleProps {
  state: string;
  wide?: boolean;
  /** Adds a button that focuses the component. */
  focus?: boolean;
  children: ReactNode;
}

export function Example({ state, wide = false, focus = false, children }: ExampleProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  return (
    <section className={wide ? `${styles.specimen} ${styles.wide}` : styles.specimen} aria-labelledby={id}>
      <p className="row gap-2 ink-3 text-s">
        <span id={id}>{state}</span>
        {focus ? (
          <button
            type="button"
            className="link"
            onClick={() => box.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus()}
          >
            聚焦<span className="sr">{state}</span>
          </button>
        ) : null}
      </p>
      <div ref={box} className="card">
        {children}
      </div>
    </section>
  );
}
