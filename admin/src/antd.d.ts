// TypeScript treats antd's modules as CommonJS, where the default export would be the module; the browser does not.
declare module 'antd/es/locale/zh_CN.js' {
  import type { ConfigProviderProps } from 'antd';

  const locale: NonNullable<ConfigProviderProps['locale']>;
  // biome-ignore lint/style/noDefaultExport: antd exports it this way
  export default locale;
}
