import { CompassOutlined, LockOutlined, SyncOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useApp } from './lib/app-context.ts';
import { usePlace } from './lib/navigation.tsx';
import { useCan } from './lib/viewer.ts';
import { permissionsOf, screenAt, screenNames } from './screens.ts';
import { Card, StateScreen } from './ui/screen.tsx';

/** Each is fetched when it is first opened. */
const files = import.meta.glob<{ Page: ComponentType }>('./screens/*.tsx');
const pages = Object.fromEntries(
  screenNames.map((name) => [
    name,
    lazy(async () => {
      const { Page } = (await files[`./screens/${name}.tsx`]?.()) ?? {};
      if (Page === undefined) throw new Error(`no screen is called ${name}`);
      return { default: Page };
    }),
  ]),
);

/** The screen's code could not be fetched, usually because a newer version has replaced it; or it has a bug. */
class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <StateScreen icon={<SyncOutlined />} title="页面没有显示出来" text="可能刚刚更新了版本，刷新一下试试。">
        <Button type="primary" onClick={() => location.reload()}>
          刷新
        </Button>
      </StateScreen>
    );
  }
}

function Loading() {
  return (
    <Card>
      <div role="status" aria-label="正在加载">
        <Skeleton active paragraph={{ rows: 8 }} />
      </div>
    </Card>
  );
}

function Home() {
  const { router } = useApp();
  return (
    <Button type="primary" onClick={() => void router.navigate('/')}>
      回到工作台
    </Button>
  );
}

/** The screen of the current address. */
export function Outlet() {
  const { path } = usePlace();
  const can = useCan();
  const name = screenAt(path);
  const Page = name && pages[name];
  if (name === undefined || Page === undefined) {
    return (
      <StateScreen icon={<CompassOutlined />} title="没有这个页面" text="地址可能写错了，或者页面已经搬走。">
        <Home />
      </StateScreen>
    );
  }
  const permissions = permissionsOf(name);
  if (permissions.length > 0 && !permissions.some(can)) {
    return (
      <StateScreen
        icon={<LockOutlined />}
        title="没有打开这个页面的权限"
        text="你的角色不包含它。需要的话，请联系管理员。"
      >
        <Home />
      </StateScreen>
    );
  }
  return (
    <Boundary key={path}>
      <Suspense fallback={<Loading />}>
        <Page />
      </Suspense>
    </Boundary>
  );
}
