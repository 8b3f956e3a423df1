import type { StaffApplication } from '@mozhan/contract/experts.ts';
import { ExpandedContent } from '#admin/ui/table-card.tsx';
import styles from './detail.module.css';

export function ApplicationDetail({ application }: { application: StaffApplication }) {
  const { intro, works, reason } = application;
  return (
    <ExpandedContent>
      <dl className={styles.detail}>
        <div>
          <dt>自我介绍</dt>
          <dd>{intro}</dd>
        </div>
        {works.length === 0 ? null : (
          <div>
            <dt>代表作</dt>
            <dd>
              <ul>
                {works.map((work) => (
                  <li key={work}>
                    <a href={work} target="_blank" rel="noopener noreferrer">
                      {work}
                    </a>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {reason === '' ? null : (
          <div>
            <dt>理由</dt>
            <dd>{reason}</dd>
          </div>
        )}
      </dl>
    </ExpandedContent>
  );
}
