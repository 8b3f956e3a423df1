import { diffKeys, type KeyChange } from '#admin/lib/diff.ts';
import { nameOfField, toText } from '#admin/lib/operation-labels.ts';
import type { RowOf } from '#admin/lib/paged.ts';
import { LineDiff } from '#admin/ui/line-diff.tsx';
import { ExpandedContent } from '#admin/ui/table-card.tsx';
import styles from './operation-detail.module.css';

export type Operation = RowOf<'GET core/sys/log/'>;

const isLong = (value: unknown): boolean => typeof value === 'string' && value.includes('\n');

function Change({ change: { key, before, after, changed } }: { change: KeyChange }) {
  return (
    <tr className={changed ? styles.changed : undefined}>
      <th scope="row">{nameOfField(key)}</th>
      {changed && (isLong(before) || isLong(after)) ? (
        <td colSpan={2}>
          <LineDiff
            before={String(before ?? '')}
            after={String(after ?? '')}
            label={`${nameOfField(key)}的改动`}
          />
        </td>
      ) : (
        <>
          <td>{toText(before)}</td>
          <td>{toText(after)}</td>
        </>
      )}
    </tr>
  );
}

function SubmittedInput({ input }: { input: unknown }) {
  const entries = Object.entries((input ?? {}) as Record<string, unknown>);
  if (entries.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{nameOfField(key)}</dt>
          <dd>{toText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function OperationDetail({ operation }: { operation: Operation }) {
  const { call, address, requestId, input, before, after, target } = operation;
  const changes = diffKeys(before, after);
  return (
    <ExpandedContent width="wide">
      <dl className={styles.facts}>
        <div>
          <dt>接口</dt>
          <dd>
            <code>{call}</code>
          </dd>
        </div>
        <div>
          <dt>来自</dt>
          <dd>{address}</dd>
        </div>
        <div>
          <dt>请求编号</dt>
          <dd>
            <code>{requestId}</code>
          </dd>
        </div>
        {target === null ? null : (
          <div>
            <dt>对象</dt>
            <dd>
              <code>{target}</code>
            </dd>
          </div>
        )}
      </dl>
      {changes.length === 0 ? (
        <>
          <p>没有留下前后的对比，当时提交的是：</p>
          <SubmittedInput input={input} />
        </>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="改动前后">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">字段</th>
                <th scope="col">之前</th>
                <th scope="col">之后</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <Change key={change.key} change={change} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </ExpandedContent>
  );
}
