import { Checklist } from '#admin/features/dashboard/checklist.tsx';
import styles from '#admin/features/dashboard/dashboard.module.css';
import { DemoPanel } from '#admin/features/dashboard/demo.tsx';
import { HealthPanel } from '#admin/features/dashboard/health.tsx';
import { LatestOperations, LatestUsers } from '#admin/features/dashboard/latest.tsx';
import { Stats } from '#admin/features/dashboard/stats.tsx';
import { Todo } from '#admin/features/dashboard/todo.tsx';
import { greetingAt, today } from '#admin/lib/format.ts';
import { useViewer } from '#admin/lib/viewer.ts';
import { Can } from '#admin/ui/can.tsx';
import { Screen } from '#admin/ui/screen.tsx';

export function Page() {
  const { user } = useViewer();
  const now = new Date();
  return (
    <Screen title={`${greetingAt(now)}，${user.displayName}`} intro={`今天是 ${today(now)}`}>
      <Can permission="checklist:list">
        <Checklist />
      </Can>
      <Can permission="demo:remove">
        <DemoPanel />
      </Can>
      <Todo />
      <Can permission="stat:list">
        <Stats />
      </Can>
      <Can permission="health:list">
        <HealthPanel />
      </Can>
      <div className={styles.panels}>
        <Can permission="user:list">
          <LatestUsers />
        </Can>
        <Can permission="log:list">
          <LatestOperations />
        </Can>
      </div>
    </Screen>
  );
}
