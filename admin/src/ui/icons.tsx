import {
  AccountBookOutlined,
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  BlockOutlined,
  BookOutlined,
  BulbOutlined,
  CodeOutlined,
  CommentOutlined,
  CompassOutlined,
  CrownOutlined,
  DashboardOutlined,
  DesktopOutlined,
  FileTextOutlined,
  GlobalOutlined,
  HddOutlined,
  HeartOutlined,
  HistoryOutlined,
  IdcardOutlined,
  LineChartOutlined,
  LinkOutlined,
  LockOutlined,
  MenuOutlined,
  NotificationOutlined,
  PayCircleOutlined,
  PictureOutlined,
  PoweroffOutlined,
  ReadOutlined,
  SettingOutlined,
  ShareAltOutlined,
  ShoppingOutlined,
  StarOutlined,
  StopOutlined,
  SwapOutlined,
  TagOutlined,
  TagsOutlined,
  TeamOutlined,
  ThunderboltOutlined,
  UserOutlined,
  WalletOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

interface NamedIcon {
  label: string;
  Icon: ComponentType<{ 'aria-hidden'?: boolean }>;
}

export const menuIcons: Record<string, NamedIcon> = {
  dashboard: { label: '仪表盘', Icon: DashboardOutlined },
  audit: { label: '审核', Icon: AuditOutlined },
  file: { label: '文件', Icon: FileTextOutlined },
  book: { label: '书', Icon: BookOutlined },
  comment: { label: '评论', Icon: CommentOutlined },
  warning: { label: '警告', Icon: WarningOutlined },
  idcard: { label: '名片', Icon: IdcardOutlined },
  star: { label: '星', Icon: StarOutlined },
  picture: { label: '图片', Icon: PictureOutlined },
  stop: { label: '禁止', Icon: StopOutlined },
  user: { label: '用户', Icon: UserOutlined },
  switch: { label: '开关', Icon: PoweroffOutlined },
  setting: { label: '设置', Icon: SettingOutlined },
  tag: { label: '标签', Icon: TagOutlined },
  page: { label: '页面', Icon: ReadOutlined },
  site: { label: '网站', Icon: GlobalOutlined },
  navigation: { label: '导航', Icon: CompassOutlined },
  link: { label: '链接', Icon: LinkOutlined },
  team: { label: '团队', Icon: TeamOutlined },
  lock: { label: '锁', Icon: LockOutlined },
  menu: { label: '菜单', Icon: MenuOutlined },
  log: { label: '日志', Icon: HistoryOutlined },
  wallet: { label: '钱包', Icon: WalletOutlined },
  order: { label: '订单', Icon: ShoppingOutlined },
  bank: { label: '银行', Icon: BankOutlined },
  ledger: { label: '账本', Icon: AccountBookOutlined },
  chart: { label: '图表', Icon: LineChartOutlined },
  price: { label: '价格', Icon: PayCircleOutlined },
  health: { label: '状态', Icon: HeartOutlined },
  device: { label: '设备', Icon: DesktopOutlined },
  task: { label: '任务', Icon: ThunderboltOutlined },
  tags: { label: '标签组', Icon: TagsOutlined },
  notice: { label: '公告', Icon: NotificationOutlined },
  backup: { label: '备份', Icon: HddOutlined },
  transfer: { label: '往来', Icon: SwapOutlined },
  webhook: { label: '外部通知', Icon: ApiOutlined },
  redirect: { label: '跳转', Icon: ShareAltOutlined },
  crown: { label: '皇冠', Icon: CrownOutlined },
};

/** Category icons by name; the reader's site has its own drawings. */
export const categoryIcons: Record<string, NamedIcon> = {
  code: { label: '代码', Icon: CodeOutlined },
  chip: { label: '芯片', Icon: BulbOutlined },
  apps: { label: '应用', Icon: AppstoreOutlined },
};

export function NamedIcon({ icons, name }: { icons: Record<string, NamedIcon>; name: string }) {
  const Icon = icons[name]?.Icon ?? BlockOutlined;
  return <Icon aria-hidden />;
}
