import type { Output } from '@mozhan/contract/client.ts';
import styles from './redirect.module.css';

interface ProblemListProps {
  problems: Output<'POST core/sys/redirect/import'>['problems'];
  total: number;
}

/** The lines of a file that were not imported, and why. */
export const ProblemList = ({ problems, total }: ProblemListProps) => (
  <>
    <ul className={styles.problems}>
      {problems.map(({ line, path, reason }) => (
        <li key={line}>
          第 {line} 行 <code>{path}</code>：{reason}
        </li>
      ))}
    </ul>
    {total > problems.length ? <p>只列出了前 {problems.length} 行。</p> : null}
  </>
);
