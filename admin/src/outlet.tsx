import { CompassOutlined, LockOutlined, SyncOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useApp } from './lib/app-context.ts';
import { useLocation } from './lib/navigation.tsx';
import { useCan } from './lib/viewer.ts';
import { permissionsOf, type ScreenName, screenAt } from './screens.ts';
import { Card, PlaceholderScreen } from './ui/screen.tsx';

/** Each screen's code is loaded on first use. */
const files = import.meta.glob<{ Page: ComponentType }>('./screens/*.tsx');
const loaded = new Map<ScreenName, ComponentType>();

export async function loadScreen(name: ScreenName): Promise<ComponentType> {
  const { Page } = (await files[`./screens/${name}.tsx`]?.()) ?? {};
  if (Page === undefined) throw new Error(`unknown screen ${name}`);
  loaded.set(name, Page);
  return Page;
}

/** Catches render errors and failed code downloads, which usually mean that a newer version was deployed. */
class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <PlaceholderScreen
        icon={<SyncOutlined />}
        title="页面没有显示出来"
        text="可能刚刚更新了版本，刷新一下试试。"
      >
        <Button type="primary" onClick={() => location.reload()}>
          刷新
        </Button>
      </PlaceholderScreen>
    );
  }
}

function Loading() {
  return (
    <Card>
      <div role="status" aria-label="正在载入">
        <Skeleton active paragraph={{ rows: 8 }} />
      </div>
    </Card>
  );
}

/** Without `React.lazy`, because React may show what is suspended as late as 300 ms after it was loaded. */
function Screen({ name }: { name: ScreenName }) {
  const [Page, setPage] = useState(() => loaded.get(name));
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (Page === undefined) loadScreen(name).then((fetched) => setPage(() => fetched), setError);
  }, [name, Page]);
  if (error !== undefined) throw error;
  return Page === undefined ? <Loading /> : <Page />;
}

function Home() {
  const { router } = useApp();
  return (
    <Button type="primary" onClick={() => void router.navigate('/')}>
      回到工作台
    </Button>
  );
}

export function Outlet() {
  const { path } = useLocation();
  const can = useCan();
  const name = screenAt(path);
  if (name === undefined) {
    return (
      <PlaceholderScreen
        icon={<CompassOutlined />}
        title="没有这个页面"
        text="地址可能写错了，或者页面已经搬走。"
      >
        <Home />
      </PlaceholderScreen>
    );
  }
  const permissions = permissionsOf(name);
  if (permissions.length > 0 && !permissions.some(can)) {
    return (
      <PlaceholderScreen
        icon={<LockOutlined />}
        title="没有打开这个页面的权限"
        text="你的角色不包含它。需要的话，请联系管理员。"
      >
        <Home />
      </PlaceholderScreen>
    );
  }
  return (
    <Boundary key={path}>
      <Screen name={name} />
    </Boundary>
  );
}
