import type { Client } from '@mozhan/contract/client.ts';
import { App, Button, Progress } from 'antd';
import { useApp } from './app-context.ts';
import { sentenceOf } from './errors.ts';
import { useRefresh } from './queries.ts';
import { leaveIfSignedOut } from './session.ts';

export interface Batch<T> {
  /** 下架, 删除 … */
  verb: string;
  rows: readonly T[];
  nameOf: (row: T) => string;
  work: (api: Client, row: T) => Promise<unknown>;
}

interface Failure {
  name: string;
  why: string;
}

const LIST_STYLE = {
  maxHeight: 320,
  overflow: 'auto',
  paddingInlineStart: 20,
  marginBlock: '8px 0',
  listStyle: 'disc',
};

function Failures({ failures, untouched }: { failures: readonly Failure[]; untouched: number }) {
  return (
    <>
      {untouched === 0 ? null : <p>停下时还有 {untouched} 项没有动过。</p>}
      {failures.length === 0 ? null : (
        <ul style={LIST_STYLE}>
          {failures.map(({ name, why }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, none moves
            <li key={at}>
              「{name}」：{why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/**
 * Does the same with several rows, one after the other: shows how far it is, can be stopped, goes on past a refusal and
 * says in the end what was refused and why. Answers with the rows that are left. Never throws.
 */
export function useBatch(): <T>(batch: Batch<T>) => Promise<T[]> {
  const { api, basePath } = useApp();
  const { modal, message } = App.useApp();
  const refresh = useRefresh();

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
    // A single one is done before a dialog could be read.
    const shown =
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
        if (leaveIfSignedOut(error, basePath)) stop();
        left.push(row);
        failures.push({ name: nameOf(row), why: sentenceOf(error) });
      }
      at += 1;
      shown?.update(state(at));
    }
    shown?.destroy();
    await refresh();

    const done = at - failures.length;
    const untouched = rows.slice(at);
    if (failures.length === 0 && untouched.length === 0) message.success(`已${verb} ${done} 项`);
    else {
      const rest = failures.length === 0 ? '其余已停止' : `${failures.length} 项没有成功`;
      modal.warning({
        title: `已${verb} ${done} 项，${rest}`,
        content: <Failures failures={failures} untouched={untouched.length} />,
        okText: '知道了',
      });
    }
    return [...left, ...untouched];
  };
}
