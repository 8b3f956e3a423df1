import { DeleteOutlined } from '@ant-design/icons';
import type { Demo } from '@mozhan/contract/demo.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Progress } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { call, useAction } from '#admin/lib/queries.ts';
import { usePolling } from '#admin/lib/use-polling.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import styles from './demo.module.css';

const ROUTES = ['GET core/sys/demo/'] as const;

function Consequences({ demo: { users, essays, others } }: { demo: Demo }) {
  return (
    <div className={styles.consequences}>
      <p>会移除，不能撤销：</p>
      <ul>
        <li>
          {users} 位示例用户、他们的 {essays} 篇文章和专栏，以及他们的评论、点赞、收藏、关注、分享和举报
        </li>
        <li>
          其他用户写在这些文章下的评论和群聊、对示例用户评论的回复
          {others.comments === 0 ? '' : `，共 ${others.comments} 条评论`}
        </li>
        {others.conversations === 0 ? null : (
          <li>其他用户与示例用户的 {others.conversations} 组私信和私聊</li>
        )}
        {others.orders === 0 ? null : (
          <li>付给示例用户的 {others.orders} 笔订单和打赏：款项退回付款人的余额</li>
        )}
        <li>示例用户付出的款项，从收款人那里收回</li>
      </ul>
      <p>不受影响：</p>
      <ul>
        <li>其他用户的账号、文章和专栏，以及写在别处的评论与消息</li>
        <li>分类、页面、导航、站点设置，和操作日志</li>
      </ul>
      <p>建议先做一次备份。</p>
    </div>
  );
}

/** Displayed while there is demo content. */
export function DemoPanel() {
  const { api } = useApp();
  const act = useAction();
  const confirm = useConfirm();
  const demo = useQuery(call(api, 'GET core/sys/demo/')).data?.demo ?? null;
  const isRunning = demo?.removal?.status === 'waiting' || demo?.removal?.status === 'running';
  usePolling(isRunning, ROUTES);
  if (demo === null) return null;

  const remove = async () => {
    const isSure = await confirm({
      title: '移除示例内容？',
      text: <Consequences demo={demo} />,
      action: '移除',
      danger: true,
    });
    if (isSure) await act((api) => api('DELETE core/sys/demo/', {}), '已开始移除');
  };

  return (
    <section className={styles.panel} aria-label="示例内容">
      <div className={styles.row}>
        <p>
          网站里有示例内容：{demo.users} 位示例用户和他们的 {demo.essays} 篇文章。准备好后可以移除。
        </p>
        <Button
          danger
          icon={<DeleteOutlined aria-hidden />}
          disabled={isRunning}
          onClick={() => void remove()}
        >
          {isRunning ? '正在移除' : '移除示例内容'}
        </Button>
      </div>
      {isRunning ? <Progress percent={demo.removal?.progress ?? 0} aria-label="移除的进度" /> : null}
      {demo.removal?.status === 'failed' ? (
        <Alert type="error" showIcon title="没有移除" description={demo.removal.message} />
      ) : null}
    </section>
  );
}
