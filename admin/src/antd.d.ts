// To the type checker antd's modules are CommonJS, whose default would be the whole module; to the browser they are not.
declare module 'antd/es/locale/zh_CN.js' {
  import type { ConfigProviderProps } from 'antd';

  const locale: NonNullable<ConfigProviderProps['locale']>;
  // biome-ignore lint/style/noDefaultExport: as antd has it
  export default locale;
}
