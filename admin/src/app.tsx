import { LoadingOutlined } from '@ant-design/icons';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App as AntApp, ConfigProvider } from 'antd';
import zhCN from 'antd/es/locale/zh_CN.js';
import { useMemo, useState } from 'react';
import { Frame } from './features/frame/frame.tsx';
import { Gate } from './features/frame/gate.tsx';
import { themeOf } from './lib/antd-theme.ts';
import { AppContext, type App as AppValue } from './lib/app-context.ts';
import { useScheme } from './lib/theme.ts';
import { Outlet } from './outlet.tsx';

interface AppProps {
  app: Omit<AppValue, 'setLook'>;
  queryClient: QueryClient;
  nonce: string;
}

/** Icons are named in English, so those that only decorate say nothing. */
const BUTTON = { autoInsertSpace: false, loadingIcon: <LoadingOutlined spin aria-hidden /> };

export function App({ app, queryClient, nonce }: AppProps) {
  const scheme = useScheme();
  const [{ title, logo, colorPrimary }, setLook] = useState<Parameters<AppValue['setLook']>[0]>(app);
  const theme = useMemo(() => themeOf(scheme, colorPrimary), [scheme, colorPrimary]);
  const value: AppValue = { ...app, title, logo, colorPrimary, setLook };
  return (
    <ConfigProvider locale={zhCN} theme={theme} csp={{ nonce }} button={BUTTON}>
      <AntApp>
        <QueryClientProvider client={queryClient}>
          <AppContext value={value}>
            <Gate>
              <Frame>
                <Outlet />
              </Frame>
            </Gate>
          </AppContext>
        </QueryClientProvider>
      </AntApp>
    </ConfigProvider>
  );
}
