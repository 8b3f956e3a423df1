import type { Client } from '@mozhan/contract/client.ts';
import { App, Button, Progress } from 'antd';
import { useApp } from './app-context.ts';
import { errorMessage } from './error-message.ts';
import { useRefresh } from './queries.ts';
import { redirectIfSignedOut } from './session.ts';

export interface BatchOptions<T> {
  /** Chinese verb for messages: 下架, 删除 … */
  verb: string;
  rows: readonly T[];
  nameOf: (row: T) => string;
  work: (api: Client, row: T) => Promise<unknown>;
}

export interface Failure {
  name: string;
  reason: string;
}

const LIST_STYLE = {
  maxHeight: 320,
  overflow: 'auto',
  paddingInlineStart: 20,
  marginBlock: '8px 0',
  listStyle: 'disc',
};

function Failures({ failures, unprocessed }: { failures: readonly Failure[]; unprocessed: number }) {
  return (
    <>
      {unprocessed === 0 ? null : <p>停下时还有 {unprocessed} 项没有动过。</p>}
      {failures.length === 0 ? null : (
        <ul style={LIST_STYLE}>
          {failures.map(({ name, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list does not change
            <li key={at}>
              「{name}」：{reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface BatchReport {
  verb: string;
  done: number;
  failures: readonly Failure[];
  unprocessed?: number;
}

/** Shows how many rows were processed and lists those that failed. */
export function useBatchReport(): (report: BatchReport) => void {
  const { modal, message } = App.useApp();
  return ({ verb, done, failures, unprocessed = 0 }) => {
    if (failures.length === 0 && unprocessed === 0) {
      message.success(`已${verb} ${done} 项`);
      return;
    }
    const rest = failures.length === 0 ? '其余已停止' : `${failures.length} 项没有成功`;
    modal.warning({
      title: `已${verb} ${done} 项，${rest}`,
      content: <Failures failures={failures} unprocessed={unprocessed} />,
      okText: '知道了',
    });
  };
}

/**
 * Runs a call for several rows in sequence with a progress dialog that can stop it. Continues after a failure and
 * lists all failures at the end. Resolves to the rows that were not processed successfully; never throws.
 */
export function useBatch(): <T>(batch: BatchOptions<T>) => Promise<T[]> {
  const { api, basePath } = useApp();
  const { modal } = App.useApp();
  const refresh = useRefresh();
  const report = useBatchReport();

  return async ({ verb, rows, nameOf, work }) => {
    let isStopped = false;
    const left: (typeof rows)[number][] = [];
    const failures: Failure[] = [];
    const stop = () => {
      isStopped = true;
    };
    const state = (at: number) => ({
      title: `正在${verb}（${at}/${rows.length}）`,
      content: <Progress percent={Math.round((at / rows.length) * 100)} aria-label={`${verb}的进度`} />,
    });
    // No dialog for a single row: it would close before anyone could read it.
    const dialog =
      rows.length < 2
        ? undefined
        : modal.info({
            ...state(0),
            icon: null,
            keyboard: false,
            footer: () => <Button onClick={stop}>停止</Button>,
          });

    let at = 0;
    for (const row of rows) {
      if (isStopped) break;
      try {
        await work(api, row);
      } catch (error) {
        if (redirectIfSignedOut(error, basePath)) stop();
        left.push(row);
        failures.push({ name: nameOf(row), reason: errorMessage(error) });
      }
      at += 1;
      dialog?.update(state(at));
    }
    dialog?.destroy();
    await refresh();

    const unprocessed = rows.slice(at);
    report({ verb, done: at - failures.length, failures, unprocessed: unprocessed.length });
    return [...left, ...unprocessed];
  };
}
