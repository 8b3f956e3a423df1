import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { orDash } from '#admin/lib/format.ts';
import { EssayRecords } from '#admin/ui/essay-records.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { VisibleText } from '#admin/ui/visible-text.tsx';
import { Decision } from './decision.tsx';
import styles from './desk.module.css';
import { type AuditEssay, useDecide } from './use-decide.ts';

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.panel} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function Changes({ changes }: Pick<AuditEssay, 'changes'>) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <del>
              <VisibleText text={orDash(before)} />
            </del>
            <ins>
              <VisibleText text={orDash(after)} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The decision form, and information that helps to decide. */
export function AuditSidebar({ essay, next }: { essay: AuditEssay; next: string | undefined }) {
  const decide = useDecide(essay, next);
  return (
    <>
      <Decision essay={essay} decide={decide} />
      {essay.words.length === 0 ? null : (
        <Panel title={`敏感词 ${essay.words.length}`}>
          <div className={styles.words}>
            {essay.words.map((word) => (
              <Tag key={word} color="error" variant="filled">
                {word}
              </Tag>
            ))}
          </div>
          <p className={styles.quiet}>正文里已标出；代码里的不算。</p>
        </Panel>
      )}
      {essay.appealText === null ? null : (
        <Panel title="作者的申诉">
          <p className={styles.appeal}>{essay.appealText}</p>
        </Panel>
      )}
      {essay.changes.length === 0 ? null : (
        <Panel title="改动的信息">
          <Changes changes={essay.changes} />
        </Panel>
      )}
      <Panel title="信息">
        <Facts facts={essay.facts.map(({ field, value }) => [field, value] as const)} />
      </Panel>
      <Panel title="记录">
        <EssayRecords records={essay.records} />
      </Panel>
    </>
  );
}
