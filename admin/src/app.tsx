import { LoadingOutlined } from '@ant-design/icons';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App as AntApp, ConfigProvider } from 'antd';
import zhCN from 'antd/es/locale/zh_CN.js';
import { useMemo, useState } from 'react';
import { AccessGate } from './features/frame/access-gate.tsx';
import { Frame } from './features/frame/frame.tsx';
import { themeOf } from './lib/antd-theme.ts';
import { AppContext, type App as AppValue } from './lib/app-context.ts';
import { useScheme } from './lib/theme.ts';
import { Outlet } from './outlet.tsx';

interface AppProps {
  app: Omit<AppValue, 'setAppearance' | 'setInMaintenance'>;
  queryClient: QueryClient;
  nonce: string;
}

/** antd's icons have English accessible names, so decorative ones are hidden from screen readers. */
const BUTTON = { autoInsertSpace: false, loadingIcon: <LoadingOutlined spin aria-hidden /> };

export function App({ app, queryClient, nonce }: AppProps) {
  const scheme = useScheme();
  const [{ title, logo, colorPrimary }, setAppearance] =
    useState<Parameters<AppValue['setAppearance']>[0]>(app);
  const [isInMaintenance, setInMaintenance] = useState(app.isInMaintenance);
  const theme = useMemo(() => themeOf(scheme, colorPrimary), [scheme, colorPrimary]);
  const value: AppValue = {
    ...app,
    title,
    logo,
    colorPrimary,
    isInMaintenance,
    setAppearance,
    setInMaintenance,
  };
  return (
    <ConfigProvider locale={zhCN} theme={theme} csp={{ nonce }} button={BUTTON}>
      <AntApp>
        <QueryClientProvider client={queryClient}>
          <AppContext value={value}>
            <AccessGate>
              <Frame>
                <Outlet />
              </Frame>
            </AccessGate>
          </AppContext>
        </QueryClientProvider>
      </AntApp>
    </ConfigProvider>
  );
}
